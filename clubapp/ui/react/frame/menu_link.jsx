import { useEffect } from "react";
import { Link, matchPath, useLocation } from "react-router";

const IDLE_MS = 2500; // the screen that is opened has arrived by then, also on a slow phone

const bare = (path) => path.split("?")[0].replace(/\/+$/, "");

const asked = new Set();

// The router's own prefetch loads the page anew when a script does not come, and what was typed is lost.
function fetchScripts(path) {
  const routes = Object.values(window.__reactRouterManifest?.routes ?? {});
  const route = routes.find((each) => each.path && each.path !== "*" && matchPath(`/${each.path}`, path));
  for (const href of route ? [route.module, ...route.imports] : []) {
    if (asked.has(href)) continue;
    asked.add(href);
    fetch(href).then((script) => script.blob()).catch(() => asked.delete(href));
  }
}

/**
 * A link that says when its screen is shown ("page"), and when one of those below it is ("true"). With `isNear` the
 * scripts of its screen are fetched beforehand, unless the browser saves data: a press then waits for nothing but rows.
 */
export function MenuLink({ to, also = [], under = [], isNear, children, ...rest }) {
  useEffect(() => {
    if (!isNear || navigator.connection?.saveData) return undefined;
    const timer = setTimeout(fetchScripts, IDLE_MS, bare(to));
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
