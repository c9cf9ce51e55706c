/** A list whose choice fills another field of the same form with what its item brings along. */
export function CopyingSelect({ choices, fills, ...rest }) {
  const onChange = (event) => {
    const copied = choices.find((choice) => choice.value === event.target.value)?.copied;
    const target = event.target.form?.elements[fills];
    if (!copied || !target) return;
    target.value = copied;
    target.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return (
    <select {...rest} onChange={onChange}>
      {choices.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
    </select>
  );
}
