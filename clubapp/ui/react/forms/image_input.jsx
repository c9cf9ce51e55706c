import { createElement as h, useEffect, useId, useRef, useState } from "react";
import { TEXTS, kindOf, open } from "./image_crop.jsx";

const Blank = () =>
  h("svg", { viewBox: "0 0 48 48", "aria-hidden": true, className: "image-blank" },
    h("path", { d: "M8 38l11-13 8 9 5-5 8 9M31 17a4 4 0 1 0 .01 0M6 8h36v32H6z", fill: "none", stroke: "currentColor", strokeWidth: 2, strokeLinejoin: "round" }));

/** Shows what stands in for an image that is missing, or that can no longer be read. */
function Preview({ url, fallback, alt }) {
  const [broken, setBroken] = useState("");
  const src = url && url !== broken ? `${url}?w=384` : fallback;
  return h("div", { className: "image-preview" },
    src ? h("img", { src, alt: url ? alt : "", onError: () => setBroken(url) }) : h(Blank));
}

/**
 * An image of a form: choose or drop a file, crop it, send it; its address stands in a hidden input.
 * `value` is what the form opened with; a new one replaces what is shown.
 */
export function ImageField({ name, bucket, value = "", fallback, alt, label, error, onUpload, onRefuse, className }) {
  const ids = useId();
  const input = useRef(null);
  const picker = useRef(null);
  const chooser = useRef(null);
  const told = useRef(value);
  const [url, setUrl] = useState(value);
  const [chosen, setChosen] = useState(null);
  const [refusal, setRefusal] = useState("");
  const [isReading, setReading] = useState(false);
  useEffect(() => { setUrl(value); told.current = value; setRefusal(""); }, [value]);
  useEffect(() => {
    if (url === told.current) return;
    told.current = url;
    // The form around it follows what is typed: this is typed by hand of ours.
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
      chooser.current.focus(); // where the dialog leads back to
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
  const choice = h("button", {
    ref: chooser, type: "button", className: "button button-secondary", "aria-busy": isReading, "aria-describedby": `${ids}-hint ${ids}-error`,
    "aria-invalid": shownError ? "true" : undefined, onClick: () => picker.current.click(),
  }, url ? "Changer l'image" : "Choisir une image");
  return h("div", {
    role: "group", "aria-labelledby": `${ids}-label`, className: `field image-field ${className ?? ""}`, "data-bucket": bucket,
    onDragOver: (event) => event.preventDefault(), onDrop: drop,
  },
    h("span", { id: `${ids}-label`, className: "field-label" }, label),
    h("div", { className: "image-body" },
      h(Preview, { url, fallback, alt }),
      h("div", { className: "image-choice" },
        h("div", { className: "image-buttons" }, choice,
          url ? h("button", { type: "button", className: "button button-quiet", onClick: remove }, "Retirer l'image") : null),
        h("p", { id: `${ids}-hint`, className: "field-hint" }, `${formats}, 5\u00a0Mo maximum.`),
        h("p", { id: `${ids}-error`, role: "alert", className: shownError ? "field-error" : undefined }, shownError || null))),
    h("input", { ref: input, type: "hidden", name, value: url, onInput: (event) => setUrl(event.target.value) }),
    h("input", {
      ref: picker, type: "file", hidden: true, accept: types.join(","), "aria-label": label,
      onChange: (event) => { const [file] = event.target.files; event.target.value = ""; choose(file); },
    }),
    chosen ? h(chosen.Dialog, { src: chosen.src, bucket, onDone: done, onRefuse, onClose: () => setChosen(null) }) : null);
}
