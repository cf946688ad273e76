// Puts the visitor's chosen theme on the root element before the first paint.
(function () {
  "use strict";
  document.documentElement.classList.add("has-script");
  try {
    var theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") {
      document.documentElement.dataset.theme = theme;
    }
  } catch (error) {
    // Storage may be forbidden; the device's own preference then decides.
  }
})();
