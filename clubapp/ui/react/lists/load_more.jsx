import { useEffect, useLayoutEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";

const NEAR = "800px";
const QUIETLY = { replace: true, preventScrollReset: true };
const REACHED = "a[href], button";

/**
 * The element right after a list of `shown` entries. If the focus is in it when entries are added, the focus moves to
 * the first new one, because the link or button may be removed.
 */
function useListEnd(shown) {
  const foot = useRef(null);
  const before = useRef(shown);
  const isHeld = useRef(false);
  isHeld.current = Boolean(foot.current?.contains(document.activeElement));
  useLayoutEffect(() => {
    const list = foot.current.previousElementSibling;
    const records = list?.querySelectorAll("[data-record-id], tbody > tr");
    const fresh = (records?.length ? records : list?.children)?.[before.current];
    if (isHeld.current && shown > before.current) fresh?.querySelector(REACHED)?.focus({ preventScroll: true });
    before.current = shown;
  }, [shown]);
  return foot;
}

/**
 * A link `to` the same list with more entries. It is followed automatically when it comes near the viewport, up to
 * `most` entries: beyond them the footer of the page stays reachable.
 */
export function LoadMoreLink({ to, shown, most, label, shownLabel, ...rest }) {
  const foot = useListEnd(shown);
  const navigate = useNavigate();
  useEffect(() => {
    if (!to || shown >= most) return undefined;
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      watch.disconnect();
      navigate(to, QUIETLY);
    }, { rootMargin: `0px 0px ${NEAR}` });
    watch.observe(foot.current);
    return () => watch.disconnect();
  }, [to, shown, most]);
  return (
    <div {...rest} ref={foot}>
      {to && <Link to={to} rel="next" className="button button-secondary" {...QUIETLY}>{label}</Link>}
      <p role="status" className="more-shown">{shownLabel}</p>
    </div>
  );
}

/** A button that loads more entries, for lists whose length is not in the address; `children` stand beside it. */
export function LoadMoreButton({ more, shown, label, onMore, children, ...rest }) {
  const foot = useListEnd(shown);
  return (
    <div {...rest} ref={foot}>
      {more && <button type="button" className="button button-secondary" onClick={onMore}>{label}</button>}
      {children}
    </div>
  );
}
