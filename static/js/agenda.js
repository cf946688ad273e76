// Stars. Without this script they are links to a small page that does the same.
//
// The server's agenda is the truth. This browser keeps a copy of it, so that stars are pressed at
// once on pages that are the same for everybody, and an outbox of what the server has not heard
// yet: {session id: {wanted, slug, at}}. Sending is idempotent, so sending twice does no harm.
(function () {
  "use strict";

  const conference = document.documentElement.dataset.conference;
  const link = document.querySelector("[data-agenda-link]");
  if (!conference || !link || !window.fetch) return;

  const base = "/" + conference + "/agenda/";
  const COPY = "agenda:" + conference;
  const OUTBOX = "agenda-outbox:" + conference;
  const words = link.dataset;
  const PATIENCE = 10000; // for one answer, in milliseconds
  const FRESH_FOR = 30000; // a page looked at again asks again after this time
  const FIRST_RETRY = 15000;
  const LAST_RETRY = 300000;

  // --- what this browser keeps ---

  const memory = {};
  const unstored = new Set();

  function read(key, otherwise) {
    let text = memory[key];
    try {
      if (!unstored.has(key)) text = localStorage.getItem(key);
    } catch {
      // Storage may be forbidden: this page's memory has to do.
    }
    try {
      return text ? JSON.parse(text) : otherwise;
    } catch {
      return otherwise;
    }
  }

  function write(key, value) {
    memory[key] = JSON.stringify(value);
    try {
      localStorage.setItem(key, memory[key]);
      unstored.delete(key);
    } catch {
      unstored.add(key); // storage is full: what it still holds is older than this
    }
  }

  function copy() {
    const picks = read(COPY, []);
    return Array.isArray(picks) ? picks : [];
  }

  function outbox() {
    const entries = read(OUTBOX, {});
    return entries && typeof entries === "object" ? entries : {};
  }

  function current() {
    const picked = new Set(copy());
    for (const [id, entry] of Object.entries(outbox())) {
      if (entry.wanted) picked.add(Number(id));
      else picked.delete(Number(id));
    }
    return picked;
  }

  // --- what the page shows ---

  function press() {
    const picked = current();
    document.querySelectorAll("[data-star]").forEach(function (star) {
      const isPicked = picked.has(Number(star.dataset.star));
      star.setAttribute("role", "button");
      star.setAttribute("aria-pressed", String(isPicked));
      const label = star.querySelector("[data-star-label]");
      if (label) label.textContent = isPicked ? label.dataset.on : label.dataset.off;
    });
    document.querySelectorAll("[data-agenda-count]").forEach(function (count) {
      count.textContent = picked.size ? "(" + picked.size + ")" : "";
    });
  }

  let announcing = 0;

  function announce(text) {
    const region = document.getElementById("status");
    if (!region || !text) return;
    window.clearTimeout(announcing);
    region.textContent = "";
    announcing = window.setTimeout(function () {
      region.textContent = text;
    }, 150);
  }

  function showUnsent(text) {
    document.documentElement.classList.add("is-unsent");
    announce(text);
  }

  function showSent() {
    if (!document.documentElement.classList.contains("is-unsent")) return;
    document.documentElement.classList.remove("is-unsent");
    announce(words.sent);
  }

  // --- the agenda's own page shows what the server knew; another state needs another page ---

  function refreshPage(picks) {
    const page = document.querySelector("[data-agenda-page]");
    if (!page) return undefined;
    const signature = picks.slice().sort((a, b) => a - b).join(" ");
    try {
      if (page.dataset.picked === signature) return sessionStorage.removeItem("agenda-shown");
      if (sessionStorage.getItem("agenda-shown") === signature) return undefined;
      sessionStorage.setItem("agenda-shown", signature);
    } catch {
      return undefined; // without a note of it, reloading might never end
    }
    return window.location.reload();
  }

  function forgetDeleted() {
    if (!document.querySelector("[data-agenda-deleted]")) return;
    write(COPY, []);
    write(OUTBOX, {});
    window.history.replaceState(null, "", base);
  }

  // --- talking to the server ---

  async function ask(path, options) {
    const control = new AbortController();
    const timer = window.setTimeout(() => control.abort(), PATIENCE);
    try {
      return await fetch(path, {
        credentials: "same-origin",
        cache: "no-store",
        signal: control.signal,
        ...options,
        headers: { Accept: "application/json", ...(options && options.headers) },
      });
    } finally {
      window.clearTimeout(timer);
    }
  }

  let token = "";

  async function freshToken() {
    const response = await ask(base + "token/");
    if (!response.ok) throw new Error("no token");
    token = (await response.json()).token;
  }

  async function post(path) {
    if (!token) await freshToken();
    const send = () =>
      ask(path, { method: "POST", keepalive: true, headers: { "X-CSRFToken": token } });
    const response = await send();
    if (response.status !== 403) return response;
    await freshToken(); // another tab may have been given a newer one
    return send();
  }

  function isRefused(response) {
    // The session is gone, or the request can never be right: asking again would not help.
    return [400, 404, 405, 410, 413].includes(response.status);
  }

  // Who is refused with a token just given sends no cookies back; asking again would not help.
  function reasonToWait(response) {
    if (response.status === 403) return words.cookies;
    return response.status === 429 ? words.busy : "";
  }

  class Later extends Error {
    constructor(seconds, text) {
      super("later");
      this.seconds = seconds;
      this.text = text;
    }
  }

  // Send what is in the outbox, one after the other; return the server's picks, or null if there
  // was nothing to send.
  async function flush() {
    let picks = null;
    let wasRefused = false;
    for (;;) {
      const [id, entry] = Object.entries(outbox())[0] || [];
      if (!entry) {
        if (wasRefused) announce(words.refused);
        return picks;
      }
      const path = base + (entry.wanted ? "add/" : "remove/") + encodeURIComponent(entry.slug) + "/";
      const response = await post(path);
      if (response.ok) {
        picks = (await response.json()).picks;
        write(COPY, picks);
      } else if (isRefused(response)) {
        wasRefused = true;
      } else {
        const seconds = Number(response.headers.get("Retry-After")) || 0;
        throw new Later(seconds, reasonToWait(response));
      }
      const entries = outbox(); // the visitor may have pressed again meanwhile
      if (entries[id] && entries[id].at === entry.at) delete entries[id];
      write(OUTBOX, entries);
    }
  }

  async function fetchPicks() {
    const response = await ask(base + "picks/");
    if (!response.ok) throw new Error("no picks");
    const picks = (await response.json()).picks;
    write(COPY, picks);
    return picks;
  }

  // --- one exchange at a time, in all tabs together where the browser can ---

  function alone(work) {
    if (navigator.locks) return navigator.locks.request("agenda:" + conference, work);
    return work();
  }

  let queue = Promise.resolve();
  let syncedAt = 0;
  let retryTimer = 0;
  let retryAfter = FIRST_RETRY;

  function sync() {
    queue = queue.then(() => alone(exchange)).catch(failed);
    return queue;
  }

  async function exchange() {
    const picks = (await flush()) || (await fetchPicks());
    syncedAt = Date.now();
    retryAfter = FIRST_RETRY;
    window.clearTimeout(retryTimer);
    press();
    showSent();
    refreshPage(picks);
  }

  function failed(error) {
    press();
    if (!Object.keys(outbox()).length) return;
    showUnsent((error && error.text) || (isStored() ? words.kept : words.unkept));
    window.clearTimeout(retryTimer);
    retryTimer = window.setTimeout(sync, Math.max(retryAfter, ((error && error.seconds) || 0) * 1000));
    retryAfter = Math.min(retryAfter * 2, LAST_RETRY);
  }

  function isStored() {
    try {
      return localStorage.getItem(OUTBOX) === memory[OUTBOX];
    } catch {
      return false;
    }
  }

  // --- the visitor ---

  function slugOf(star) {
    return new URL(star.href).pathname.split("/").filter(Boolean).pop();
  }

  function toggle(star) {
    const id = star.dataset.star;
    const wanted = !current().has(Number(id));
    const entries = outbox();
    entries[id] = { wanted: wanted, slug: slugOf(star), at: Date.now() };
    write(OUTBOX, entries);
    press();
    announce(wanted ? words.added : words.removed);
    sync();
  }

  let clicked = null;

  document.addEventListener("click", function (event) {
    const star = event.target.closest("[data-star]");
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!star || !isPlain || event.button !== 0) return;
    event.preventDefault();
    // The second click of a double click means the same as the first.
    if (event.detail > 1 && star === clicked) return;
    clicked = star;
    toggle(star);
  });

  // A link answers to Enter by itself; a button is expected to answer to the space bar too.
  document.addEventListener("keydown", function (event) {
    if (event.key !== " " || event.repeat || !event.target.matches("[data-star]")) return;
    event.preventDefault();
    toggle(event.target);
  });

  function look() {
    press();
    if (Date.now() - syncedAt > FRESH_FOR || Object.keys(outbox()).length) sync();
  }

  document.addEventListener("htmx:afterSettle", press);
  window.addEventListener("storage", function (event) {
    if (event.key === COPY || event.key === OUTBOX || event.key === null) press();
    // Another tab heard from the server what this page does not show.
    if (event.key === COPY) refreshPage(copy());
  });
  window.addEventListener("online", sync);
  window.addEventListener("pageshow", function (event) {
    if (!event.persisted) return;
    press();
    sync();
  });
  document.addEventListener("visibilitychange", function () {
    if (document.visibilityState === "visible") look();
  });

  forgetDeleted();
  look();
})();
