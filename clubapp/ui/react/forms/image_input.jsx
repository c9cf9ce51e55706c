import { useEffect, useId, useRef, useState } from "react";
import { TEXTS, kindOf, open } from "./image_crop.jsx";

const Blank = () => (
    <svg viewBox="0 0 48 48" aria-hidden className="image-blank">
      <path
        d="M8 38l11-13 8 9 5-5 8 9M31 17a4 4 0 1 0 .01 0M6 8h36v32H6z" fill="none" stroke="currentColor"
        strokeWidth={2} strokeLinejoin="round"
      />
    </svg>
  );

/** The image, or `fallback`, or a blank icon when it is missing or cannot be read. */
function Preview({ url, fallback, alt }) {
  const [broken, setBroken] = useState("");
  const src = url && url !== broken ? `${url}?w=384` : fallback;
  return (
    <div className="image-preview">
      {src ? <img src={src} alt={url ? alt : ""} onError={() => setBroken(url)} /> : <Blank />}
    </div>
  );
}

/**
 * An image of a form: choose or drop a file, crop it, upload it; a hidden input holds its address.
 * `value` is the initial address; a new `value` replaces what is shown.
 */
export function ImageInput({ name, bucket, value = "", fallback, alt, label, error, onUpload, onRefuse, className }) {
  const ids = useId();
  const input = useRef(null);
  const picker = useRef(null);
  const chooser = useRef(null);
  const announced = useRef(value);
  const [url, setUrl] = useState(value);
  const [chosen, setChosen] = useState(null);
  const [refusal, setRefusal] = useState("");
  const [isReading, setReading] = useState(false);
  useEffect(() => { setUrl(value); announced.current = value; setRefusal(""); }, [value]);
  useEffect(() => {
    if (url === announced.current) return;
    announced.current = url;
    // The form listens to `input` events, which setting a value from code does not fire.
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
  }, [url]);
  useEffect(() => () => { if (chosen) URL.revokeObjectURL(chosen.src); }, [chosen]);

  const refuse = (text) => { setRefusal(text); onRefuse?.(text); };
  const choose = async (file) => {
    if (!file || isReading) return;
    setRefusal("");
    setReading(true);
    try {
      const src = await open(file, bucket);
      const { default: Dialog } = await import("./image_crop_dialog.jsx").catch(() => { throw new Error(TEXTS.unreachable); });
      chooser.current.focus(); // where the focus returns when the dialog closes
      setChosen({ src, Dialog });
    } catch (failure) {
      refuse(failure.message);
    } finally {
      setReading(false);
    }
  };
  const done = (address) => {
    setChosen(null);
    setUrl(address);
    onUpload?.();
  };
  const remove = () => {
    setUrl("");
    setRefusal("");
    chooser.current.focus();
  };
  const drop = (event) => {
    event.preventDefault();
    choose(event.dataTransfer.files[0]);
  };

  const { types, formats } = kindOf(bucket);
  const shownError = refusal || error;
  const choice = (
    <button
      ref={chooser} type="button" className="button button-secondary" aria-busy={isReading}
      aria-describedby={`${ids}-hint ${ids}-error`} aria-invalid={shownError ? "true" : undefined}
      onClick={() => picker.current.click()}
    >
      {url ? "Changer l’image" : "Choisir une image"}
    </button>
  );
  return (
    <div
      role="group" aria-labelledby={`${ids}-label`} className={`field image-field ${className ?? ""}`}
      data-bucket={bucket} onDragOver={(event) => event.preventDefault()} onDrop={drop}
    >
      <span id={`${ids}-label`} className="field-label">{label}</span>
      <div className="image-body">
        <Preview url={url} fallback={fallback} alt={alt} />
        <div className="image-choice">
          <div className="image-buttons">
            {choice}
            {url ? <button type="button" className="button button-quiet" onClick={remove}>Retirer l’image</button> : null}
          </div>
          <p id={`${ids}-hint`} className="field-hint">{`${formats}, 5\u00a0Mo maximum.`}</p>
          <p id={`${ids}-error`} role="alert" className={shownError ? "field-error" : undefined}>
            {shownError || null}
          </p>
        </div>
      </div>
      <input
        ref={input} type="hidden" name={name} value={url} onInput={(event) => setUrl(event.target.value)}
      />
      <input
        ref={picker} type="file" hidden accept={types.join(",")} aria-label={label}
        onChange={(event) => { const [file] = event.target.files; event.target.value = ""; choose(file); }}
      />
      {chosen ? (
        <chosen.Dialog
          src={chosen.src} bucket={bucket} onDone={done} onRefuse={onRefuse} onClose={() => setChosen(null)}
        />
      ) : null}
    </div>
  );
}
