// The token leaves the address before anything else runs (W6). A page that is loaded again asks with the link it kept;
// until that has come, what the server drew for an address without a token is not shown.
(function () {
  var path = location.pathname.replace(/\/+$/, ""), page = path.replace(/\/answer$/, ""), slot = "answer:" + page;
  var root = document.documentElement;
  root.classList.add("scripted");
  if (path === page && !/[?&]step=/.test(location.search)) root.classList.add("opened");
  window.answerLink = /[?&]token=/.test(location.search) ? location.search : "";
  try {
    if (window.answerLink) sessionStorage.setItem(slot, window.answerLink);
    else window.answerLink = sessionStorage.getItem(slot) || "";
  } catch (closed) {}
  if (!location.search && path === page && window.answerLink) root.classList.add("resuming");
  history.replaceState(null, "", page);
})();
