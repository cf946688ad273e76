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

  function followAddress() {
    var filters = form();
    if (!filters) return;
    var query = new URLSearchParams(window.location.search);
    filters.querySelectorAll("input[type=checkbox]").forEach(function (box) {
      box.checked = query.getAll(box.name).indexOf(box.value) !== -1;
    });
    var text = filters.elements.namedItem("q");
    if (text && text !== document.activeElement) text.value = query.get("q") || "";
    var all = filters.elements.namedItem("all-days");
    if (all) all.disabled = query.get("day") !== "all";
  }

  var focusAfter = "";

  document.addEventListener("click", function (event) {
    var link = event.target.closest("[data-focus-after]");
    focusAfter = link ? link.dataset.focusAfter : "";
  });

  document.addEventListener("htmx:beforeRequest", function (event) {
    var results = document.getElementById("schedule-results");
    if (results && event.detail.target === results) results.setAttribute("aria-busy", "true");
  });

  document.addEventListener("htmx:afterSettle", function (event) {
    var results = document.getElementById("schedule-results");
    if (!results || !results.contains(event.target)) return;
    if (event.target !== results) return;
    followAddress();
    announce(results.dataset.announce);
    if (focusAfter) {
      var target = document.getElementById(focusAfter);
      if (target) target.focus();
      focusAfter = "";
    }
  });

  ["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach(function (name) {
    document.addEventListener(name, function () {
      var results = document.getElementById("schedule-results");
      if (results) results.removeAttribute("aria-busy");
      followAddress();
      announce(document.body.dataset.failure);
      document.documentElement.classList.add("has-failed");
    });
  });

  document.addEventListener("htmx:afterOnLoad", function () {
    document.documentElement.classList.remove("has-failed");
  });

  // A page from the back/forward cache may show boxes that belong to another address.
  window.addEventListener("pageshow", followAddress);

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
