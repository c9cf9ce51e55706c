import { useEffect, useLayoutEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";

const NEAR = "800px";
const QUIETLY = { replace: true, preventScrollReset: true };
const REACHED = "a[href], button";

/**
 * The foot of a list of `shown` entries, right below it. Whoever is on what leads to more goes on with the first entry
 * that is new; where that leads nowhere any more it is gone by then.
 */
function useFoot(shown) {
  const foot = useRef(null);
  const before = useRef(shown);
  const isHeld = useRef(false);
  isHeld.current = Boolean(foot.current?.contains(document.activeElement));
  useLayoutEffect(() => {
    const fresh = foot.current.previousElementSibling?.children[before.current];
    if (isHeld.current && shown > before.current) fresh?.querySelector(REACHED)?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
  return foot;
}

/**
 * The way `to` the same list with more of it. It is taken by itself when it comes near the view, up to `most` entries:
 * beyond them the end of the page stays within reach.
 */
export function LoadMoreLink({ to, shown, most, label, told, ...rest }) {
  const foot = useFoot(shown);
  const navigate = useNavigate();
  useEffect(() => {
    if (!to || shown >= most) return undefined;
    const watch = new IntersectionObserver(([seen]) => {
      if (!seen.isIntersecting) return;
      watch.disconnect();
      navigate(to, QUIETLY);
    }, { rootMargin: `0px 0px ${NEAR}` });
    watch.observe(foot.current);
    return () => watch.disconnect();
  }, [to, shown, most]);
  return (
    <div {...rest} ref={foot}>
      {to && <Link to={to} rel="next" className="button button-secondary" {...QUIETLY}>{label}</Link>}
      <p role="status" className="more-told">{told}</p>
    </div>
  );
}

/** A button for more of a list, where no address says how much of it is shown. */
export function LoadMoreButton({ more, shown, label, onMore, ...rest }) {
  const foot = useFoot(shown);
  return (
    <div {...rest} ref={foot}>
      {more && <button type="button" className="button button-secondary" onClick={onMore}>{label}</button>}
    </div>
  );
}
