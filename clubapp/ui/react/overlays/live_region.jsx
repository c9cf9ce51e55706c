import { Children, useEffect, useState } from "react";
import { createPortal } from "react-dom";

/**
 * The place for messages in the topmost dialog: its header, which stays visible and in which they cover nothing; in a
 * question below its buttons, so that they do not stand between both.
 */
const placeInDialog = () => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1) ?? null;
  const place = dialog?.getAttribute("role") === "alertdialog" ? ".dialog-frame" : ".dialog-header";
  return dialog?.querySelector(place) ?? dialog;
};

/**
 * Live regions that move into an open dialog, because the rest of the page is inert then.
 * The ones of the page always exist, so that what is added to them is announced.
 */
export function LiveRegion({ roles, className, children }) {
  const [place, setPlace] = useState(null);
  useEffect(() => {
    const follow = () => setPlace(placeInDialog());
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
    <div key="page">{regions(!place)}</div>,
    place && createPortal(regions(true), place, "dialog"),
  ];
}
