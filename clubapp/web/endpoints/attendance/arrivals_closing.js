// The end of the arrivals: asked once, with the numbers that the server counts. Administrators only.
const closing = element("closing");

function tellClosed() {
  closing.close();
  isClosed = true;
  drawCounts();
  element("closing-done").focus();
}

async function workClosing(act) {
  element("closing-said").textContent = "";
  element("closing-yes").hidden = true;
  try {
    const found = await act();
    if (found.is_closed) tellClosed();
    element("closing-text").textContent = found.sentence;
    element("closing-said").textContent = found.refusal;
    for (const part of ["closing-yes", "closing-then"]) element(part).hidden = Boolean(found.refusal);
  } catch (error) {
    element("closing-then").hidden = true;
    element("closing-said").textContent = error.isRefusal ? error.message : texts.closingNeedsNetwork;
  }
}

if (closing) {
  element("closing-open").addEventListener("click", () => {
    if (Date.now() - addedAt < DOUBLE_MS) return;
    element("closing-text").textContent = "";
    closing.showModal();
    workClosing(() => ask("/fermeture"));
  });
  element("closing-yes").addEventListener("click", () => workClosing(() => send("/fermeture", {})));
  element("closing-no").addEventListener("click", () => closing.close());
}
