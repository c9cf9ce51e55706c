// A half-browser that keeps nothing, such as one within a mail program, keeps it for as long as the page stands.
(function () {
  function isThere(open) {
    try { return open().length >= 0; } catch (closed) { return false; }
  }
  function memory() {
    var kept = {};
    return { value: {
      getItem: function (key) { return Object.prototype.hasOwnProperty.call(kept, key) ? kept[key] : null; },
      setItem: function (key, value) { kept[key] = String(value); },
      removeItem: function (key) { delete kept[key]; },
      clear: function () { kept = {}; },
      isForgetful: true,
      key: function (at) { return Object.keys(kept)[at] || null; },
      get length() { return Object.keys(kept).length; }
    } };
  }
  if (!isThere(function () { return localStorage; })) Object.defineProperties(window, { localStorage: memory() });
  if (!isThere(function () { return sessionStorage; })) Object.defineProperties(window, { sessionStorage: memory() });
})();
