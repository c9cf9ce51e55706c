import { Children, useEffect, useState } from "react";
import { createPortal } from "react-dom";

/** Under the title of the dialog on top, which stays in sight: there they cover nothing. */
const topHeader = () => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
  return dialog?.querySelector(".dialog-header") ?? dialog;
};

/**
 * Live regions that follow the person into an open dialog, where alone they are seen and read.
 * The ones of the page exist always, so that what arrives in them is announced.
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
