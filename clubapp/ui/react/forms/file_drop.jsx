import { useRef, useState } from "react";

const FAILED = "Le fichier n’a pas pu être envoyé\u00a0: vérifiez votre connexion, puis réessayez.";
const TOO_LARGE = "Fichier trop volumineux (5 Mo maximum).";
const MAX_BYTES = 5 * 1024 * 1024;

/** Uploads a spreadsheet that is chosen or dropped; `onReceived` gets its id, `onRefused` the reason in French. */
export function FileDrop({ address, label, hint, onReceived, onRefused }) {
  const field = useRef(null);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);

  const send = async (file) => {
    if (!file || busy) return;
    if (file.size > MAX_BYTES) {
      onRefused(TOO_LARGE);
      return;
    }
    setBusy(true);
    try {
      const response = await fetch(address, { method: "POST", body: file });
      const { id, error } = await response.json();
      if (response.ok) onReceived(id);
      else onRefused(error ?? FAILED);
    } catch {
      onRefused(FAILED);
    } finally {
      setBusy(false);
      if (field.current) field.current.value = "";
    }
  };
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    send(event.dataTransfer.files[0]);
  };
  const hover = (event) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={`table-drop${over ? " is-over" : ""}`} onDrop={drop} onDragOver={hover}
      onDragLeave={() => setOver(false)}
    >
      <label className="button button-primary" aria-disabled={busy || undefined}>
        {busy ? "Lecture du fichier…" : label}
        <input
          ref={field} type="file" accept=".csv,.xlsx,text/csv" aria-disabled={busy} className="visually-hidden"
          onChange={(event) => send(event.target.files[0])}
        />
      </label>
      <p className="field-hint">{hint}</p>
    </div>
  );
}
