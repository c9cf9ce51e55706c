import { useEffect, useRef, useState } from "react";

const within = (value, max) => Math.min(max, Math.max(0, Number.parseInt(value, 10) || 0));

/** A number field between two large buttons. What is typed is not corrected here: the server refuses it. */
export function NumberStepper({ name, initial, max, refused, describedBy }) {
  const [value, setValue] = useState(String(initial ?? 0));
  const field = useRef(null);
  const now = within(value, max);
  const beyond = Number.parseInt(value, 10) > max;

  useEffect(() => {
    if (refused) field.current.focus();
  }, [refused]);

  const press = (label, sign, by) => (
    <button
      type="button" className="guest-press" aria-label={label} aria-controls={name}
      aria-disabled={!beyond && (now + by < 0 || now + by > max)}
      onClick={() => setValue(String(beyond ? max : now + by))}
    >
      {sign}
    </button>
  );

  return (
    <div className="guest-stepper">
      {press("Un invité de moins", "−", -1)}
      <input
        id={name} name={name} value={value} min={0} max={max} step={1} ref={field} type="number"
        inputMode="numeric" autoComplete="off" className="guest-number" aria-describedby={describedBy}
        aria-invalid={refused ? "true" : undefined} onChange={(event) => setValue(event.target.value)}
        onFocus={(event) => event.target.select()}
      />
      {press("Un invité de plus", "+", 1)}
    </div>
  );
}
