const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** Around rows `[data-record-id]`: the arrow keys, Home and End move the focus between their `[data-row]` buttons. */
export function ArrowKeyRows({ children, ...rest }) {
  const onKeyDown = (event) => {
    const row = event.target.closest("[data-record-id]");
    const rows = [...event.currentTarget.querySelectorAll("[data-row]")];
    const here = rows.findIndex((one) => row?.contains(one));
    const ends = { Home: 0, End: rows.length - 1 };
    const next = rows[ends[event.key] ?? here + STEPS[event.key]];
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (here < 0 || !next || isModified || event.defaultPrevented) return;
    event.preventDefault();
    next.focus();
  };
  // The press of a row covers its texts: what is cut of them stands in the title of the row.
  const onMouseOver = (event) => {
    const row = event.target.closest("[data-record-id]");
    const texts = [...(row?.querySelectorAll("[data-short]") ?? [])];
    const isCut = (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth;
    const cut = texts.filter(isCut).map((one) => one.textContent);
    if (row) row.title = cut.join("\n");
  };
  return <div {...rest} onKeyDown={onKeyDown} onMouseOver={onMouseOver}>{children}</div>;
}
