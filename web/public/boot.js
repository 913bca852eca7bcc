// Sets theme and language before the first paint, so that nothing flashes. A file of its own: the page allows no inline script.
(function () {
  var root = document.documentElement;
  var theme = null;
  var lang = null;
  try {
    theme = localStorage.getItem("mercer.theme");
    lang = localStorage.getItem("mercer.lang");
  } catch {
    /* storage may be forbidden; the defaults stand */
  }
  if (theme !== "light" && theme !== "dark") {
    theme = window.matchMedia && matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  if (lang !== "zh" && lang !== "en") {
    lang = /^zh\b/i.test(navigator.language || "") ? "zh" : "en";
  }
  root.dataset.theme = theme;
  root.lang = lang === "zh" ? "zh-CN" : "en";
})();
