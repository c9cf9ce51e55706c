// In a tab nobody looks at nothing is painted, so nothing is waited for. A form of ours that is sent before the
// interface has come alive is held until it has: nothing typed is lost, nothing typed ends in the address.
(function () {
  function start() {
    ["1em Figtree", "600 1em Fraunces"].forEach(function (font) { document.fonts.load(font); });
    document.querySelectorAll("link[rel=later]").forEach(function (link) { link.rel = "modulepreload"; });
    var script = document.createElement("script");
    script.type = "module";
    script.text = document.getElementById("boot").text;
    document.body.appendChild(script).remove();
  }
  function alive(node) {
    return Object.keys(node).some(function (key) { return key.startsWith("__reactProps"); });
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
  document.addEventListener("submit", function (event) {
    var form = event.target;
    if (form.hasAttribute("method") || alive(form)) return;
    event.preventDefault();
    if (form.isHeld) return;
    form.isHeld = true;
    (function again() { if (alive(form)) form.requestSubmit(); else setTimeout(again, 50); })();
  }, true);
  var paint = document.getElementById("first-paint");
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
