import { Children, createElement as h, useEffect, useState } from "react";
import { createPortal } from "react-dom";

const topDialog = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;

/**
 * Live regions that follow the person into an open dialog, where alone they are seen and read.
 * The ones of the page exist always, so that what arrives in them is announced.
 */
export function Above({ roles, className, children }) {
  const [dialog, setDialog] = useState(null);
  useEffect(() => {
    const follow = () => setDialog(topDialog());
    window.addEventListener("dialogchange", follow);
    follow();
    return () => window.removeEventListener("dialogchange", follow);
  }, []);

  const contents = Children.toArray(children);
  const regions = (shown) =>
    h("div", { className }, roles.map((role, index) => h("div", { key: role, role }, shown ? contents[index] : null)));
  return [
    h("div", { key: "page" }, regions(!dialog)),
    dialog && createPortal(regions(true), dialog, "dialog"),
  ];
}
