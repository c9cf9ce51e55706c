import { useLayoutEffect } from "react";
import { useLocation } from "react-router";

/** The field of React's that stands for one of the first paint. */
function twin(field, paint) {
  return [...document.getElementsByName(field.name)].find((other) => !paint.contains(other));
}

/** What was typed before the interface had started goes along, and so does the caret. */
function handOver(paint) {
  const held = document.activeElement;
  for (const field of paint.querySelectorAll("input[name]:not([type=hidden])")) {
    const heir = twin(field, paint);
    if (!heir) continue;
    if (heir.value !== field.value) {
      heir.value = field.value;
      heir.dispatchEvent(new Event("input", { bubbles: true }));
    }
    if (field === held) requestAnimationFrame(() => heir.focus({ preventScroll: true }));
  }
}

function removeAll(selector) {
  document.querySelectorAll(selector).forEach((node) => node.remove());
}

function removeFirstPaint() {
  const paint = document.getElementById("first-paint");
  if (paint) handOver(paint);
  paint?.remove();
  removeAll("[data-first-paint]");
}

function leaveDocument() {
  removeFirstPaint();
  removeAll("[data-of-document]");
}

/**
 * Removes what the server wrote for the first paint once React shows the same. What describes the document to
 * machines stays until its address is left.
 */
export function Takeover({ ready }) {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    if (ready) removeFirstPaint();
  }, [ready]);
  useLayoutEffect(() => leaveDocument, [pathname]);
  return null;
}
