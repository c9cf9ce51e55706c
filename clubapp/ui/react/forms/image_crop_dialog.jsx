import { useEffect, useRef, useState } from "react";
import { ReactCrop } from "react-image-crop";
import "react-image-crop/dist/ReactCrop.css";
import { Modal } from "$/public/external/clubapp/ui/react/overlays/modal/modal.jsx";
import { TEXTS, cropped, pixels, send } from "./image_crop.jsx";

const SHARE = 80;
const START = 10;
const HELP = "Déplacez le cadre, ou l’une de ses poignées.";
const KEYS =
  "Au clavier, les flèches déplacent de 1 pixel, avec Maj de 10, avec Ctrl ou Cmd de 100\u00a0; Tab mène du cadre à ses poignées.";
const handle = (place) => `Poignée ${place}\u00a0: les flèches redimensionnent le cadre`;
const LABELS = {
  cropArea: "Cadre de l’image\u00a0: les flèches le déplacent",
  nwDragHandle: handle("en haut à gauche"), nDragHandle: handle("en haut"), neDragHandle: handle("en haut à droite"),
  eDragHandle: handle("à droite"), seDragHandle: handle("en bas à droite"), sDragHandle: handle("en bas"),
  swDragHandle: handle("en bas à gauche"), wDragHandle: handle("à gauche"),
};

/**
 * A logo whole. The top of an upright photograph at its full width, because the head is in its upper third. Of any other
 * photograph 80 %, centred: a square of 80 % of its shorter side.
 */
function firstCrop({ naturalWidth, naturalHeight }, isCircle) {
  if (!isCircle) return { unit: "%", x: 0, y: 0, width: 100, height: 100 };
  if (naturalHeight > naturalWidth) return { unit: "%", x: 0, y: 0, width: 100, height: (naturalWidth / naturalHeight) * 100 };
  if (naturalWidth === naturalHeight) return { unit: "%", x: START, y: START, width: SHARE, height: SHARE };
  const side = (Math.min(naturalWidth, naturalHeight) * SHARE) / 100;
  const [width, height] = [(side / naturalWidth) * 100, (side / naturalHeight) * 100];
  return { unit: "%", x: (100 - width) / 2, y: (100 - height) / 2, width, height };
}

/** 'Ajuster votre image': crops, a circle for avatars, then uploads. `src` is the address of the chosen file. */
export default function CropDialog({ src, bucket, onDone, onRefuse, onClose }) {
  const isCircle = bucket === "avatars";
  const image = useRef(null);
  const sending = useRef(null);
  const pressed = useRef(false);
  const [crop, setCrop] = useState(null);
  const [error, setError] = useState("");
  const [progress, setProgress] = useState(null);
  const isBusy = progress !== null;
  useEffect(() => () => sending.current?.stop(), []);

  const begin = () => { setCrop(firstCrop(image.current, isCircle)); setError(""); };
  const refuse = (text) => { setError(text); onRefuse(text); };
  const confirm = async () => {
    if (pressed.current) return;
    if (!crop?.width || !crop?.height) return refuse(TEXTS.nothing);
    pressed.current = true;
    setError("");
    setProgress(0);
    try {
      const blob = await cropped(image.current, crop);
      sending.current = send(bucket, blob, setProgress);
      onDone(await sending.current.done);
    } catch (failure) {
      setProgress(null);
      pressed.current = false;
      refuse(failure.message);
    }
  };

  const size = crop && image.current ? pixels(image.current, crop) : null;
  const stage = (
    <div className="crop-stage">
      <ReactCrop
        crop={crop ?? undefined} onChange={(_, percent) => setCrop(percent)} aspect={isCircle ? 1 : undefined}
        circularCrop={isCircle} disabled={isBusy} ariaLabels={LABELS} className="crop-frame"
      >
        <img
          ref={image} src={src} alt="" className="crop-image" onLoad={begin}
          onError={() => refuse(TEXTS.unreadable)}
        />
      </ReactCrop>
    </div>
  );
  const percent = Math.round((progress ?? 0) * 100);
  const foot = isBusy
    ? (
      <div className="crop-progress">
        <progress className="progress" max={100} value={percent} aria-label="Envoi de l’image" />
        <p role="status">{percent < 100 ? `Envoi en cours… ${percent}\u00a0%` : "Enregistrement de l’image…"}</p>
      </div>
    )
    : (
      <p className="field-hint" role="status">
        {size?.width ? `Cadre de ${size.width} × ${size.height} pixels` : "Tracez un cadre sur l’image."}
      </p>
    );

  return (
    <Modal title="Ajuster votre image" description={HELP} open onClose={onClose} className="dialog crop-dialog">
      <p className="field-hint crop-keys">{KEYS}</p>
      {stage}
      {foot}
      {error ? <p role="alert" className="field-error">{error}</p> : null}
      <div className="dialog-actions">
        <button type="button" className="button button-quiet" aria-disabled={isBusy} onClick={begin}>
          Rétablir le cadre
        </button>
        <button type="button" className="button button-secondary" onClick={onClose}>Annuler</button>
        <button
          type="button" className="button button-primary" aria-busy={isBusy} aria-disabled={isBusy}
          onClick={confirm}
        >
          Valider
        </button>
      </div>
    </Modal>
  );
}
