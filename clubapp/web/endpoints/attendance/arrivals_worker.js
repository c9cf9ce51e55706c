// Opens the page of one event's arrivals where there is no network; all else goes its usual way.
const SLOW_MS = 800;
const cacheName = `accueil:${base}`, files = ["/fonts/fraunces-600.woff2", "/fonts/figtree.woff2", "/favicon.svg"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(cacheName).then((cache) => Promise.all([base, ...files].map((path) => keepFile(cache, path)))));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event, address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate" && address.pathname === base && !address.search) event.respondWith(openPage(event));
  else if (files.includes(address.pathname)) event.respondWith(caches.match(address.pathname).then((file) => file || fetch(request)));
});

async function keepFile(cache, path) {
  const response = await fetch(path);
  if (response.ok && !response.redirected) await cache.put(path, response);
}

// The page from the network, or the one that is kept where the network is away or slow. A refusal removes it.
async function openPage(event) {
  const cache = await caches.open(cacheName), page = await cache.match(base);
  const fresh = fetch(event.request).then(async (response) => {
    if (response.ok) await cache.put(base, response.clone());
    else if (response.status >= 400 && response.status < 500) await cache.delete(base);
    return response;
  });
  event.waitUntil(fresh.catch(() => {}));
  if (!page) return fresh;
  return Promise.race([fresh.catch(() => page), new Promise((resolve) => setTimeout(resolve, SLOW_MS, page))]);
}
