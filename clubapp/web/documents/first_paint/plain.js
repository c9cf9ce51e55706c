// What this browser has not fetched before is not waited for: the stand-ins of the typefaces are shown until the
// interface has taken over. Were they changed sooner, the same text would be painted large twice.
// A half-browser that keeps nothing, such as one within a mail program, keeps it for as long as the page stands.
["localStorage", "sessionStorage"].forEach(function (name) {
  try { if (window[name]) return window[name].length; } catch (closed) {}
  var kept = {};
  Object.defineProperty(window, name, { value: {
    getItem: function (key) { return Object.prototype.hasOwnProperty.call(kept, key) ? kept[key] : null; },
    setItem: function (key, value) { kept[key] = String(value); },
    removeItem: function (key) { delete kept[key]; },
    clear: function () { kept = {}; },
    isForgetful: true,
    key: function (at) { return Object.keys(kept)[at] || null; },
    get length() { return Object.keys(kept).length; }
  } });
});
try {
  if (!localStorage.getItem("fonts")) document.documentElement.classList.add("plain");
} catch (error) {}
