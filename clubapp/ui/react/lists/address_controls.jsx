import { useLayoutEffect, useRef } from "react";
import { Link, useLocation, useNavigate } from "react-router";

// The list that changes stays in sight.
const QUIETLY = { preventScrollReset: true };

// Removes what another filter makes void: parameters named in one text, with spaces between them.
const drop = (parameters, reset) => reset.split(" ").forEach((name) => parameters.delete(name));

/** The address that the page has, with another value of one parameter; an empty value removes it. */
function useAddress(parameter, reset = "") {
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  const at = (value) => {
    const next = new URLSearchParams(search);
    if (value) next.set(parameter, value);
    else next.delete(parameter);
    drop(next, reset);
    return { pathname, search: next.toString() };
  };
  return [asked.get(parameter) ?? "", at];
}

/** What takes the filters of these parameters away; it is on while none of them is. */
export function NoFilterLink({ parameters, reset = "", children, ...rest }) {
  const { pathname, search } = useLocation();
  const asked = new URLSearchParams(search);
  const isOn = !parameters.some((name) => asked.get(name));
  parameters.forEach((name) => asked.delete(name));
  drop(asked, reset);
  const to = { pathname, search: asked.toString() };
  return <Link {...rest} {...QUIETLY} to={to} aria-current={isOn ? "true" : undefined}>{children}</Link>;
}

/** A filter that a press sets, and a second press removes. */
export function FilterLink({ parameter, value, reset, children, ...rest }) {
  const [now, at] = useAddress(parameter, reset);
  const isOn = now === value;
  return (
    <Link {...rest} {...QUIETLY} to={at(isOn ? "" : value)} aria-current={isOn ? "true" : undefined}>{children}</Link>
  );
}

const ALL = "all";

/** A filter, or an order, as a native list; the option 'all' asks for nothing. */
export function FilterSelect({ parameter, reset, children, ...rest }) {
  const [now, at] = useAddress(parameter, reset);
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

/**
 * The ways to the pages beside one of a list, `page` in the address. The list stands right before: after a press it is
 * read from its beginning, which takes the focus.
 */
export function PageTurns({ page, pages, newer, older, reset, ...rest }) {
  const [, at] = useAddress("page", reset);
  const box = useRef(null);
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    if (!isPressed.current) return;
    isPressed.current = false;
    const list = box.current.previousElementSibling;
    list.tabIndex = -1;
    list.focus({ preventScroll: true });
    list.scrollIntoView();
  }, [page]);
  const turn = (label, to) => (
    <Link
      {...QUIETLY} to={at(to > 1 ? String(to) : "")} onClick={() => { isPressed.current = true; }}
      className="button button-secondary"
    >
      {label}
    </Link>
  );
  return (
    <nav {...rest} ref={box}>
      {page > 1 && turn(newer, page - 1)}
      <span role="status" className="muted">{`Page ${page} sur ${pages}`}</span>
      {page < pages && turn(older, page + 1)}
    </nav>
  );
}
