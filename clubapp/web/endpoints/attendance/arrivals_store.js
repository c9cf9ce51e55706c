// What this browser keeps for when there is no network: the list of each event, and the presses that were not sent yet.
// A browser without IndexedDB keeps neither beyond the life of the page.
const LIST_KEPT_MS = 2 * 86400000, TOUCH_KEPT_MS = 7 * 86400000;
const root = document.querySelector(".accueil"), texts = root.dataset, base = texts.base;

const database = new Promise((resolve) => {
  try {
    const opening = indexedDB.open("accueil", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("lists", { keyPath: "base" });
      opening.result.createObjectStore("touches", { keyPath: "id" });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(null);
  } catch (closed) {
    resolve(null);
  }
});

// The result of one request, once it is on the disk.
async function keep(table, mode, act) {
  const opened = await database;
  if (!opened) return undefined;
  return new Promise((resolve) => {
    const change = opened.transaction(table, mode, { durability: "strict" });
    const asked = act(change.objectStore(table));
    change.oncomplete = () => resolve(asked && asked.result);
    change.onerror = change.onabort = () => resolve(undefined);
  });
}

const kept = {
  readList: () => keep("lists", "readonly", (table) => table.get(base)),
  keepList: (list) => keep("lists", "readwrite", (table) => table.put({ base, at: Date.now(), list })),
  keepTouch: (touch) => keep("touches", "readwrite", (table) => table.put(touch)),
  dropTouches: (touches) => keep("touches", "readwrite", (table) => touches.forEach((touch) => table.delete(touch.id))),
  readTouches: async () => {
    const all = (await keep("touches", "readonly", (table) => table.getAll())) || [];
    return all.filter((touch) => touch.base === base).sort((one, other) => one.at - other.at);
  },
  forgetList: async (of) => {
    await keep("lists", "readwrite", (table) => table.delete(of));
    if (self.caches) await caches.delete(`accueil:${of}`);
  },
};

// Other events that are over leave this browser.
async function forgetOld() {
  const now = Date.now();
  const lists = (await keep("lists", "readonly", (table) => table.getAll())) || [];
  for (const one of lists) if (one.base !== base && one.at < now - LIST_KEPT_MS) await kept.forgetList(one.base);
  const touches = (await keep("touches", "readonly", (table) => table.getAll())) || [];
  await kept.dropTouches(touches.filter((touch) => touch.at < now - TOUCH_KEPT_MS));
}

// The time of this device as it was when the page was opened. A clock that is set right while the page is seen is known
// by the one that only counts on, and moves no press that is kept. That one rests while a phone sleeps, unseen.
const JUMP_MS = 1000;
let ahead = 0, apart = Date.now() - performance.now();
function readClock(mayHaveSlept = document.hidden) {
  const jump = Date.now() - performance.now() - apart;
  if (Math.abs(jump) > JUMP_MS) {
    apart += jump;
    if (jump < 0 || !mayHaveSlept) ahead += jump;
  }
  return Date.now() - ahead;
}

function makeId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
