// Figures fold to their captions, as tracks of a profiler do; and the keys that work anywhere on the page.
const gdsimTracks = (() => {
  "use strict";

  const attach = (page, redraw) => {
    for (const caption of document.querySelectorAll("main figure > figcaption")) {
      const figure = caption.parentElement;
      if (figure.closest(".lanes, #beside, #dispatch, .study")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "track";
      button.setAttribute("aria-label", `Fold ${caption.textContent}`);
      const write = () => {
        const isOpen = !figure.classList.contains("folded");
        button.textContent = isOpen ? "▾" : "▸";
        button.setAttribute("aria-expanded", String(isOpen));
      };
      button.onclick = () => {
        figure.classList.toggle("folded");
        write();
        redraw();
      };
      write();
      caption.prepend(button);
    }
    // What was folded could not be drawn.
    document.addEventListener("toggle", redraw, true);
  };

  return {attach};
})();

const gdsimKeys = (() => {
  "use strict";
  const LIST = [
    [["W", "S"], "zoom in and out around the pointer; Ctrl and the wheel do, too"],
    [["A", "D"], "move to the left and to the right; Shift and the wheel, or Shift and a drag, do, too"],
    [["+", "-", "0"], "zoom in, zoom out, show the whole run"],
    [["M", "F", "Esc"], "select the time of the selected launch, or what is seen; zoom to the selection; clear it"],
    [["n", "p"], "next change, previous change"],
    [["/"], "search everything"],
    [["Tab"], "move to the overview, the lanes, the work-groups, the phases and the table rows"],
    [["←", "→"], "in the overview: move the visible range; elsewhere: previous or next launch or work-group"],
    [["↑", "↓"], "previous or next lane or core"],
    [["Enter"], "zoom to the selected launch or work-group"],
  ];

  const attach = (page, parent, actions) => {
    const help = page.make("details", parent, {className: "keys"});
    page.make("summary", help, {textContent: "Keys"});
    const list = page.make("dl", help);
    for (const [names, what] of LIST) {
      const term = page.make("dt", list);
      for (const name of names) {
        page.make("kbd", term, {textContent: name});
        term.append(" ");
      }
      page.make("dd", list, {textContent: what});
    }
    const keys = {
      w: actions.in, "+": actions.in, "=": actions.in, s: actions.out, "-": actions.out, a: actions.left,
      d: actions.right, 0: actions.whole, n: actions.next, p: actions.previous, "/": actions.search, m: actions.mark,
      f: actions.fit, Escape: actions.clear,
    };
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented && event.key !== "Escape") return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest?.("input, select, textarea")) return;
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  };

  return {attach};
})();
