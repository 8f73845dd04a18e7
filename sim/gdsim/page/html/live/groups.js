// Work-groups at any number: how many each core holds over time, and single ones of one core.
const gdsimGroups = (() => {
  "use strict";
  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const ROW = 16,
    MOST_HIGH = 640,
    SHADES = 10;

  /// The single work-groups that the page lists, by core.
  const singlesOf = (page, source) => {
    const cores = [];
    let at = 0;
    source.cores.forEach((core, k) => {
      const groups = [];
      let start = 0;
      for (let i = 0; i < source.counts[k]; ++i, ++at) {
        start += source.start[at];
        const begin = page.start + start / 1000,
          hasEnded = source.duration[at] >= 0;
        groups.push({
          launch: source.launch[at],
          group: source.group[at],
          begin,
          hasEnded,
          finish: hasEnded ? begin + source.duration[at] / 1000 : page.end,
        });
      }
      const packed = gdsimPacking.rowsFor(groups);
      groups.forEach((group, i) => {
        group.row = packed.rows[i];
      });
      cores.push({core, groups, rows: Math.max(packed.count, 1), longest: Math.max(0, ...durationsOf(groups))});
    });
    return cores;
  };
  const durationsOf = (groups) => groups.map(({begin, finish}) => finish - begin);

  const attach = (page) => {
    const source = page.data.groups;
    const section = document.getElementById("groups-section");
    if (!source || !section) return null;
    const {words} = page;
    const cores = singlesOf(page, source);
    const listed = cores.reduce((sum, {groups}) => sum + groups.length, 0);
    const rows = source.density.length;
    const isDrawnAlready = document.getElementById("groups") !== null;
    const before = [...section.children].find((child) => child.querySelector(".wide")) ?? null;
    document.getElementById("groups-missing")?.remove();
    const nameOf = (row) =>
      source.per_row === 1
        ? `${words.core} ${row}`
        : `${words.core}s ${row * source.per_row} to ${Math.min((row + 1) * source.per_row, page.cores) - 1}`;

    // ---- The map.
    const map = isDrawnAlready
      ? null
      : gdsimCanvas.makeFigure(page, {
          id: "group-map",
          caption: `${words.work_group}s that each ${words.core} holds`.replace(/^./, (c) => c.toUpperCase()),
          parent: section,
          before,
          label:
            `How many ${words.work_group}s each ${words.core} holds over time. Up and down go from ` +
            `${words.core} to ${words.core}, Enter shows its single ${words.work_group}s.`,
        });
    let picked = 0;
    const rowHeight = Math.min(Math.max(320 / rows, 3), 18);
    const level = (row, time) => {
      const column = Math.floor(((time - page.start) / (page.end - page.start)) * source.columns);
      return LETTERS.indexOf(source.density[row][Math.min(Math.max(column, 0), source.columns - 1)]) / 63;
    };
    const drawMap = () => {
      const {context, width} = gdsimCanvas.prepare(page, map);
      if (width === 0) return;
      const step = Math.max((page.to - page.from) / width, (page.end - page.start) / source.columns / 4);
      for (let row = 0; row < rows; ++row) {
        for (let at = page.from; at < page.to; ) {
          const shade = Math.ceil(level(row, at) * (SHADES - 1));
          let next = at + step;
          while (next < page.to && Math.ceil(level(row, next) * (SHADES - 1)) === shade) next += step;
          if (shade > 0) {
            context.fillStyle = page.css(`--h${shade}`);
            const x = ((at - page.from) / (page.to - page.from)) * width;
            context.fillRect(
              x,
              row * rowHeight,
              ((Math.min(next, page.to) - at) / (page.to - page.from)) * width + 0.3,
              rowHeight - (rowHeight > 5 ? 1 : 0),
            );
          }
          at = next;
        }
      }
      context.strokeStyle = page.css("--ink");
      context.lineWidth = 2;
      context.strokeRect(1, picked * rowHeight, width - 2, Math.max(rowHeight, 4));
    };
    const heldAt = (row, time) => {
      const max = Number(source.max),
        held = level(row, time) * max;
      const count = held === 0 ? "no" : `about ${held.toFixed(max < 10 ? 1 : 0)}`;
      return `${count} ${words.work_group}s on average${source.per_row > 1 ? " each" : ""}`;
    };

    // ---- Single ones of one core.
    const single = isDrawnAlready
      ? null
      : gdsimCanvas.makeFigure(page, {
          id: "group-singles",
          caption: "",
          parent: section,
          before,
          label:
            `Single ${words.work_group}s of one ${words.core}. Left and right go from one to the next, ` +
            "Enter zooms to it, Escape shows the whole run.",
        });
    let chosen = cores[0],
      selected = null,
      hovered = null;
    const choose = document.createElement("select");
    if (single) {
      choose.id = "group-core";
      choose.setAttribute("aria-label", `${words.core} whose ${words.work_group}s are drawn`);
      for (const {core} of cores)
        page.make("option", choose, {value: String(core), textContent: `${words.core} ${core}`});
      single.caption.append(`Single ${words.work_group}s of `, choose);
      choose.onchange = () => showCore(cores.find(({core}) => String(core) === choose.value));
      page.make("p", single.figure, {
        className: "note",
        id: "groups-shown",
        textContent:
          listed === source.placed
            ? `All ${source.placed} ${words.work_group}s are drawn one by one, ${words.core} by ${words.core}.`
            : `${listed} of ${source.placed} ${words.work_group}s are drawn one by one: ${
                source.cut
                  ? `the first and the last of ${words.core} ${cores[0].core}`
                  : `all of ${cores.length} ${words.core}${cores.length > 1 ? "s" : ""}`
              }. The map and the tables count all.`,
      });
    }
    const rowOf = () => Math.min(ROW, Math.max(MOST_HIGH / chosen.rows, Math.min(3, (3 * MOST_HIGH) / chosen.rows)));
    const showCore = (core) => {
      chosen = core;
      selected = hovered = null;
      choose.value = String(core.core);
      single.plot.style.setProperty("--height", `${Math.ceil(core.rows * rowOf()) + 2}px`);
      drawSingle();
      showDetail();
    };
    const drawSingle = () => {
      const {context, width} = gdsimCanvas.prepare(page, single);
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      const high = rowOf();
      for (const group of chosen.groups) {
        if (group.finish < page.from || group.begin > page.to) continue;
        const left = Math.max(x(group.begin), -3),
          right = Math.min(Math.max(x(group.finish), x(group.begin) + 0.7), width + 3);
        const colour = page.css(page.colourOf(group.launch));
        context.fillStyle = colour;
        const gap = right - left > 3 ? 1 : 0;
        context.fillRect(left, group.row * high + 1, right - left - gap, high - 1);
        if (high >= 12) {
          context.fillStyle = gdsimCanvas.inkOn(colour);
          gdsimCanvas.writeWithin(
            context,
            String(group.group),
            Math.max(left, 0) + 3,
            group.row * high + high / 2 + 1,
            Math.min(right, width) - Math.max(left, 0) - 6,
          );
        }
        if (!group.hasEnded) {
          context.fillStyle = page.css("--ink");
          context.fillRect(Math.min(right, width) - 3, group.row * high + 1, 3, high - 1);
        }
      }
      for (const group of new Set([hovered, selected])) {
        if (!group) continue;
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 2;
        context.strokeRect(
          Math.max(x(group.begin), 1),
          group.row * high + 1,
          Math.max(Math.min(x(group.finish), width - 1) - Math.max(x(group.begin), 1), 2),
          high - 1,
        );
      }
    };
    const describe = (group) =>
      `${words.work_group} ${group.group} of ${page.launchName(group.launch)}, ${words.core} ${chosen.core}: ` +
      `from ${page.exactTime(group.begin)} to ` +
      (group.hasEnded
        ? `${page.exactTime(group.finish)}, ${page.exactTime(group.finish - group.begin)}.`
        : "the end of the run, had not ended.");
    const showDetail = () => {
      const group = hovered ?? selected;
      single.detail.textContent = group
        ? describe(group)
        : `Zoom in until single ${words.work_group}s have their numbers; click one to keep it.`;
    };
    const select = (group) => {
      selected = group;
      if (group && (group.finish < page.from || group.begin > page.to)) {
        const half = (page.to - page.from) / 2,
          middle = (group.begin + group.finish) / 2;
        page.zoom(middle - half, middle + half);
      }
      drawSingle();
      showDetail();
      if (group) page.announce(describe(group));
    };
    const under = (event) => {
      const box = single.area.getBoundingClientRect();
      const at = page.from + ((event.clientX - box.left) / box.width) * (page.to - page.from);
      const row = Math.floor((event.clientY - box.top) / rowOf());
      return chosen.groups.find((group) => group.row === row && group.begin <= at && at < group.finish) ?? null;
    };

    if (map) {
      map.plot.style.setProperty("--height", `${Math.ceil(rows * rowHeight)}px`);
      const every = Math.ceil(rows / Math.max(Math.floor((rows * rowHeight) / 16), 1));
      for (let row = 0; row < rows; row += every) {
        const label = page.make("span", map.left, {textContent: nameOf(row)});
        label.style.top = `${(row + 0.5) * rowHeight}px`;
      }
      page.addPointer(map.area);
      page.onDraw(drawMap);
      const legend = page.make("p", map.figure, {className: "legend heat-legend"});
      page.make("span", legend, {textContent: "none"});
      for (let shade = 0; shade < SHADES; ++shade) page.make("i", legend, {className: `h${shade}`});
      page.make("span", legend, {
        textContent: `${Number(source.max).toFixed(1).replace(/\.0$/, "")} ${words.work_group}s`,
      });
      const pick = (row) => {
        picked = Math.min(Math.max(row, 0), rows - 1);
        drawMap();
        const time = page.shown ?? page.from;
        map.detail.textContent =
          `${nameOf(picked)}: ${heldAt(picked, time)} at ${page.exactTime(time)}. ` +
          "Enter or a click shows single ones.";
      };
      const open = () => {
        const core = picked * source.per_row;
        showCore(cores.reduce((best, one) => (Math.abs(one.core - core) < Math.abs(best.core - core) ? one : best)));
        page.announce(`Single ${words.work_group}s of ${words.core} ${chosen.core}`);
      };
      map.area.addEventListener("pointermove", (event) =>
        pick(Math.floor((event.clientY - map.area.getBoundingClientRect().top) / rowHeight)),
      );
      map.area.addEventListener("click", open);
      map.area.addEventListener("keydown", (event) => {
        const keys = {ArrowUp: () => pick(picked - 1), ArrowDown: () => pick(picked + 1), Enter: open};
        if (!keys[event.key]) return;
        event.preventDefault();
        keys[event.key]();
        if (event.key !== "Enter") page.announce(map.detail.textContent);
      });
    }
    if (single) {
      page.addPointer(single.area);
      page.onDraw(drawSingle);
      single.area.addEventListener("pointermove", (event) => {
        const now = under(event);
        if (now !== hovered) {
          hovered = now;
          drawSingle();
          showDetail();
        }
      });
      single.area.addEventListener("pointerleave", () => {
        hovered = null;
        drawSingle();
        showDetail();
      });
      single.area.addEventListener("click", (event) => select(under(event)));
      single.area.addEventListener("keydown", (event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (step) {
          event.preventDefault();
          const at = selected ? chosen.groups.indexOf(selected) : -1;
          select(chosen.groups[Math.min(Math.max(at + step, 0), chosen.groups.length - 1)]);
        }
        if (event.key === "Enter" && selected) {
          const margin = (selected.finish - selected.begin) * 2;
          page.zoom(selected.begin - margin, selected.finish + margin);
        }
        if (event.key === "Escape") {
          select(null);
          page.zoom(page.start, page.end);
        }
      });
      if (chosen) showCore(chosen);
    }
    return {};
  };

  return {attach};
})();
