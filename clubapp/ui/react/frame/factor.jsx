import { createElement as h, useEffect, useRef, useState } from "react";
import { post } from "$/public/external/clubapp/ui/react/frame/session/session.jsx";

const VERIFIED = "MFA_CHALLENGE_VERIFIED";
const TABS = "club-session";
const UNSUPPORTED = "Ce navigateur ne connaît pas les clés d’accès. Choisissez un autre moyen.";
const CANCELLED = "Aucune clé d’accès n’a répondu. Recommencez, ou choisissez un autre moyen.";
const KNOWN = "Cet appareil a déjà une clé d’accès pour ce site.";
const WRONG_ADDRESS = "Les clés d’accès ne servent qu’à l’adresse publique du site.";

const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
const toBase64 = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const withIds = (list) => (list ?? []).map((one) => ({ ...one, id: fromBase64(one.id) }));

/** The other tabs of this browser leave the second step too. */
function announce(event) {
  if (!event || !("BroadcastChannel" in window)) return;
  const tabs = new BroadcastChannel(TABS);
  tabs.postMessage(event);
  tabs.close();
}

function described(error) {
  if (error?.name === "InvalidStateError") return KNOWN;
  return error?.name === "SecurityError" ? WRONG_ADDRESS : CANCELLED;
}

async function create(options) {
  const made = await navigator.credentials.create({ publicKey: {
    ...options,
    challenge: fromBase64(options.challenge),
    user: { ...options.user, id: fromBase64(options.user.id) },
    excludeCredentials: withIds(options.excludeCredentials),
  } });
  return written(made, {
    attestationObject: toBase64(made.response.attestationObject),
    transports: made.response.getTransports?.() ?? [],
  });
}

async function get(options) {
  const made = await navigator.credentials.get({ publicKey: {
    ...options,
    challenge: fromBase64(options.challenge),
    allowCredentials: withIds(options.allowCredentials),
  } });
  return written(made, {
    authenticatorData: toBase64(made.response.authenticatorData),
    signature: toBase64(made.response.signature),
    userHandle: made.response.userHandle ? toBase64(made.response.userHandle) : null,
  });
}

const written = (credential, response) => ({
  id: credential.id,
  rawId: toBase64(credential.rawId),
  type: credential.type,
  clientExtensionResults: credential.getClientExtensionResults(),
  authenticatorAttachment: credential.authenticatorAttachment ?? undefined,
  response: { clientDataJSON: toBase64(credential.response.clientDataJSON), ...response },
});

/** Answers the challenge of a factor with what `answer` makes of it; the server's answer, or `{ error }`. */
async function verify(factorId, answer) {
  const challenge = await post(`/factors/${factorId}/challenge`);
  if (!challenge.id) return challenge;
  return post(`/factors/${factorId}/verify`, { challenge_id: challenge.id, ...(await answer(challenge)) });
}

async function signChallenge({ webauthn }) {
  const act = webauthn.type === "create" ? create : get;
  return { webauthn: { type: webauthn.type, credential_response: await act(webauthn.credential_options.publicKey) } };
}

async function signIn() {
  const { challenge_id, options } = await post("/auth/passkey/options");
  return post("/auth/passkey", { challenge_id, credential_response: await get(options) });
}

/** With its name from the field `friendly_name` of the same form. */
async function enrol(form) {
  const friendly_name = form?.elements.friendly_name?.value ?? "";
  const made = await post("/factors", { factor_type: "webauthn", friendly_name });
  return made.id ? verify(made.id, signChallenge) : made;
}

/** Goes on after the server's `answer`: to `onAccept` with the recovery codes it brought, or to the person's own page. */
function goOn(answer, onAccept, onRefuse) {
  if (answer.event || answer.status === "ok") {
    announce(answer.event);
    if (onAccept) onAccept(answer.recovery_codes ?? []);
    else location.replace(answer.next);
    return true;
  }
  onRefuse?.(answer.error ?? answer.text ?? CANCELLED);
  return false;
}

/**
 * A form whose `code` answers the challenge of the factor `factorId`, or without one is a recovery code. A code that was
 * refused is selected, so that the next one replaces it.
 */
export function FactorForm({ factorId, onAccept, onRefuse, children, className }) {
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const field = event.currentTarget.elements.code;
    const code = field.value;
    const answer = factorId ? await verify(factorId, () => ({ code })) : await post("/factors/recovery-codes/verify", { code });
    setBusy(false);
    if (!goOn(answer, onAccept, onRefuse)) field.select();
  };
  return h("form", { className, onSubmit: submit, "aria-busy": busy }, children);
}

/** A button that signs in with a passkey, verifies the factor `factorId`, or adds one, by its `act`. */
export function PasskeyButton({ act, factorId, onAccept, onRefuse, children, className }) {
  const [busy, setBusy] = useState(false);
  const press = async (event) => {
    if (busy) return;
    const { form } = event.currentTarget;
    if (!window.PublicKeyCredential) {
      onRefuse?.(UNSUPPORTED);
      return;
    }
    setBusy(true);
    try {
      const acts = { sign_in: signIn, verify: () => verify(factorId, signChallenge), enrol: () => enrol(form) };
      goOn(await acts[act](), onAccept, onRefuse);
    } catch (error) {
      onRefuse?.(described(error));
    }
    setBusy(false);
  };
  return h("button", { type: "button", className, onClick: press, "aria-busy": busy, "aria-disabled": busy }, children);
}

/** Calls `onVerified` when a factor was verified in another tab. */
export function FactorWatch({ onVerified }) {
  const verified = useRef(onVerified);
  useEffect(() => { verified.current = onVerified; });
  useEffect(() => {
    if (!("BroadcastChannel" in window)) return undefined;
    const tabs = new BroadcastChannel(TABS);
    tabs.addEventListener("message", ({ data }) => data === VERIFIED && verified.current?.());
    return () => tabs.close();
  }, []);
  return null;
}
