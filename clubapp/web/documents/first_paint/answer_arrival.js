// The token leaves the address before anything else runs (W6). A page that is loaded again asks with the link it kept,
// one that the back button finds with its own; until that has come, what the server drew for an address without a token
// is not shown.
(function () {
  var path = location.pathname.replace(/\/+$/, ""), page = path.replace(/\/answer$/, ""), slot = "answer:" + page;
  var root = document.documentElement;
  root.classList.add("scripted");
  if (path === page && !/[?&]step=/.test(location.search)) root.classList.add("opened");
  window.answerLink = /[?&]token=/.test(location.search) ? location.search : "";
  // The entry of the history holds a number, and never the token.
  var opened = window.answerLink ? String(Date.now()) : (history.state && history.state.opened) || "";
  var isKept = false;
  window.answerSlot = slot + ":" + opened;
  try {
    window.answerLink = window.answerLink || sessionStorage.getItem(window.answerSlot) || sessionStorage.getItem(slot) || "";
    if (window.answerLink) [slot, window.answerSlot].forEach(function (one) { sessionStorage.setItem(one, window.answerLink); });
    isKept = !sessionStorage.isForgetful;
  } catch (closed) {}
  if (!location.search && path === page && window.answerLink) root.classList.add("resuming");
  // A browser that keeps nothing would lose the link with its address.
  history.replaceState({ opened: opened }, "", page + (isKept ? "" : window.answerLink));
})();
