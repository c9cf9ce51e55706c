/** Opens, crops and uploads images in the browser. The message of every Error thrown here is shown to people. */

export const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PIXELS = 40_000_000;
const LONGEST_SIDE = 1600;
const QUALITY = 0.95;
const SVG = "image/svg+xml";
const TYPES = ["image/jpeg", "image/png", "image/webp"];

export const TEXTS = {
  heavy: "Image trop volumineuse (5MB maximum)",
  large: "Image trop grande\u00a0: 40 millions de pixels au maximum.",
  unreadable: "Cette image est illisible\u00a0: le fichier est peut-être incomplet ou endommagé.",
  nothing: "Veuillez sélectionner une zone à cropper",
  undefinedCrop: "Crop non défini",
  noContext: "Canvas context non disponible",
  noBlob: "Erreur création blob",
  unreachable: "Le site ne répond pas. Vérifiez votre connexion internet, puis réessayez.",
};

const KINDS = {
  avatars: { types: TYPES, formats: "JPG, PNG ou WebP" },
  logos: { types: [...TYPES, SVG], formats: "JPG, PNG, WebP ou SVG" },
};

export const kindOf = (bucket) => KINDS[bucket] ?? KINDS.avatars;

/**
 * The data address of an SVG, enlarged to 1600 pixels, which loses nothing. Its scripts never run. No `blob:` address,
 * because with a `foreignObject` in it Chromium would make the canvas unreadable.
 */
async function svgAddress(file) {
  const drawing = new DOMParser().parseFromString(await file.text(), SVG).documentElement;
  if (drawing.localName !== "svg") throw new Error(TEXTS.unreadable);
  const [, , boxWidth, boxHeight] = (drawing.getAttribute("viewBox") ?? "").trim().split(/[\s,]+/).map(Number);
  const [width, height] = [boxWidth || parseFloat(drawing.getAttribute("width")), boxHeight || parseFloat(drawing.getAttribute("height"))];
  if (!(width > 0 && height > 0)) throw new Error(TEXTS.unreadable);
  if (!drawing.hasAttribute("viewBox")) drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const scale = LONGEST_SIDE / Math.max(width, height);
  drawing.setAttribute("width", String(Math.max(1, Math.round(width * scale))));
  drawing.setAttribute("height", String(Math.max(1, Math.round(height * scale))));
  return `data:${SVG};charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
}

/** The address of a chosen image after checking type, weight and size. The caller revokes it. */
export async function open(file, bucket) {
  const { types, formats } = kindOf(bucket);
  if (!types.includes(file.type)) throw new Error(`Format non accepté\u00a0: choisissez une image ${formats}.`);
  if (file.size > MOST_BYTES) throw new Error(TEXTS.heavy);
  const address = file.type === SVG ? await svgAddress(file) : URL.createObjectURL(file);
  try {
    await checkSize(address);
  } catch (error) {
    URL.revokeObjectURL(address);
    throw error;
  }
  return address;
}

const checkSize = (address) => new Promise((resolve, reject) => {
  const image = new Image();
  image.onload = () => (image.naturalWidth * image.naturalHeight > MOST_PIXELS ? reject(new Error(TEXTS.large)) : resolve());
  image.onerror = () => reject(new Error(TEXTS.unreadable));
  image.src = address;
});

/** A crop in percent, converted to pixels of the file. */
export function pixels(image, crop) {
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  return {
    x: Math.round((crop.x * width) / 100), y: Math.round((crop.y * height) / 100),
    width: Math.round((crop.width * width) / 100), height: Math.round((crop.height * height) / 100),
  };
}

/** The crop as a JPEG: on white, upright, at most 1600 pixels, without metadata. */
export function cropped(image, crop) {
  const from = crop ? pixels(image, crop) : { width: 0, height: 0 };
  if (!from.width || !from.height) throw new Error(TEXTS.undefinedCrop);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(from.width, from.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(from.width * scale));
  canvas.height = Math.max(1, Math.round(from.height * scale));
  const drawing = canvas.getContext("2d");
  if (!drawing) throw new Error(TEXTS.noContext);
  drawing.fillStyle = "#ffffff";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.imageSmoothingQuality = "high";
  drawing.drawImage(image, from.x, from.y, from.width, from.height, 0, 0, canvas.width, canvas.height);
  return encoded(canvas);
}

const encoded = (canvas) => new Promise((resolve, reject) => {
  const failed = () => reject(new Error(TEXTS.noBlob));
  try {
    canvas.toBlob((blob) => (blob ? resolve(blob) : failed()), "image/jpeg", QUALITY);
  } catch {
    failed();
  }
});

/** Uploads an image; `done` resolves to its address, `stop` aborts. */
export function send(bucket, blob, onProgress) {
  const request = new XMLHttpRequest();
  const done = new Promise((resolve, reject) => {
    const unreachable = () => reject(new Error(TEXTS.unreachable));
    request.open("POST", `/images/${bucket}`);
    request.responseType = "json";
    request.timeout = 120_000;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => (request.response?.url ? resolve(request.response.url) : reject(new Error(request.response?.text ?? TEXTS.unreachable)));
    request.onerror = unreachable;
    request.ontimeout = unreachable;
    request.send(blob);
  });
  return { done, stop: () => request.abort() };
}
