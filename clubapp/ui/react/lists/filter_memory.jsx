import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";

const PREFIX = "filtre:";

// Storage can be forbidden: the way back is then to the whole list.
const orEmpty = (act) => {
  try {
    return act() ?? "";
  } catch {
    return "";
  }
};

/** Remembers the query of the address of a list, for this tab and the links to the path `to`. Draws nothing. */
export function FilterMemory({ of, to }) {
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (pathname.replace(/\/$/, "") === of) orEmpty(() => sessionStorage.setItem(PREFIX + to, search));
  }, [pathname, search, of, to]);
  return null;
}

/** A link back to a list, with the filter it was left with. */
export function FilteredLink({ to, children, ...rest }) {
  const [search, setSearch] = useState("");
  useEffect(() => setSearch(orEmpty(() => sessionStorage.getItem(PREFIX + to))), [to]);
  return <Link {...rest} to={`${to}${search}`}>{children}</Link>;
}
