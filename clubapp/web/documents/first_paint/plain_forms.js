// A plain form whose server cannot be reached would end at the browser's own page of an error, and what was typed with
// it: the server is asked first, and the sentence of `data-unsent` is shown when it does not answer.
(function () {
  var LONGEST_MS = 10000, UNREACHED = [502, 504]; // what a proxy says of a server that is gone
  function tell(form, text) {
    var told = form.querySelector(".unsent");
    if (told) told.remove();
    if (!text) return;
    told = document.createElement("p");
    told.className = "field-error unsent";
    told.setAttribute("role", "alert");
    told.textContent = text;
    form.appendChild(told);
    told.scrollIntoView({ block: "nearest" });
  }
  window.sendForm = function (form) {
    if (!form.dataset.unsent || !window.fetch) return form.submit();
    if (form.isAsked) return;
    form.isAsked = true;
    tell(form);
    var limit = setTimeout(function () { finish(false); }, LONGEST_MS);
    function finish(isReached) {
      if (!form.isAsked) return;
      form.isAsked = false;
      clearTimeout(limit);
      if (isReached) form.submit();
      else tell(form, form.dataset.unsent);
    }
    fetch("/health", { cache: "no-store" }).then(function (answer) {
      finish(UNREACHED.indexOf(answer.status) < 0);
    }, function () { finish(false); });
  };
  document.addEventListener("submit", function (event) {
    if (event.defaultPrevented || !event.target.dataset.unsent) return;
    event.preventDefault();
    window.sendForm(event.target);
  });
})();
