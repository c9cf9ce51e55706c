import { Activity, useContext, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Link, matchRoutes, useLocation, UNSAFE_DataRouterContext as DataRouterContext } from "react-router";

const IDLE_MS = 2500; // the screen that is opened has arrived by then, also on a slow phone
const DRAWN_MS = 2000; // drawn in small pieces while nothing else is to be done

const MISSED = "screenmissed"; // heard by `offline_notice.jsx`

const bare = (path) => path.split("?")[0].replace(/\/+$/, "");

let ownRouter = null;
let presses = 0;
const asked = new Map();

let place = null;
const nowhere = () => (place ??= document.createElement("div"));

/** The addresses of the scripts of the screen at `path`, none once they run. */
function listScripts(path) {
  const route = matchRoutes(ownRouter?.routes ?? [], path)?.at(-1).route.id;
  const found = window.__reactRouterManifest?.routes[route];
  return !found || route in window.__reactRouterRouteModules ? [] : [found.module, ...found.imports];
}

async function fetchScript(href) {
  const script = await fetch(href);
  if (script.status >= 500) throw new Error(script.statusText); // one that is gone is left to the router: a new version
  return script.blob();
}

/**
 * Fetches the scripts of the screen at `path` into the browser's cache; fails when the site cannot be reached. The
 * router's own loading opens the page anew when a script does not come, and what was typed is lost.
 */
function fetchScripts(path) {
  return Promise.all(listScripts(path).map((href) => {
    if (!asked.has(href)) {
      asked.set(href, fetchScript(href));
      asked.get(href).catch(() => asked.delete(href));
    }
    return asked.get(href);
  }));
}

/** Runs the scripts of the screen at `path` once they have come; returns the screen, none when they had run before. */
async function runScripts(path) {
  await fetchScripts(path);
  const [module] = listScripts(path);
  return module && (await import(/* @vite-ignore */ module)).default;
}

/** Lets the router go to another screen only when its scripts have come: without a network this one stays. */
function stayWithoutNetwork(router) {
  if (ownRouter === router) return;
  ownRouter = router;
  window.addEventListener("popstate", () => { presses += 1; }); // back is another screen too
  const navigate = router.navigate;
  router.navigate = async (to, options) => {
    const path = typeof to === "string" ? new URL(to, location.href).pathname : to?.pathname;
    if (path && path !== location.pathname) presses += 1; // a search or a filter here is none
    const press = presses;
    if (path && listScripts(path).length) {
      const hasCome = await fetchScripts(path).then(() => true, () => false);
      if (press !== presses) return undefined; // another screen was asked for meanwhile
      if (!hasCome) {
        window.dispatchEvent(new Event(MISSED));
        return undefined;
      }
    }
    return navigate(to, options);
  };
}

/**
 * A link that says when its screen is shown ("page"), and when one of those below it is ("true"). With `isNear` the
 * scripts of its screen are fetched and run beforehand, unless the browser saves data, and the empty screen is drawn
 * once outside the page, without its effects: a press waits for nothing but rows.
 */
export function MenuLink({ to, also = [], under = [], isNear, children, ...rest }) {
  const { router } = useContext(DataRouterContext);
  const [Near, setNear] = useState(null);
  useEffect(() => stayWithoutNetwork(router), [router]);
  useEffect(() => {
    if (!isNear || navigator.connection?.saveData) return undefined;
    const draw = (screen) => screen && setNear(() => screen);
    const timer = setTimeout(() => runScripts(bare(to)).then(draw, () => {}), IDLE_MS);
    return () => clearTimeout(timer);
  }, [isNear, to]);
  useEffect(() => {
    if (!Near) return undefined;
    const timer = setTimeout(() => setNear(null), DRAWN_MS);
    return () => clearTimeout(timer);
  }, [Near]);
  const here = bare(useLocation().pathname);
  const isHere = [to, ...also].some((path) => bare(path) === here);
  const isBelow = under.some((path) => here.startsWith(`${path}/`));
  return (
    <Link {...rest} to={to} aria-current={isHere ? "page" : isBelow ? "true" : undefined}>
      {children}
      {Near && createPortal(<Activity mode="hidden"><Near /></Activity>, nowhere())}
    </Link>
  );
}
