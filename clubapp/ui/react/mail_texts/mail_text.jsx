import { useEffect, useId, useRef, useState } from "react";
import { TEXTS, kindOf, open } from "$/public/external/clubapp/ui/react/forms/image_input/image_crop.jsx";

/** Whether a link may lead there. */
export const isAddress = (text) => /^(https?:\/\/|mailto:|tel:)/i.test(text);

const BUCKET = "logos";
const MARK_BUTTONS = [
  ["strong", "Gras", "Ctrl+B", "M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z"],
  ["em", "Italique", "Ctrl+I", "M9 4h6M5 16h6M12 4l-4 12"],
  ["bullet_list", "Liste à puces", "", "M8 5h9M8 10h9M8 15h9M4 5h.01M4 10h.01M4 15h.01"],
  ["ordered_list", "Liste numérotée", "", "M9 5h8M9 10h8M9 15h8M3.5 4 4.5 3.5V7M3 12.5c0-1.5 2.4-1.5 2.4 0 0 1-2.4 1.4-2.4 3h2.4"],
];
const LINK = "M8 12l4-4M9 6l2-2a3.5 3.5 0 0 1 5 5l-2 2M11 14l-2 2a3.5 3.5 0 0 1-5-5l2-2";
const PICTURE = "M3 4h14v12H3zM3 14l4-4 3 3 3-3 4 4M8 7.5h.01";

const Icon = ({ path }) => (
  <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden className="icon">
    <path d={path} fill="none" stroke="currentColor" strokeWidth={1.8} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

function Tool({ label, keys, path, isOn, children, ...rest }) {
  return (
    <button
      type="button" aria-pressed={isOn} title={keys ? `${label} (${keys})` : label}
      aria-label={label} className="editor-tool" {...rest}
    >
      {path ? <Icon path={path} /> : null}{children}
    </button>
  );
}

/** The arrows lead from one tool to the next, so that Tab passes them in one step. */
function walk(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || !event.target.matches(".editor-tool")) return;
  const tools = [...event.currentTarget.querySelectorAll(".editor-tool:not(:disabled)")];
  event.preventDefault();
  tools.at((tools.indexOf(event.target) + step) % tools.length)?.focus();
}

/** A small form below the tools. It is inside the form of the mail, so its fields have no names and Enter is its own. */
function Panel({ label, fields, initial, confirm, error, onDone, onRemove, onClose }) {
  const ids = useId();
  const [values, setValues] = useState(initial);
  const done = () => onDone(values);
  const onKeyDown = (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") done();
    else onClose();
  };
  return (
    <div role="group" aria-label={label} className="editor-panel" onKeyDown={onKeyDown}>
      {fields.map(([name, text, hint], at) => (
        <div key={name} className="field">
          <label htmlFor={`${ids}-${name}`} className="field-label">{text}</label>
          <input
            id={`${ids}-${name}`} value={values[name]} maxLength={500} autoComplete="off" className="control"
            ref={at ? undefined : (node) => node && !node.dataset.seen && (node.dataset.seen = "1", node.focus())}
            aria-describedby={`${ids}-${name}-hint ${ids}-error`} aria-invalid={error && !at ? "true" : undefined}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
          {hint ? <p id={`${ids}-${name}-hint`} className="field-hint">{hint}</p> : null}
        </div>
      ))}
      <p id={`${ids}-error`} role="alert" className={error ? "field-error" : "visually-hidden"}>{error}</p>
      <div className="editor-panel-actions">
        <button type="button" className="button button-secondary" onClick={done}>{confirm}</button>
        {onRemove ? <button type="button" className="button button-quiet" onClick={onRemove}>Retirer le lien</button> : null}
        <button type="button" className="button button-quiet" onClick={onClose}>Annuler</button>
      </div>
    </div>
  );
}

const naturalWidth = (source) => new Promise((resolve) => {
  const image = new Image();
  image.onload = () => resolve(image.naturalWidth);
  image.onerror = () => resolve(0);
  image.src = source;
});

/**
 * Formatting for the field `target`, which holds the stored text and stays in the form. The editor is fetched when the
 * field is shown; until then, where it cannot be fetched, and on demand, the field itself is written in.
 */
export function MailText({ target, label, labels, offered, isEachLine, children }) {
  const ids = useId();
  const place = useRef(null);
  const editor = useRef(null);
  const picker = useRef(null);
  const [isReady, setReady] = useState(false);
  const [isPlain, setPlain] = useState(false);
  const [status, setStatus] = useState({});
  const [panel, setPanel] = useState("");
  const [error, setError] = useState("");
  const [chosen, setChosen] = useState(null);
  const [picture, setPicture] = useState("");
  const known = Object.fromEntries(offered.map((name) => [name, labels[name]]));
  const show = (name) => { setError(""); setPanel((now) => (now === name ? "" : name)); };

  useEffect(() => {
    const field = document.getElementById(target);
    let isGone = false;
    const take = (event) => { // what other parts of the screen write: a variable, the default text
      if (!editor.current || place.current.hidden) return;
      event.preventDefault();
      if (event.type === "insertvariable") editor.current.insertVariable(event.detail);
      else editor.current.replace(event.detail);
    };
    const kinds = ["insertvariable", "replacetext"];
    kinds.forEach((kind) => field.addEventListener(kind, take));
    const name = document.querySelector(`label[for="${CSS.escape(target)}"]`);
    if (name) name.id ||= `${target}-label`;
    const lead = (event) => {
      if (!editor.current || place.current.hidden) return;
      event.preventDefault();
      editor.current.focus();
    };
    name?.addEventListener("click", lead);
    import("./mail_editor.jsx").then(({ default: openEditor }) => {
      if (isGone) return;
      editor.current = openEditor({
        place: place.current, field, labels: known, isEachLine: Boolean(isEachLine), onStatus: setStatus,
        onLink: () => show("link"),
        attributes: () => ({
          role: "textbox", "aria-multiline": "true", "aria-label": label, "data-editor-for": target,
          "aria-describedby": [name?.id, field.getAttribute("aria-describedby")].filter(Boolean).join(" "),
          class: "editor-text", spellcheck: "true",
        }),
      });
      place.current.style.setProperty("--rows", field.rows);
      setReady(true);
    }).catch(() => setReady(false)); // the field is written in as it is
    return () => {
      isGone = true;
      kinds.forEach((kind) => field.removeEventListener(kind, take));
      name?.removeEventListener("click", lead);
      editor.current?.close();
      editor.current = null;
    };
  }, [target, offered.join()]);
  useEffect(() => {
    const field = document.getElementById(target);
    field.tabIndex = isReady && !isPlain ? -1 : 0;
  }, [target, isReady, isPlain]);
  useEffect(() => () => { if (chosen) URL.revokeObjectURL(chosen.src); }, [chosen]);

  const choose = async (file) => {
    if (!file) return;
    setError("");
    try {
      const src = await open(file, BUCKET);
      const { default: Dialog } = await import("$/public/external/clubapp/ui/react/forms/image_input/image_crop_dialog.jsx")
        .catch(() => { throw new Error(TEXTS.unreachable); });
      setChosen({ src, Dialog });
    } catch (failure) {
      setPanel("");
      setError(failure.message);
    }
  };
  const close = () => { setPanel(""); setError(""); editor.current?.focus(); };
  const link = ({ href, words }) => {
    const address = /^[^\s/@:]+\.[^\s@]+$/.test(href.trim()) ? `https://${href.trim()}`
      : /^[^\s@:]+@[^\s@]+\.[^\s@]+$/.test(href.trim()) ? `mailto:${href.trim()}` : href.trim();
    if (!isAddress(address) || /\s/.test(address)) {
      setError("Indiquez une adresse web complète, par exemple https://www.club.fr, ou une adresse e-mail.");
      return;
    }
    editor.current.link(address, words.trim());
    close();
  };
  const insertPicture = async ({ alt }) => {
    const width = Math.min(await naturalWidth(`${picture}?w=768`) || 526, 526);
    editor.current.insertPicture({ path: picture, alt: alt.trim(), width });
    close();
  };

  const isFormatting = isReady && !isPlain;
  const tool = { disabled: !isFormatting, "aria-controls": `${ids}-text` };
  return (
    <div className="editor" data-view={isFormatting ? "formatted" : "plain"}>
      <div role="toolbar" aria-label="Mise en forme" className="editor-tools" onKeyDown={walk}>
        {MARK_BUTTONS.map(([name, text, keys, path]) => (
          <Tool
            key={name} label={text} keys={keys} path={path} isOn={Boolean(status[name])} {...tool}
            onMouseDown={(event) => event.preventDefault()} onClick={() => editor.current.toggle(name)}
          />
        ))}
        <Tool label="Lien" keys="Ctrl+K" path={LINK} isOn={Boolean(status.link)} {...tool} aria-expanded={panel === "link"} onClick={() => show("link")} />
        <Tool label="Image" path={PICTURE} {...tool} onClick={() => picker.current.click()} />
        <Tool
          label="Insérer une variable" {...tool} aria-expanded={panel === "variables"}
          onClick={() => show("variables")}
        >
          Variable
        </Tool>
        <Tool label="Texte brut" disabled={!isReady} isOn={!isFormatting} onClick={() => setPlain(!isPlain)}>Texte brut</Tool>
      </div>
      {panel === "variables" ? (
        <ul
          aria-label="Variables" className="editor-panel editor-chips"
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
        >
          {Object.entries(known).map(([name, text]) => (
            <li key={name}>
              <button
                type="button" className="variable-chip" aria-label={`Insérer «\u00a0${text}\u00a0»`} title={`{{${name}}}`}
                onClick={() => { setPanel(""); editor.current.insertVariable(name); }}
              >
                {text}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {panel === "link" ? (
        <Panel
          label="Lien" confirm={status.link ? "Changer le lien" : "Insérer le lien"} error={error}
          fields={[["href", "Adresse du lien"], ...(status.selected || status.link ? [] : [["words", "Mots à lire"]])]}
          initial={{ href: status.link || "", words: "" }} onDone={link} onClose={close}
          onRemove={status.link ? () => { editor.current.link(""); close(); } : undefined}
        />
      ) : null}
      {panel === "picture" ? (
        <Panel
          label="Image" confirm="Insérer l’image" error={error} initial={{ alt: "" }}
          fields={[["alt", "Ce que montre l’image", "Lu à la place de l’image par qui ne la voit pas."]]}
          onDone={insertPicture} onClose={close}
        />
      ) : null}
      {error && !panel ? <p role="alert" className="field-error">{error}</p> : null}
      <div id={`${ids}-text`} className="editor-stage">
        <div ref={place} hidden={!isFormatting} className="editor-place" />
        {children}
      </div>
      <input
        ref={picker} type="file" hidden accept={kindOf(BUCKET).types.join(",")} aria-label="Image à insérer"
        onChange={(event) => { const [file] = event.target.files; event.target.value = ""; choose(file); }}
      />
      {chosen ? (
        <chosen.Dialog
          src={chosen.src} bucket={BUCKET} onClose={() => setChosen(null)} onRefuse={() => {}}
          onDone={(address) => { setChosen(null); setPicture(address); show("picture"); }}
        />
      ) : null}
    </div>
  );
}
