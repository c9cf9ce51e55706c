import { Link, useLocation } from "react-router";

const bare = (path) => path.split("?")[0].replace(/\/+$/, "");

/** A link that says when its screen is shown ("page"), and when one of those below it is ("true"). */
export function MenuLink({ to, also = [], under = [], children, ...rest }) {
  const here = bare(useLocation().pathname);
  const isHere = [to, ...also].some((path) => bare(path) === here);
  const isBelow = under.some((path) => here.startsWith(`${path}/`));
  return <Link {...rest} to={to} aria-current={isHere ? "page" : isBelow ? "true" : undefined}>{children}</Link>;
}
