// Sends the forms of the answer page without leaving it, and shows the page that the server answers with. A press is
// kept until the server has answered, over a lost connection, a reload and a tab that is closed: a post that is sent
// again counts once. Once the page has said that it is kept, a later press takes its place, in another tab too.
// Where a browser lacks anything of this, it sends the forms by itself.
(function () {
  var LATE_MS = 2500, RETRY_MS = 4000, LONGEST_RETRY_MS = 30000, TIMEOUT_MS = 10000, KEPT_MS = 3600000, LOOK_MS = 20000;
  var DRESS_MS = 3000; // on a first visit, the typefaces would take the line and the processor from the answer
  var DOUBLE_PRESS_MS = 350, REACH_PX = 24; // phones take two taps within 300 ms for a double one
  var path = location.pathname, linkSlot = "answer:" + path;
  var root = document.documentElement;
  var pending = null, timers = [], shown = "", pressed = { at: 0, x: 0, y: 0 };

  function answer() { return document.querySelector(".answer"); }
  function step() { return answer().dataset.step; }
  function token() { return new URLSearchParams(window.answerLink).get("token") || ""; }
  // Whose link it is: the token itself does not outlive the tab.
  var owner = path + ":" + token().slice(0, 8), pressKey = "said:" + owner, typedSlot = "typed:" + owner;
  function store(slot, text) {
    try {
      if (text) sessionStorage.setItem(slot, text);
      else sessionStorage.removeItem(slot);
    } catch (closed) {}
  }
  function storePress(text) {
    try {
      if (text) localStorage.setItem(pressKey, text);
      else localStorage.removeItem(pressKey);
      return !localStorage.isForgetful;
    } catch (closed) { return false; }
  }
  function readPress() { try { return JSON.parse(localStorage.getItem(pressKey)); } catch (closed) { return null; } }
  function readTyped() { try { return JSON.parse(sessionStorage.getItem(typedSlot)); } catch (closed) { return null; } }

  // The page waits for no sheet: that of the typefaces is for print until now.
  function askTypefaces() { document.getElementById("typefaces").media = "all"; }

  function dress() {
    askTypefaces();
    root.classList.remove("plain");
    try { localStorage.setItem("fonts", "1"); } catch (closed) {}
  }

  // What can be found again after the page has been replaced.
  function place(node) {
    if (!node || !answer().contains(node)) return null;
    if (node.id) return "#" + node.id;
    return node.name ? "[name='" + node.name + "'][value='" + node.value + "']" : node.matches("summary") && "summary";
  }

  function show(next, isMove) {
    var before = step(), focused = place(document.activeElement), details = answer().querySelector(".answer-about[open]");
    answer().replaceWith(document.adoptNode(next));
    shown = next.innerHTML;
    retype();
    if (details && next.querySelector(".answer-about")) next.querySelector(".answer-about").open = true;
    root.classList.add("opened");
    next.classList.toggle("answer-moved", isMove);
    workStepper();
    var wrong = isMove && next.querySelector("[aria-invalid=true]");
    if (isMove && before !== step()) {
      window.scrollTo(0, 0);
      focused = null;
    }
    var target = wrong || (focused && next.querySelector(focused)) || (isMove && (next.querySelector("#question") || next.querySelector("h1")));
    if (target) target.focus();
    if (isMove) holdUnderPress();
  }

  // The second press of a double press must not answer the question that has just arrived.
  function holdUnderPress() {
    var left = Math.min(DOUBLE_PRESS_MS, pressed.at + DOUBLE_PRESS_MS - Date.now());
    if (left > 0) answer().querySelectorAll("a, button, input, summary").forEach(function (control) {
      var box = control.getBoundingClientRect();
      if (pressed.x > box.left - REACH_PX && pressed.x < box.right + REACH_PX && pressed.y > box.top - REACH_PX && pressed.y < box.bottom + REACH_PX) {
        control.style.setProperty("animation", "answer-settle " + left + "ms", "important");
      }
    });
  }

  function mark() {
    answer().toggleAttribute("data-pending", Boolean(pending));
    answer().setAttribute("aria-busy", String(Boolean(pending)));
    answer().querySelectorAll("[data-pressed]").forEach(function (button) { button.removeAttribute("data-pressed"); });
    var last = pending && (pending.next || pending), button = last && last.place && answer().querySelector(last.place);
    if (button) button.setAttribute("data-pressed", "");
  }

  function tellLate() {
    answer().setAttribute("data-kept", "");
    var status = answer().querySelector(".answer-late");
    if (!status || status.firstChild) return;
    var told = document.createElement("p");
    told.className = "answer-kept";
    told.textContent = pending.isKept === false ? status.dataset.open : status.dataset.late;
    status.appendChild(told);
    told.scrollIntoView({ block: "nearest" });
  }

  function ask(press) {
    var stop = new AbortController(), limit = setTimeout(function () { stop.abort(); }, TIMEOUT_MS);
    var options = { method: press.body ? "POST" : "GET", cache: "no-store", signal: stop.signal, headers: { "X-Answer": "page" } };
    if (press.body) {
      // How long ago it was pressed: what was answered since, from elsewhere, counts.
      var age = Math.floor((Date.now() - press.at) / 1000);
      options.body = press.body + (age > 0 ? "&age=" + age : "");
      options.headers["Content-Type"] = "application/x-www-form-urlencoded";
    }
    return fetch(press.url, options).then(function (response) {
      return response.text().then(function (html) {
        var next = new DOMParser().parseFromString(html, "text/html").querySelector(".answer");
        if (!next) throw new Error("not the page");
        return { next: next, status: Number(response.headers.get("X-Status") || response.status) };
      });
    }).finally(function () { clearTimeout(limit); });
  }

  function finish(outcome) {
    timers.forEach(clearTimeout);
    var press = pending, wrong = outcome.next.querySelector(".answer-unread");
    pending = null;
    if (press.body) release(press);
    if (press.body && outcome.next.dataset.step !== step()) store(typedSlot, "");
    if (outcome.status >= 500 && wrong && !press.resumes) {
      // The page could not be read either: the question stays, with what went wrong.
      var told = document.createElement("p"), alert = answer().querySelector("[role=alert]");
      told.className = "answer-problem";
      told.textContent = wrong.textContent;
      if (alert) alert.replaceChildren(told);
      answer().querySelector(".answer-late").replaceChildren();
      answer().removeAttribute("data-kept");
    } else {
      show(outcome.next, !press.resumes);
      if (!press.resumes && token()) {
        window.answerLink = "?" + new URLSearchParams({ token: token(), step: step() });
        [linkSlot, window.answerSlot].forEach(function (slot) { store(slot, window.answerLink); });
      }
    }
    root.classList.remove("resuming");
    mark();
    if (press.resumes) sendKept();
  }

  function keep(press) {
    if (!press.body) return;
    var body = press.body.replace(/(^|&)token=[^&]*/, "");
    press.isKept = storePress(JSON.stringify({ url: press.url, body: body, at: press.at, place: press.place }));
  }

  // What nobody opened a link for within the hour, such as the names of guests, does not stay.
  function forgetOld() {
    try {
      Object.keys(localStorage).forEach(function (slot) {
        if (slot.indexOf("said:") === 0 && Date.now() - JSON.parse(localStorage.getItem(slot)).at > KEPT_MS) localStorage.removeItem(slot);
      });
    } catch (closed) {}
  }

  function release(press) {
    var kept = readPress();
    if (!kept || kept.at <= press.at) storePress("");
  }

  // Whether another tab has sent the press, or one that was made later, which then counts.
  function isOvertaken(press) {
    var kept = press.isKept && readPress();
    return press.isKept && !(kept && kept.at <= press.at);
  }

  // What is typed outlives a reload, and a look at another step.
  function controls() { return answer().querySelectorAll("form[method=post] input:not([type=hidden]), form[method=post] select"); }
  function defaults() { return Array.prototype.map.call(controls(), function (control) { return control.defaultValue || ""; }).join(); }
  function keepTyped(event) {
    if (!event.target.closest(".answer")) return;
    var values = Array.prototype.map.call(controls(), function (control) { return control.value; });
    store(typedSlot, JSON.stringify({ step: step(), values: values, before: defaults() }));
  }
  function retype() {
    var typed = readTyped(), fields = controls();
    if (!typed || typed.step !== step() || typed.values.length !== fields.length || typed.before !== defaults()) return;
    if (answer().querySelector("[aria-invalid=true]")) return;
    fields.forEach(function (control, at) {
      control.value = typed.values[at];
      if (control.value && control.closest("details")) control.closest("details").open = true;
    });
  }

  function send(press) {
    var wait = RETRY_MS;
    timers.forEach(clearTimeout);
    pending = press;
    if (!press.resumes) keep(press);
    mark();
    timers = [setTimeout(tellLate, navigator.onLine ? LATE_MS : 0)];
    (function attempt() {
      clearTimeout(timers[1]);
      if (press.again && isOvertaken(press)) return send({ url: path + window.answerLink, resumes: true });
      press.again = null;
      ask(press).then(function (outcome) {
        if (pending !== press) return;
        if (!press.next) return finish(outcome);
        press.next.at = Date.now(); // it was made before this one was recorded, and counts after it
        send(press.next);
      }, function () {
        if (pending !== press) return;
        if (press.next) return send(press.next);
        press.again = attempt;
        timers[1] = setTimeout(attempt, wait);
        wait = Math.min(LONGEST_RETRY_MS, wait * 2);
      });
    })();
  }

  // A press that was kept before a reload, unless it is old, or the button of the mail that was pressed since differs.
  function sendKept() {
    var press = readPress(), chosen = new URLSearchParams(window.answerLink).get("answer");
    if (!press || pending) return;
    var said = { oui: "false", non: "true" }[chosen];
    if (Date.now() - press.at > KEPT_MS || (said && new URLSearchParams(press.body).get("will_attend") === said)) return storePress("");
    press.body += "&" + new URLSearchParams({ token: token() });
    send(press);
  }

  function onSubmit(event) {
    var form = event.target, button = event.submitter;
    if (!form.closest(".answer")) return;
    event.preventDefault();
    if (pending && !answer().hasAttribute("data-kept")) return;
    var fields = new URLSearchParams(new FormData(form));
    if (button && button.name) fields.append(button.name, button.value);
    var url = form.getAttribute("action"), press = { at: Date.now(), place: place(button) };
    if (form.method === "get") press.url = url + "?" + fields;
    else Object.assign(press, { url: url, body: String(fields) });
    if (pending && pending.body && !press.body) release(pending.next || pending); // who looks at another step answers there
    if (!pending || pending.again) return send(press);
    pending.next = press; // one at a time, so that the later one counts
    keep(press);
    mark();
  }

  function workStepper() {
    var field = document.getElementById("guest_count");
    if (!field) return;
    var most = Number(field.max), buttons = answer().querySelectorAll("[data-by]");
    function count() { return parseInt(field.value, 10) || 0; }
    function within(number) { return Math.min(most, Math.max(0, number)); }
    function look() {
      buttons.forEach(function (button) {
        var next = within(count()) + Number(button.dataset.by);
        button.setAttribute("aria-disabled", String(count() <= most && (next < 0 || next > most)));
      });
    }
    buttons.forEach(function (button) {
      button.addEventListener("click", function () {
        field.value = count() > most ? most : within(within(count()) + Number(button.dataset.by));
        keepTyped({ target: field });
        look();
      });
    });
    field.addEventListener("input", look);
    field.addEventListener("focus", function () { field.select(); });
    look();
  }

  // What changes while one looks: places, the time to answer, the event itself. What is being typed stays.
  function lookAgain() {
    if (pending || document.hidden || !token() || answer().querySelector(".answer-problem, .answer-unread, .answer-note-refused")) return;
    var at = step();
    ask({ url: path + window.answerLink }).then(function (outcome) {
      if (pending || step() !== at || outcome.status !== 200 || outcome.next.innerHTML === shown) return;
      if ((at !== "guests" && at !== "names") || outcome.next.dataset.step !== at) return show(outcome.next, false);
      answer().querySelector(".answer-event").replaceWith(outcome.next.querySelector(".answer-event"));
    }, function () {});
  }

  if (!root.classList.contains("plain")) askTypefaces();
  if (!root.classList.contains("resuming")) retype();
  addEventListener("load", function () { setTimeout(dress, root.classList.contains("plain") ? DRESS_MS : 0); });
  workStepper();
  window.isAlive = true; // as on the pages of the interface
  if (!window.SubmitEvent || !("submitter" in SubmitEvent.prototype) || !window.AbortController) {
    if (root.classList.contains("resuming")) location.replace(path + window.answerLink);
    return;
  }
  shown = answer().innerHTML;
  document.addEventListener("click", function (event) { pressed = { at: Date.now(), x: event.clientX, y: event.clientY }; }, true);
  document.addEventListener("submit", onSubmit);
  ["input", "change"].forEach(function (kind) { document.addEventListener(kind, keepTyped); });
  addEventListener("online", function () { if (pending && pending.again) pending.again(); });
  setInterval(lookAgain, LOOK_MS);
  forgetOld();
  if (root.classList.contains("resuming")) send({ url: path + window.answerLink, resumes: true });
  else sendKept();
})();
