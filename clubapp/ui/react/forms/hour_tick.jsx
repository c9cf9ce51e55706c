import { createElement as h, useEffect, useRef } from "react";

const NO_HOUR = "00:00"; // of a day that was pressed in the calendar

/** Ticks a box by the hour of a moment in the same form, until somebody presses the box. */
export function HourTick({ source, target, first, last, active }) {
  const here = useRef(null);
  const isActive = useRef(active);
  isActive.current = active;

  useEffect(() => {
    const form = here.current.closest("form");
    let isPressed = false;
    const propose = () => {
      const hour = form.elements[source].value.slice(11, 16);
      if (isActive.current && !isPressed && hour && hour !== NO_HOUR) form.elements[target].checked = first <= hour && hour <= last;
    };
    const onInput = (event) => event.target.name === source && propose();
    const onClick = (event) => { isPressed ||= event.target.name === target; };
    propose();
    form.addEventListener("input", onInput);
    form.addEventListener("click", onClick);
    return () => {
      form.removeEventListener("input", onInput);
      form.removeEventListener("click", onClick);
    };
  }, []);
  return h("span", { ref: here, hidden: true });
}
