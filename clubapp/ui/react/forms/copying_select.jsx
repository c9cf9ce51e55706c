import { useEffect, useRef } from "react";

/**
 * A select whose choice copies its text `copied` into the select `target` of the same form. After a choice without one,
 * what the choice before had copied is taken back, and what the person had chosen there stands again.
 */
export function CopyingSelect({ choices, target, defaultValue, ...rest }) {
  const chosen = useRef(defaultValue);
  const own = useRef("");
  useEffect(() => { chosen.current = defaultValue; }, [defaultValue]);
  const copiedBy = (value) => choices.find((choice) => choice.value === value)?.copied;
  const onChange = (event) => {
    const field = event.target.form?.elements[target];
    const before = copiedBy(chosen.current);
    chosen.current = event.target.value;
    if (!field) return;
    if (field.value !== before) own.current = field.value;
    const copied = copiedBy(event.target.value) || own.current || field.options[0].value;
    if (field.value === copied) return;
    field.value = copied;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return (
    <select {...rest} defaultValue={defaultValue} onChange={onChange}>
      {choices.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
    </select>
  );
}
