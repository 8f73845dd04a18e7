// Shows the case that the address names, as in `#case=NAME`: takes its part of the page out of its template before the
// script of the run begins, and leaves the first in one. Another case is another page: it is loaded anew.
(() => {
  "use strict";
  const shown = document.getElementById("case");
  if (!shown) return;
  const templates = [...document.querySelectorAll("template[data-case]")];
  const nameOf = (hash) => new URLSearchParams(hash.replace(/^#/, "")).get("case");
  const chosen = templates.find((template) => template.dataset.case === nameOf(location.hash));
  const first = shown.dataset.case;
  if (chosen) {
    const kept = document.createElement("template");
    kept.dataset.case = first;
    kept.content.append(...shown.childNodes);
    shown.after(kept);
    shown.dataset.case = chosen.dataset.case;
    shown.append(chosen.content);
    chosen.remove();
  }
  for (const link of document.querySelectorAll("#cases a"))
    if (nameOf(new URL(link.href).hash) === shown.dataset.case) link.setAttribute("aria-current", "page");
  // Of what would help, a run that is too long for the page is not on it.
  const names = new Set([first, ...templates.map((template) => template.dataset.case)]);
  const isMissing = (link) => !names.has(nameOf(new URL(link.href).hash));
  for (const link of document.querySelectorAll("#help a"))
    if (isMissing(link)) link.replaceWith("Its run is not included: the page would be too large.");
  for (const link of document.querySelectorAll("a.to-case"))
    if (isMissing(link)) link.replaceWith(...link.childNodes);
  addEventListener("hashchange", () => {
    const name = nameOf(location.hash) ?? first;
    const isKnown = name === first || templates.some((template) => template.dataset.case === name);
    if (isKnown && name !== shown.dataset.case) location.reload();
  });
})();
