// What pages do beyond links and forms: say what changed, keep focus and inputs in step with the
// address, switch the theme, copy addresses. Every page works without it.
(function () {
  "use strict";

  var ANNOUNCE_AFTER = 200;
  var announceTimer = 0;

  function status() {
    return document.getElementById("status");
  }

  function announce(text) {
    window.clearTimeout(announceTimer);
    var region = status();
    if (!region || !text) return;
    region.textContent = "";
    announceTimer = window.setTimeout(function () {
      region.textContent = text;
    }, ANNOUNCE_AFTER);
  }

  // --- the filter form follows the address ---

  function form() {
    return document.getElementById("filters");
  }

  function results() {
    return document.getElementById("schedule-results");
  }

  function asked(name) {
    return new URLSearchParams(window.location.search).getAll(name);
  }

  function followAddress() {
    var filters = form();
    if (!filters) return;
    filters.querySelectorAll("input[type=checkbox]").forEach(function (box) {
      box.checked = asked(box.name).indexOf(box.value) !== -1;
    });
    var text = filters.elements.namedItem("q");
    if (text !== document.activeElement) text.value = asked("q")[0] || "";
    carryAllDays(filters, asked("day").indexOf("all") !== -1);
  }

  // "All days" has no box: the form carries it along as the address has it.
  function carryAllDays(filters, wanted) {
    var carried = filters.querySelector("input[type=hidden][name=day]");
    if (carried && !wanted) carried.remove();
    if (carried || !wanted) return;
    carried = document.createElement("input");
    carried.type = "hidden";
    carried.name = "day";
    carried.value = "all";
    filters.prepend(carried);
  }

  // Where the days do not fit, the one that is shown is not left out of sight.
  function showDay() {
    var day = document.querySelector(".days [aria-current]");
    if (!day) return;
    var list = day.closest("ul");
    list.scrollLeft = day.offsetLeft - list.offsetLeft - (list.clientWidth - day.offsetWidth) / 2;
  }

  var focusAfter = "";

  document.addEventListener("click", function (event) {
    var link = event.target.closest("[data-focus-after]");
    focusAfter = link ? link.dataset.focusAfter : "";
  });

  document.addEventListener("htmx:beforeRequest", function (event) {
    var cause = event.detail.requestConfig.triggeringEvent;
    var field = cause && cause.type === "change" ? cause.target : null;
    // Leaving the search field reports a change that was answered while it was typed.
    if (field && field.name === "q" && field.value.trim() === (asked("q")[0] || "")) {
      event.preventDefault();
      return;
    }
    if (event.detail.target === results()) results().setAttribute("aria-busy", "true");
  });

  // One step back undoes one choice: not a letter, and not nothing.
  function withoutText(address) {
    var url = new URL(address, window.location.href);
    var hasText = Boolean(url.searchParams.get("q"));
    url.searchParams.delete("q");
    return { hasText: hasText, rest: url.pathname + url.search };
  }

  document.addEventListener("htmx:beforeHistoryUpdate", function (event) {
    var update = event.detail.history;
    var before = withoutText(window.location.href);
    var after = withoutText(update.path);
    var isSame = new URL(update.path, window.location.href).href === window.location.href;
    var isTyping = before.hasText && after.hasText && before.rest === after.rest;
    if (isSame || isTyping) update.type = "replace";
  });

  document.addEventListener("htmx:afterSettle", function (event) {
    if (!results() || event.target !== results()) return;
    followAddress();
    showDay();
    nextMoment = 0;
    markNow();
    showOwnTimes();
    announce(results().dataset.announce);
    if (focusAfter) {
      var target = document.getElementById(focusAfter);
      if (target) target.focus();
      focusAfter = "";
    }
  });

  ["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach(function (name) {
    document.addEventListener(name, function () {
      if (results()) results().removeAttribute("aria-busy");
      followAddress();
      announce(document.body.dataset.failure);
      document.documentElement.classList.add("has-failed");
    });
  });

  document.addEventListener("htmx:afterOnLoad", function (event) {
    if (event.detail.successful) document.documentElement.classList.remove("has-failed");
  });

  // --- what runs now, while the page stays open ---

  var EVERY = 20000;
  var nextMoment = 0; // nothing on this page begins or ends before

  function markNow() {
    var now = Date.now();
    if (now < nextMoment) return;
    nextMoment = Infinity;
    document.querySelectorAll(".card:not(.is-over)").forEach(function (card) {
      var times = card.querySelectorAll(".times time");
      var starts = Date.parse(times[0].dateTime);
      var ends = Date.parse(times[1].dateTime);
      var state = ends <= now ? "past" : starts <= now ? "now" : "";
      if (state !== "past") nextMoment = Math.min(nextMoment, state ? ends : starts);
      if (state && !card.classList.contains("is-" + state)) setState(card, state);
    });
  }

  function setState(card, state) {
    var mark = card.querySelector(".now-mark");
    card.classList.remove("is-now", "is-next", "is-later");
    card.classList.add("is-" + state);
    if (state === "now" && !mark) {
      mark = document.createElement("strong");
      mark.className = "now-mark";
      mark.textContent = document.body.dataset.now;
      card.querySelector(".when").prepend(mark, " ");
    } else if (mark && state !== "now") {
      mark.remove();
    }
  }

  window.setInterval(markNow, EVERY);

  // --- the visitor's own time, beside that of the conference ---

  function ownTime(time) {
    var moment = new Date(time.dateTime);
    var clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    var language = document.documentElement.lang;
    var pad = function (number) {
      return String(number).padStart(2, "0");
    };
    var day = [moment.getFullYear(), pad(moment.getMonth() + 1), pad(moment.getDate())].join("-");
    var text = moment.toLocaleTimeString(language, clock);
    if (day === time.dateTime.slice(0, 10)) return text;
    return moment.toLocaleDateString(language, { weekday: "short" }) + " " + text;
  }

  function isElsewhere(time) {
    var offset = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime);
    if (!offset) return false;
    var minutes = Number(offset[1] + "1") * (Number(offset[2]) * 60 + Number(offset[3]));
    return new Date(time.dateTime).getTimezoneOffset() !== -minutes;
  }

  function wantsOwnTimes() {
    try {
      return localStorage.getItem("own-times") === "yes";
    } catch (error) {
      return document.documentElement.classList.contains("has-own-times");
    }
  }

  function showOwnTimes() {
    var button = document.querySelector("[data-own-times]");
    var first = document.querySelector(".times time");
    if (!button || !first || !isElsewhere(first)) return;
    var wanted = wantsOwnTimes();
    button.hidden = false;
    button.setAttribute("aria-pressed", String(wanted));
    document.querySelectorAll(".own-time").forEach(function (shown) {
      shown.remove();
    });
    if (!wanted) return;
    document.querySelectorAll(".times").forEach(function (times) {
      var own = document.createElement("span");
      own.className = "own-time";
      own.textContent =
        Array.from(times.querySelectorAll("time"), ownTime).join("–") + " " + button.dataset.words;
      times.after(" ", own);
    });
  }

  document.addEventListener("click", function (event) {
    if (!event.target.closest("[data-own-times]")) return;
    var wanted = !wantsOwnTimes();
    document.documentElement.classList.toggle("has-own-times", wanted);
    try {
      localStorage.setItem("own-times", wanted ? "yes" : "no");
    } catch (error) {
      // Storage may be forbidden; the choice then lasts for this page.
    }
    showOwnTimes();
  });

  // A page from the back/forward cache may show boxes that belong to another address, and old marks.
  window.addEventListener("pageshow", function () {
    followAddress();
    showDay();
    markNow();
    showOwnTimes();
  });

  // --- theme ---

  function currentTheme() {
    var chosen = document.documentElement.dataset.theme;
    if (chosen) return chosen;
    return window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-theme-switch]");
    if (!button) return;
    var theme = currentTheme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch (error) {
      // Storage may be forbidden; the choice then lasts for this page.
    }
  });

  // --- back to the schedule as it was filtered; the server's page is the same for everybody ---

  (function () {
    var back = document.querySelector("[data-back]");
    if (!back || !document.referrer) return;
    var from = new URL(document.referrer);
    if (from.origin === window.location.origin && from.pathname === back.pathname) {
      back.search = from.search;
    }
  })();

  // --- copy buttons ---

  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-copy]");
    if (!button) return;
    var field = document.getElementById(button.dataset.copy);
    if (!field) return;
    field.select();
    if (!navigator.clipboard) return;
    navigator.clipboard.writeText(field.value).then(function () {
      announce(button.dataset.copied);
    });
  });
})();
