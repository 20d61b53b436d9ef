// A page that stands beside the documentation follows the switch for light and dark there, which the browser keeps; without it, the system.

(() => {
  let dark = null;
  try {
    // the switch of the site in whose folder this page is: the longest address that both begin with
    const [site] = Object.keys(localStorage).filter((key) => key.endsWith(".__palette") && location.pathname.startsWith(key.slice(0, -".__palette".length)))
      .sort((one, other) => other.length - one.length);
    const { scheme } = JSON.parse(localStorage.getItem(site)).color;
    if (scheme) dark = scheme === "slate";
  } catch { /* nothing is kept, or a browser does not say */ }
  if (dark === null) return;
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  for (const { media } of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
    if (media?.mediaText.includes("prefers-color-scheme: dark")) media.mediaText = dark ? "all" : "not all";
  }
})();
