import { Children, useEffect, useState } from "react";
import { createPortal } from "react-dom";

/** The header of the topmost dialog: it stays visible, and messages in it cover nothing. */
const topHeader = () => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
  return dialog?.querySelector(".dialog-header") ?? dialog;
};

/**
 * Live regions that move into an open dialog, because the rest of the page is inert then.
 * The ones of the page always exist, so that what is added to them is announced.
 */
export function LiveRegion({ roles, className, children }) {
  const [header, setHeader] = useState(null);
  useEffect(() => {
    const follow = () => setHeader(topHeader());
    window.addEventListener("dialogchange", follow);
    follow();
    return () => window.removeEventListener("dialogchange", follow);
  }, []);

  const contents = Children.toArray(children);
  const regions = (shown) => (
    <div className={className}>
      {roles.map((role, index) => <div key={role} role={role}>{shown ? contents[index] : null}</div>)}
    </div>
  );
  return [
    <div key="page">{regions(!header)}</div>,
    header && createPortal(regions(true), header, "dialog"),
  ];
}
