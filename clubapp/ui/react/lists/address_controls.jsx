import { Link, useLocation, useNavigate } from "react-router";

// The list that changes stays in sight.
const QUIETLY = { preventScrollReset: true };

/** The address that the page has, with another value of one parameter; an empty value removes it. */
function useAddress(parameter) {
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  const at = (value) => {
    const next = new URLSearchParams(search);
    if (value) next.set(parameter, value);
    else next.delete(parameter);
    return { pathname, search: next.toString() };
  };
  return [asked.get(parameter) ?? "", at];
}

/** What takes the filters of these parameters away; it is on while none of them is. */
export function NoFilterLink({ parameters, children, ...rest }) {
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  const isOn = !parameters.some((name) => asked.get(name));
  parameters.forEach((name) => asked.delete(name));
  const to = { pathname, search: asked.toString() };
  return <Link {...rest} {...QUIETLY} to={to} aria-current={isOn ? "true" : undefined}>{children}</Link>;
}

/** A filter that a press sets, and a second press removes. */
export function FilterLink({ parameter, value, children, ...rest }) {
  const [now, at] = useAddress(parameter);
  const isOn = now === value;
  return (
    <Link {...rest} {...QUIETLY} to={at(isOn ? "" : value)} aria-current={isOn ? "true" : undefined}>{children}</Link>
  );
}

const ALL = "all";

/** A filter, or an order, as a native list; the option 'all' asks for nothing. */
export function FilterSelect({ parameter, children, ...rest }) {
  const [now, at] = useAddress(parameter);
  const navigate = useNavigate();
  const choose = ({ target }) => navigate(at(target.value === ALL ? "" : target.value), QUIETLY);
  return <select {...rest} value={now || ALL} onChange={choose}>{children}</select>;
}

const Arrow = ({ sort }) => (
  <svg viewBox="0 0 12 12" width={12} height={12} aria-hidden className="sort-arrow" data-sort={sort}>
    <path d="M2.500 8 6 4.500 9.500 8" stroke="currentColor" strokeWidth={1.6} fill="none" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

/** The heading of a column: a press sorts by it, a second press the other way round. */
export function SortHeader({ parameter, column, label, ...rest }) {
  const [now, at] = useAddress(parameter);
  const sort = { [column]: "ascending", [`-${column}`]: "descending" }[now] ?? "none";
  return (
    <th {...rest} role="columnheader" scope="col" aria-sort={sort}>
      <Link {...QUIETLY} to={at(now === column ? `-${column}` : column)} className="sort-link">
        {label}
        <Arrow sort={sort} />
      </Link>
    </th>
  );
}
