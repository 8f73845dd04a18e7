// One search over everything on the page: launches, kernels, phases, cores, rows of tables and headings.
const gdsimSearch = (() => {
  "use strict";
  const MOST_SHOWN = 12;

  /// Opens what an element is folded into, and scrolls to it.
  const reveal = (element) => {
    for (let box = element.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    element.scrollIntoView({block: "center"});
    element.classList.add("hit");
    setTimeout(() => element.classList.remove("hit"), 2000);
  };

  const textOf = (element) => (element?.textContent ?? "").trim();

  /// What is on the page besides launches.
  const entriesOfPage = (page) => {
    const entries = [];
    for (const mark of document.querySelectorAll(".marks > span"))
      entries.push({
        kind: "phase",
        text: mark.title,
        go: () => page.zoom(page.timeOf(Number(mark.dataset.from)), page.timeOf(Number(mark.dataset.to))),
      });
    for (const heading of document.querySelectorAll("main h2, main h3, main figcaption, main summary"))
      entries.push({kind: "heading", text: textOf(heading), go: () => reveal(heading)});
    // A row for each launch says no more than its lane.
    for (const row of document.querySelectorAll("main :not(#launch-rows) > .wide tbody tr"))
      entries.push({
        kind: textOf(row.closest("table").caption).slice(0, 40),
        text: textOf(row.cells[0]),
        also: [...row.cells].slice(1, 4).map(textOf).join(" "),
        go: () => reveal(row),
      });
    for (let number = 0; number < page.cores; ++number) {
      const figure = document.getElementById(`core-${number}`) ?? document.getElementById("heat");
      entries.push({kind: "core", text: page.coreName(number), go: () => figure && reveal(figure)});
    }
    return entries;
  };

  const attach = (page, parent, lanes) => {
    const label = page.make("label", parent, {textContent: "Search ", className: "search"});
    const input = page.make("input", label, {
      type: "search",
      id: "search",
      placeholder: "launch, kernel, phase, core …",
      autocomplete: "off",
      spellcheck: false,
    });
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-controls", "found");
    const said = page.make("span", label, {id: "search-said", className: "note"});
    said.setAttribute("role", "status");
    const list = page.make("ul", label, {id: "found", hidden: true});
    list.setAttribute("role", "listbox");
    let found = [],
      active = -1,
      known = null;

    const close = () => {
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      active = -1;
    };
    const choose = (entry) => {
      close();
      entry.go();
      page.announce(`${entry.kind}: ${entry.text}`);
    };
    const mark = (at) => {
      active = at;
      [...list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === active)));
      list.children[active]?.scrollIntoView({block: "nearest"});
    };
    const fill = (matches) => {
      found = matches.slice(0, MOST_SHOWN);
      list.replaceChildren(
        ...found.map((entry) => {
          const item = document.createElement("li");
          item.setAttribute("role", "option");
          page.make("small", item, {textContent: entry.kind});
          page.make("bdi", item, {textContent: entry.text});
          item.onmousedown = (event) => {
            event.preventDefault();
            choose(entry);
          };
          return item;
        }),
      );
      list.hidden = found.length === 0;
      input.setAttribute("aria-expanded", String(found.length > 0));
      mark(-1);
    };
    const look = () => {
      const wanted = input.value.trim().toLowerCase();
      const launches = lanes?.match(wanted) ?? 0;
      if (wanted === "") {
        said.textContent = "";
        fill([]);
        return;
      }
      known ??= [...(lanes?.entries() ?? []), ...entriesOfPage(page)];
      const matches = known.filter(({text, also}) => `${text} ${also ?? ""}`.toLowerCase().includes(wanted));
      said.textContent = `${launches} launches, ${matches.length} places`;
      fill(matches);
    };
    input.addEventListener("input", look);
    input.addEventListener("blur", close);
    input.addEventListener("keydown", (event) => {
      const keys = {
        ArrowDown: () => mark(Math.min(active + 1, found.length - 1)),
        ArrowUp: () => mark(Math.max(active - 1, -1)),
        Escape: () => {
          input.value = "";
          look();
          close();
        },
        Enter: () => {
          if (active >= 0) choose(found[active]);
          else if (!lanes?.nextMatch(event.shiftKey ? -1 : 1) && found.length > 0) choose(found[0]);
        },
      };
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    return {focus: () => input.focus()};
  };

  return {attach};
})();
