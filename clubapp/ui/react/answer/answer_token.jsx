import { createElement as h, useEffect, useRef, useState } from "react";

const path = () => location.pathname.replace(/\/+$/, "");
const slot = () => `answer:${path()}`;

function keep(query) {
  window.answerLink = query;
  try {
    sessionStorage.setItem(slot(), query);
  } catch {
    // Storage is closed to us: the link lives as long as this document.
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

/** The token and the answer chosen in the mail; taken out of the address if the document's own script did not. */
function link() {
  const address = new URLSearchParams(location.search);
  if (address.has("token")) {
    keep(location.search);
    history.replaceState(history.state, "", location.pathname);
  }
  const query = new URLSearchParams(kept());
  return { token: query.get("token") ?? "", answer: query.get("answer") ?? "" };
}

/** Whose link the page was opened with. */
export const tokenOfLink = () => link().token;

function forgetAnswer() {
  const { token } = link();
  if (token) keep(`?${new URLSearchParams({ token })}`);
}

/**
 * Hands the link over once, and again whenever the page does not know it any more (server restarted), and follows the steps:
 * the question that appears takes the focus, and the answer chosen in the mail is spent.
 */
export function AnswerToken({ known, step, question, onToken }) {
  const hand = useRef(onToken);
  const handed = useRef(false);
  const last = useRef("");
  useEffect(() => { hand.current = onToken; });

  useEffect(() => {
    if (known && handed.current) return;
    handed.current = true;
    const { token, answer } = link();
    hand.current?.(token, answer);
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

/** The event's calendar file; its address is made here, so that no page of ours carries the token. */
export function CalendarFile({ children, ...rest }) {
  const [href, setHref] = useState(undefined);
  useEffect(() => setHref(`${path()}/calendar.ics?${new URLSearchParams({ token: tokenOfLink() })}`), []);
  return h("a", { ...rest, href, rel: "noreferrer" }, children);
}
