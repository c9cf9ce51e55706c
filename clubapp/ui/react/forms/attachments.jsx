import { useEffect, useRef, useState } from "react";

const FAILED = "Le fichier n’a pas pu être envoyé\u00a0: vérifiez votre connexion, puis réessayez.";
const TOO_HEAVY = "Fichier trop lourd\u00a0: 10 Mo au maximum pour tous les fichiers d’un e-mail.";
let serial = 0;

/** Sends a file; resolves to a refusal in French, empty when it was kept. `onProgress` gets 0 to 100. */
function send(address, file, onProgress, requests) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    requests.add(request);
    request.open("POST", `${address}?nom=${encodeURIComponent(file.name)}`);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onProgress((100 * event.loaded) / event.total);
    request.onloadend = () => {
      requests.delete(request);
      resolve(request.status === 201 ? "" : request.response?.error ?? FAILED);
    };
    request.send(file);
  });
}

/** The files that a mail carries, and those on their way. */
export function Attachments({ address, accept, files, most, most_bytes, kept_bytes, total, onStored, onRemove }) {
  const field = useRef(null);
  const requests = useRef(new Set());
  const last = useRef(Promise.resolve());
  const [sending, setSending] = useState([]);
  const [over, setOver] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => () => requests.current.forEach((request) => request.abort()), []);

  const change = (id, values) => setSending((all) => all.map((one) => (one.id === id ? { ...one, ...values } : one)));
  const drop = (id) => setSending((all) => all.filter((one) => one.id !== id));
  const add = (chosen) => {
    const under_way = sending.filter((one) => !one.error);
    let room = most - files.length - under_way.length;
    let bytes = most_bytes - kept_bytes - under_way.reduce((sum, one) => sum + one.file.size, 0);
    const added = [...chosen].map((file) => {
      let error = "";
      if (room < 1) error = `Un e-mail porte ${most} fichiers au maximum.`;
      else if (file.size > bytes) error = TOO_HEAVY;
      if (!error) {
        room -= 1;
        bytes -= file.size;
      }
      serial += 1;
      return { id: serial, file, error, progress: 0 };
    });
    setSending((all) => [...all.filter((one) => !one.error), ...added]);
    added.filter((one) => !one.error).forEach((one) => {
      last.current = last.current.then(async () => {
        const error = await send(address, one.file, (progress) => change(one.id, { progress }), requests.current);
        if (error) {
          change(one.id, { error });
          return;
        }
        setSaid(`${one.file.name} est joint.`);
        drop(one.id);
        onStored?.();
      });
    });
    if (field.current) field.current.value = "";
  };
  const onDrop = (event) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  const onDragOver = (event) => {
    event.preventDefault();
    setOver(true);
  };
  const remove = (file) => {
    field.current?.focus();
    setSaid(`${file.name} est retiré.`);
    onRemove(file.id);
  };
  return (
    <div
      className={`attachments${over ? " is-over" : ""}`} onDrop={onDrop} onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
    >
      <ul className="attachments-list">
        {files.map((file) => (
          <li key={file.id} className="attachment">
            <span className="attachment-name">{file.name}</span>
            <span className="attachment-size">{file.size}</span>
            <button type="button" className="attachment-remove" onClick={() => remove(file)}>
              <span aria-hidden="true">×</span><span className="visually-hidden">Retirer {file.name}</span>
            </button>
          </li>
        ))}
        {sending.map((one) => (
          <li key={one.id} className="attachment" data-refused={one.error ? "true" : undefined}>
            <span className="attachment-name">{one.file.name}</span>
            {one.error ? (
              <>
                <span className="attachment-error" role="alert">{one.error}</span>
                <button type="button" className="attachment-remove" onClick={() => drop(one.id)}>
                  <span aria-hidden="true">×</span>
                  <span className="visually-hidden">Oublier {one.file.name}</span>
                </button>
              </>
            ) : <progress value={one.progress} max="100" aria-label={`Envoi de ${one.file.name}`} />}
          </li>
        ))}
      </ul>
      <div className="attachments-add">
        <label className="button button-secondary">
          Joindre des fichiers
          <input
            ref={field} type="file" multiple accept={accept} className="visually-hidden"
            onChange={(event) => add(event.target.files)}
          />
        </label>
        <span className="attachments-total">{total || "ou déposez-les ici\u00a0: 10 fichiers et 10 Mo en tout"}</span>
      </div>
      <p className="visually-hidden" role="status">{said}</p>
    </div>
  );
}
