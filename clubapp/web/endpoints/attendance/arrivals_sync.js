// Between this device and the server: the presses go, the list comes, each second while the page is seen.
// A press is sent once it has been drawn, with those made beside it.
const LOOK_MS = 1000, SOON_MS = 100, RETRY_MS = 3000, LATE_MS = 1500, TIMEOUT_MS = 8000, MOST_AT_ONCE = 100;
const REFUSED = [401, 403, 404, 409];
let etag = "", timer = 0, isBusy = false, isRefused = false;

async function ask(path, options) {
  const stop = new AbortController(), limit = setTimeout(() => stop.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(base + path, { cache: "no-store", signal: stop.signal, ...options });
    if (response.status === 304) return null;
    const body = await response.json();
    if (REFUSED.includes(response.status)) throw Object.assign(new Error(body.error), { isRefusal: true, status: response.status });
    if (!response.ok) throw new Error(body.error);
    etag = response.headers.get("ETag") || "";
    return body;
  } finally {
    clearTimeout(limit);
  }
}

function send(path, body) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

async function sync() {
  if (isBusy) return;
  isBusy = true;
  clearTimeout(timer);
  try {
    const isTold = queue.length > 0;
    while (queue.length) {
      const touches = queue.slice(0, MOST_AT_ONCE);
      const { refused, ...state } = await send("/touches", { sent_at: readClock(), touches });
      await kept.dropTouches(touches);
      const names = new Map(touches.map((touch) => [touch.person, rows.has(touch.person) ? rows.get(touch.person).name : touch.name]));
      forget(touches);
      apply(state);
      // What was not kept is not drawn as done any more.
      names.forEach((_, person) => rows.has(person) && drawPerson(rows.get(person)));
      if (refused) showRefused(refused, names);
    }
    const state = isTold ? null : await ask("/etat", { headers: etag ? { "If-None-Match": etag } : {} });
    if (state) apply(state);
    isOnline = true;
    refuse(null);
  } catch (error) {
    if (error.isRefusal) refuse(error);
    else isOnline = false;
  }
  isBusy = false;
  drawConnection();
  if (!isRefused && !(document.hidden && !queue.length)) timer = setTimeout(sync, queue.length && isOnline ? 0 : isOnline ? LOOK_MS : RETRY_MS);
}

// The list as the server has it. Rows are changed one by one, and nobody's row moves under a thumb.
function apply(state) {
  const known = new Set(state.rows.map((row) => row.id));
  rows.forEach((row) => {
    if (known.has(row.id) || pressed.has(row.id)) return;
    row.node.remove();
    rows.delete(row.id);
    if (hits) hits.delete(row);
  });
  isClosed = Boolean(state.is_closed);
  let place = list.firstElementChild;
  const changed = [];
  for (const given of state.rows) {
    const row = rows.get(given.id), node = row ? row.node : makeRow({ ...given });
    const mine = row || rows.get(given.id);
    const isNew = !row || ["name", "company", "what", "arrived", "is_expected", "is_other"].some((name) => row[name] !== given[name]);
    if (isNew) {
      if (row && row.arrived !== given.arrived && !node.hidden) row.stays = row.stays || Date.now();
      if (row && row.name !== given.name) node.querySelector(".name").textContent = given.name;
      changed.push(mine);
    }
    Object.assign(mine, given);
    if (place && node === place) place = place.nextElementSibling;
    else list.insertBefore(node, place);
  }
  changed.forEach(indexRow);
  changed.forEach(drawPerson);
  drawCounts();
  kept.keepList(state);
}

function drawConnection() {
  const now = readClock(), problem = element("problem").firstElementChild, offline = element("offline").firstElementChild;
  const count = queue.length ? fill(texts.queued, { n: queue.length }) : "";
  problem.hidden = !isRefused;
  write(element("problem-queue"), count);
  offline.hidden = isOnline || isRefused;
  document.documentElement.classList.toggle("is-offline", !offline.hidden);
  write(element("offline-why"), element("offline-why").dataset[navigator.onLine ? "unreached" : "offline"]);
  write(element("queued"), count || texts.kept);
  queue.forEach((touch) => { touch.isLate = isRefused || now - touch.at > LATE_MS; });
  new Set(queue.map((touch) => rows.get(touch.person))).forEach((row) => row && drawRow(row));
}

// What the server did not keep, and of whom. It stands until somebody has read it.
function showRefused(refused, names) {
  const by = new Map();
  refused.forEach(({ person, text }) => by.set(text, new Set([...(by.get(text) || []), names.get(person)])));
  element("refused-text").textContent = [...by].map(([text, who]) => fill(texts.refused, { names: [...who].join(", "), text })).join(" ");
  element("refused").firstElementChild.hidden = false;
  drawCounts();
}

// A refusal stands until the page is seen again: by then somebody may have signed in.
function refuse(error) {
  isRefused = Boolean(error);
  if (!error) return;
  element("problem-text").textContent = error.message;
  if (error.status !== 401 && !queue.length) kept.forgetList(base);
  if (element("sign-in")) element("sign-in").hidden = error.status !== 401;
}

async function start() {
  list.querySelectorAll(".row").forEach((node) => addRow(readRow(node), node));
  rows.forEach(indexRow);
  const stored = await kept.readList();
  (await kept.readTouches()).forEach((touch) => {
    if (!rows.has(touch.person) && touch.name) {
      list.prepend(makeRow(nameGuest(touch.person, touch.name, touch.company || "")));
      indexRow(rows.get(touch.person));
    }
    remember(touch);
  });
  if (stored && stored.at > Number(texts.at)) apply(stored.list);
  isOnline = navigator.onLine;
  drawAll();
  drawConnection();
  setInterval(settle, 1000);
  addEventListener("online", sync);
  addEventListener("offline", () => { isOnline = false; drawAll(); drawConnection(); });
  document.addEventListener("visibilitychange", () => {
    readClock(true);
    if (!document.hidden) sync();
  });
  await sync();
  forgetOld();
  if (navigator.serviceWorker) navigator.serviceWorker.register(`${base}/sw.js`, { scope: base, updateViaCache: "none" }).catch(() => {});
}
