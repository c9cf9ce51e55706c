// The list at the door: what is pressed is shown at once, kept, and sent when there is a network.
const STAYS_MS = 10000, QUIET_MS = 4000, DOUBLE_MS = 400, SCREENFUL = 12;
const element = (id) => document.getElementById(id);
const list = element("rows"), rows = new Map(), guestsOf = new Map(), pressed = new Map();
const clock = new Intl.DateTimeFormat("fr-FR", { hour: "2-digit", minute: "2-digit", timeZone: texts.zone });
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const many = (name, n) => fill(n > 1 ? texts[`${name}Many`] : texts[name], { n });
let queue = [], filter = "expected", hits = null, isClosed = "closed" in texts, isOnline = true, isAsked = false, lastMove = 0;

// Rows. What the server says of a person is in the row; what was pressed here and not sent yet comes on top of it.

function readRow(node) {
  const given = node.dataset;
  return {
    id: given.personId, name: node.querySelector(".name").textContent, company: given.company, host: given.host, what: given.what,
    is_guest: "guest" in given, is_unannounced: "unannounced" in given, is_expected: "expected" in given, is_other: "other" in given,
    arrived: Number(given.arrived), touched: Number(given.touched),
  };
}

function addRow(row, node) {
  row.node = node;
  row.button = node.querySelector(".press");
  row.line = node.querySelector(".what");
  rows.set(row.id, row);
  if (row.host) guestsOf.set(row.host, [...(guestsOf.get(row.host) || []), row]);
}

function makeRow(row) {
  const node = element("blank").content.firstElementChild.cloneNode(true);
  Object.assign(node.dataset, { personId: row.id, host: row.host, company: row.company });
  node.classList.toggle("guest", row.is_guest && Boolean(row.host));
  node.querySelector(".face").textContent = row.initials;
  node.querySelector(".face").className = `face ground-${row.ground}`;
  if (row.picture) node.querySelector(".face").append(Object.assign(new Image(44, 44), { src: row.picture, alt: "" }));
  node.querySelector(".name").id = `nom-${row.id}`;
  node.querySelector(".press").setAttribute("aria-describedby", `nom-${row.id}`);
  node.querySelector(".name").textContent = row.name;
  node.hidden = true;
  addRow(row, node);
  return node;
}

// The row of a guest whom nobody announced, as long as only this device knows them.
function nameGuest(id, name, company) {
  const initials = splitWords(name).slice(0, 2).map((word) => word[0].toUpperCase()).join("");
  return {
    id, name, company, initials, ground: 7, picture: "", host: "", what: [texts.guest, company].filter(Boolean).join(", "),
    is_guest: true, is_unannounced: true, is_expected: false, is_other: true, arrived: 0, touched: 0,
  };
}

function indexRow(row) {
  const host = rows.get(row.host);
  row.words = splitWords(`${row.name} ${row.company} ${host ? host.name : ""}`);
}

// When the person arrived, as this device knows it; 0 when they did not.
function arrivalOf(row) {
  return (pressed.get(row.id) || []).reduce((at, touch) => (touch.kind === "arrived" ? at || touch.at : 0), row.arrived);
}

function isShown(row, at) {
  if (hits) return hits.has(row);
  if (row.stays) return true;
  if (filter === "arrived") return at > 0;
  if (filter === "others") return row.is_other && !at;
  return (row.is_expected && !at) || (guestsOf.get(row.id) || []).some((guest) => rows.get(guest.id) === guest && (guest.stays || (guest.is_expected && !arrivalOf(guest))));
}

function drawRow(row) {
  const at = arrivalOf(row), waits = at && (pressed.get(row.id) || []).some((touch) => touch.isLate || !isOnline);
  const time = at ? clock.format(at) : "";
  const what = !at ? row.what : waits ? fill(texts.rowQueued, { hour: time }) : time;
  const label = at ? texts.undo : texts.arrive;
  write(row.line, what);
  write(row.button, label);
  row.node.classList.toggle("done", at > 0);
  const host = rows.get(row.host);
  row.node.classList.toggle("alone", Boolean(host) && !isShown(host, arrivalOf(host)));
  const hide = !isShown(row, at);
  if (row.node.hidden !== hide) row.node.hidden = hide;
}

// A text that stands there is not written again: the page would be laid out anew.
function write(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

function drawPerson(row) {
  drawRow(row);
  if (rows.has(row.host)) drawRow(rows.get(row.host));
  guestsOf.get(row.id)?.forEach(drawRow);
}

// What is seen first is drawn first: to lay out 300 rows takes a slow phone longer than a letter of the search may.
let drawing = 0;
function drawAll() {
  const hidden = [];
  rows.forEach((row) => (row.node.hidden && isShown(row, arrivalOf(row)) ? hidden.push(row) : drawRow(row)));
  clearTimeout(drawing);
  drawSome(hidden);
  drawCounts();
}

function drawSome(hidden) {
  hidden.splice(0, SCREENFUL).forEach(drawRow);
  if (hidden.length) drawing = setTimeout(drawSome, 0, hidden);
}

function drawCounts() {
  let arrived = 0, expected = 0, others = 0, shown = 0;
  rows.forEach((row) => {
    const at = arrivalOf(row);
    if (at) arrived += 1;
    if (at || row.is_expected) expected += 1;
    if (row.is_other && !at) others += 1;
    if (!row.node.hidden) shown += 1;
  });
  const figures = { expected: expected - arrived, arrived, others };
  write(document.querySelector("[data-stat=total_arrived]"), arrived);
  write(element("expected"), expected);
  write(element("left"), expected - arrived);
  drawWords(arrived, expected - arrived);
  Object.assign(element("progress"), { max: Math.max(1, expected), value: arrived });
  document.querySelectorAll("[data-filter]").forEach((chip) => write(chip.querySelector("span"), figures[chip.dataset.filter]));
  const nobody = element("nobody"), why = nobody.firstElementChild;
  nobody.hidden = shown > 0;
  if (element("others-hint")) element("others-hint").hidden = Boolean(hits) || filter !== "others";
  const reason = hits ? "search" : filter === "expected" && !expected ? "nobody" : filter;
  write(why, (isClosed && why.dataset[`${reason}Closed`]) || why.dataset[reason]);
}

// Once the doors are closed nobody is expected any more: they came, or are absent.
function drawWords(arrived, left) {
  const here = isClosed ? "came" : "here", missing = isClosed ? "absent" : "left";
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  write(element("arrived-word"), many(here, arrived));
  write(element("left-word"), many(missing, left));
  write(element("here-chip"), capital(texts[`${here}Many`]));
  write(element("left-chip"), capital(texts[`${missing}Many`]));
  if (!element("closing-open")) return;
  element("closing-open").hidden = isClosed;
  element("closing-done").hidden = !isClosed;
}

// What the thumb waits for is seen first: the figures above take a slow phone another layout.
function afterFrame(act) {
  requestAnimationFrame(() => setTimeout(act));
}

function say(text) {
  element("said").textContent = text;
}

// Presses

function remember(touch) {
  queue.push(touch);
  pressed.set(touch.person, [...(pressed.get(touch.person) || []), touch]);
}

function forget(touches) {
  const gone = new Set(touches.map((touch) => touch.id));
  queue = queue.filter((touch) => !gone.has(touch.id));
  touches.forEach((touch) => pressed.delete(touch.person));
  queue.forEach((touch) => pressed.set(touch.person, queue.filter((other) => other.person === touch.person)));
}

async function press(row) {
  const at = arrivalOf(row), before = (pressed.get(row.id) || []).at(-1);
  const touch = { id: makeId(), base, person: row.id, kind: at ? "undone" : "arrived" };
  touch.at = Math.max(readClock(), row.touched + 1, before ? before.at + 1 : 0);
  if (row.is_unannounced) Object.assign(touch, { name: row.name, company: row.company });
  remember(touch);
  row.stays = Date.now();
  drawPerson(row);
  afterFrame(() => {
    drawCounts();
    drawConnection();
    say(fill(at ? texts.saidUndone : texts.saidArrived, row));
  });
  await kept.keepTouch(touch);
  clearTimeout(timer);
  timer = setTimeout(sync, SOON_MS);
  if (!isAsked && navigator.storage && navigator.storage.persist) navigator.storage.persist();
  isAsked = true;
}

list.addEventListener("click", (event) => {
  const button = event.target.closest(".press"), row = button && rows.get(button.closest(".row").dataset.personId);
  if (row && !(Math.abs(Date.now() - row.stays) < DOUBLE_MS)) press(row); // pressed twice at once is pressed once
});

// Who arrived stays in sight until nobody is about to press beside them.
function settle() {
  const now = Date.now();
  readClock();
  if (now - lastMove < QUIET_MS) return;
  const settled = [...rows.values()].filter((row) => row.stays && now - row.stays > STAYS_MS && !row.node.contains(document.activeElement));
  settled.forEach((row) => { row.stays = 0; });
  settled.forEach(drawPerson);
  if (settled.length) drawCounts();
}

// What takes the focus is scrolled clear of the search above and the buttons below, whose heights vary (A7).
const edges = [".tools", ".foot"].map((name) => document.querySelector(name));
const room = new ResizeObserver(() => {
  const isSticky = (edge) => getComputedStyle(edge).position === "sticky";
  const [above, below] = edges.map((edge) => `${isSticky(edge) ? edge.offsetHeight + 8 : 8}px`);
  document.documentElement.style.scrollPadding = `${above} 0 ${below}`;
});
edges.forEach((edge) => room.observe(edge));

// Choosing whom to see

function leaveStays() {
  rows.forEach((row) => { row.stays = 0; });
}

document.querySelectorAll("[data-filter]").forEach((chip) => chip.addEventListener("click", () => {
  filter = chip.dataset.filter;
  element("search").value = "";
  hits = null;
  leaveStays();
  drawChips();
  drawAll();
}));

function drawChips() {
  document.querySelectorAll("[data-filter]").forEach((chip) => {
    chip.setAttribute("aria-pressed", String(!hits && chip.dataset.filter === filter));
  });
}

element("search").addEventListener("input", (event) => {
  const wanted = splitWords(event.target.value);
  leaveStays();
  hits = wanted.length ? findRows([...rows.values()], wanted) : null;
  drawChips();
  drawAll();
  if (hits) say(many("found", hits.size));
});
element("search").addEventListener("focus", (event) => event.target.select());
["pointerdown", "keydown", "scroll"].forEach((kind) => addEventListener(kind, () => { lastMove = Date.now(); }, { passive: true }));

element("refused-close").addEventListener("click", () => { element("refused").firstElementChild.hidden = true; });

// A photograph that does not come leaves the initials.
document.addEventListener("error", ({ target }) => target.matches(".face img") && target.remove(), true);

// Somebody unannounced

const form = element("new-form");
let addedAt = 0; // the second touch of a double press falls on what lies below the form
function toggleForm(isOpen) {
  form.hidden = !isOpen;
  element("new-open").hidden = isOpen;
  element("new-problem").textContent = "";
  if (isOpen) {
    element("new-name").value = hits && !hits.size ? element("search").value.trim() : "";
    element("new-name").focus();
  } else {
    form.reset();
    element("new-open").focus();
  }
}
element("new-open").addEventListener("click", () => toggleForm(true));
element("new-close").addEventListener("click", () => toggleForm(false));
form.addEventListener("keydown", (event) => { if (event.key === "Escape") toggleForm(false); });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = form.elements.name.value.trim(), problem = element("new-problem");
  problem.textContent = name ? "" : problem.dataset.missing;
  form.elements.name.toggleAttribute("aria-invalid", !name);
  if (!name) return form.elements.name.focus();
  const row = nameGuest(makeId(), name, form.elements.company.value.trim());
  list.prepend(makeRow(row));
  indexRow(row);
  if (hits) {
    element("search").value = "";
    hits = null;
    drawChips();
    drawAll();
  }
  press(row);
  addedAt = Date.now();
  toggleForm(false);
  scrollTo({ top: 0 });
});
