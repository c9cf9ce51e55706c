// In a tab nobody looks at nothing is painted, so nothing is waited for. A form of ours that is sent, and a button that
// is pressed, before the interface has come alive is held until it has: nothing typed is lost, nothing typed ends in
// the address. A form that can go without the interface goes when that has not come for a while.
(function () {
  function start() {
    ["1em Figtree", "600 1em Fraunces"].forEach(function (font) { document.fonts.load(font); });
    var script = document.createElement("script");
    script.type = "module";
    script.text = document.getElementById("boot").text;
    document.body.appendChild(script).remove();
  }
  function alive(node) {
    return window.isAlive && Object.keys(node).some(function (key) { return key.startsWith("__reactProps"); });
  }
  function dress() {
    document.documentElement.classList.remove("plain");
    try { localStorage.setItem("fonts", "1"); } catch (error) {}
  }
  function soon(act) { requestAnimationFrame(function () { setTimeout(act); }); }
  // Once something is on the glass; where the browser does not tell, a while after the frame that should show it.
  function painted(act) {
    var isDone = false;
    function once() { if (!isDone) { isDone = true; act(); } }
    try {
      new PerformanceObserver(function (seen) {
        if (seen.getEntriesByName("first-contentful-paint").length) once();
      }).observe({ type: "paint", buffered: true });
      setTimeout(once, 1000);
    } catch (error) { soon(once); }
  }
  function hold(event, node, act) {
    var since = Date.now();
    event.preventDefault();
    if (node.isHeld) return;
    node.isHeld = true;
    (function again() {
      if (!alive(node)) {
        if (!node.isConnected) return;
        var isSoon = performance.now() < 3000 || Date.now() - since < 500;
        if (!node.dataset.held || isSoon) return setTimeout(again, 50);
        node.isHeld = false;
        return window.sendForm ? window.sendForm(node) : node.submit();
      }
      node.isHeld = false;
      act();
    })();
  }
  var paint = document.getElementById("first-paint");
  document.addEventListener("submit", function (event) {
    var form = event.target;
    var isOurs = !form.hasAttribute("method") || form.method === "dialog" || form.dataset.held;
    if (isOurs && !alive(form)) hold(event, form, function () { form.requestSubmit(); });
  }, true);
  document.addEventListener("click", function (event) {
    var button = event.target.closest && event.target.closest("button[type=button]:not([popovertarget])");
    if (button && !alive(button) && !(paint && paint.contains(button))) hold(event, button, function () { button.click(); });
  }, true);
  // What Reflex says by itself, in English, when a newer site answers and loading the page again has not helped.
  new MutationObserver(function () {
    var notice = document.getElementById("reflex-new-version-banner");
    if (!notice || notice.lang) return;
    notice.lang = "fr";
    notice.firstChild.data = "Une nouvelle version du site est en ligne.";
    notice.querySelector("button").textContent = "Recharger la page";
  }).observe(document.body, { childList: true });
  if (!paint || document.hidden) start();
  else painted(start);
  if (!paint) return;
  new MutationObserver(function (_changes, watch) {
    if (paint.isConnected) return;
    watch.disconnect();
    soon(dress);
  }).observe(paint.parentNode, { childList: true });
  setTimeout(dress, 6000);
})();
