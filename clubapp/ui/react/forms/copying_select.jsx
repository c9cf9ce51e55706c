/** A select whose choice copies the text `copied` into the field `target` of the same form. */
export function CopyingSelect({ choices, target, ...rest }) {
  const onChange = (event) => {
    const copied = choices.find((choice) => choice.value === event.target.value)?.copied;
    const field = event.target.form?.elements[target];
    if (!copied || !field) return;
    field.value = copied;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return (
    <select {...rest} onChange={onChange}>
      {choices.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
    </select>
  );
}
