import { createElement as h, useEffect, useRef, useState } from "react";

const path = () => location.pathname.replace(/\/+$/, "");
const slot = () => `answer:${path()}`;

function keep(query) {
  window.answerLink = query;
  try {
    sessionStorage.setItem(slot(), query);
  } catch {
    // Storage is forbidden: the link is lost when the document is left.
  }
}

function kept() {
  if (window.answerLink) return window.answerLink;
  try {
    return sessionStorage.getItem(slot()) ?? "";
  } catch {
    return "";
  }
}

/** The token and the answer chosen in the mail; removed from the address if the document's own script did not. */
function link() {
  const address = new URLSearchParams(location.search);
  if (address.has("token")) {
    keep(location.search);
    history.replaceState(history.state, "", location.pathname);
  }
  const query = new URLSearchParams(kept());
  return { token: query.get("token") ?? "", answer: query.get("answer") ?? "" };
}

/** The token of the link that opened the page. */
export const tokenOfLink = () => link().token;

function forgetAnswer() {
  const { token } = link();
  if (token) keep(`?${new URLSearchParams({ token })}`);
}

// Made anew with each document: what the server last showed in this tab may be of another link.
const visit = Math.random().toString(36).slice(2);

/** Shows its children once the server has read the link of this document (`opened` is its visit), else `waiting`. */
export function AnswerGate({ opened, waiting, children }) {
  return opened === visit ? children : waiting;
}

/**
 * Passes the link to the server once, and again whenever the page no longer knows it (server restarted). When `step`
 * changes, the new question takes the focus; after the first question the answer chosen in the mail is forgotten.
 */
export function AnswerToken({ opened, step: shown, question, onToken }) {
  const known = opened === visit && shown !== "";
  const step = known ? shown : "";
  const send = useRef(onToken);
  const isSent = useRef(false);
  const last = useRef("");
  useEffect(() => { send.current = onToken; });

  useEffect(() => {
    if (known && isSent.current) return;
    isSent.current = true;
    const { token, answer } = link();
    send.current?.(token, answer, visit);
  }, [known]);

  useEffect(() => {
    const before = last.current;
    if (step) last.current = step;
    if (!before || !step || before === step) return;
    if (before === "attendance") forgetAnswer();
    window.scrollTo(0, 0);
    document.getElementById(question)?.focus();
  }, [step, question]);

  return null;
}

/** The event's calendar file; its address is made here, so that no page contains the token. */
export function CalendarFile({ children, ...rest }) {
  const [href, setHref] = useState(undefined);
  useEffect(() => setHref(`${path()}/calendar.ics?${new URLSearchParams({ token: tokenOfLink() })}`), []);
  return h("a", { ...rest, href, rel: "noreferrer" }, children);
}
