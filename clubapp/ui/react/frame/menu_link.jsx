import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { fetchScripts } from "$/public/external/clubapp/ui/react/frame/offline_notice/offline_notice.jsx";

const IDLE_MS = 2500; // the screen that is opened has arrived by then, also on a slow phone

const bare = (path) => path.split("?")[0].replace(/\/+$/, "");

/**
 * A link that says when its screen is shown ("page"), and when one of those below it is ("true"). With `isNear` the
 * scripts of its screen are fetched beforehand, unless the browser saves data: a press then waits for nothing but rows.
 */
export function MenuLink({ to, also = [], under = [], isNear, children, ...rest }) {
  useEffect(() => {
    if (!isNear || navigator.connection?.saveData) return undefined;
    const timer = setTimeout(() => fetchScripts(bare(to)).catch(() => {}), IDLE_MS);
    return () => clearTimeout(timer);
  }, [isNear, to]);
  const here = bare(useLocation().pathname);
  const isHere = [to, ...also].some((path) => bare(path) === here);
  const isBelow = under.some((path) => here.startsWith(`${path}/`));
  return (
    <Link {...rest} to={to} aria-current={isHere ? "page" : isBelow ? "true" : undefined}>
      {children}
    </Link>
  );
}
