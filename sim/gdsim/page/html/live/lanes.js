// Launches in lanes: a lane for each queue and each direction of copies, coloured by kernel, with search and filter.
const gdsimLanes = (() => {
  "use strict";
  const ROW = 22,
    GAP = 8,
    MOST_OPEN_ROWS = 24,
    MOST_HIGH = 900,
    MOST_ROWS = 300;

  const attach = (page) => {
    const source = page.data.launches;
    const section = document.getElementById("launches")?.closest("section");
    if (!(source?.name.length > 1) || !section) return null;
    // Picoseconds behind a time.
    const behind = (from, picoseconds) => (from === null || picoseconds === null ? null : from + picoseconds / 1000);
    const launches = source.name.map((name, i) => {
      const begin = behind(page.start, source.first[i]),
        end = behind(begin, source.duration[i]);
      return {
        i,
        name,
        kernel: source.kernel[i],
        kernelName: source.kernels[source.kernel[i]],
        lane: source.lane[i],
        ready: source.wait[i] === null ? null : behind(begin, -source.wait[i]),
        begin,
        full: behind(begin, source.dispatch[i]),
        end,
        finish: begin === null ? null : Math.max(end ?? page.end, begin),
        isCritical: source.critical[i] === 1,
        isMatch: true,
        row: 0,
        top: 0,
      };
    });
    const onPath = new Set(source.path);
    const followers = launches.map(() => []);
    source.after.forEach((before, i) => {
      for (const one of before) followers[one].push(i);
    });
    const isShortened = launches.length < source.total;
    const colours = gdsimCanvas.coloursFor(source.kernels);
    const lanes = source.lanes.map((name) => ({name, isOpen: null, launches: [], rows: 1, top: 0, height: ROW}));
    for (const launch of launches) if (launch.begin !== null) lanes[launch.lane].launches.push(launch);

    // ---- Elements.
    const figure = gdsimCanvas.makeFigure(page, {
      id: "lanes",
      caption: "Launches in lanes, coloured by kernel",
      parent: section,
      before: section.querySelector("h2").nextSibling,
      label:
        "Launches in lanes. Left and right go from launch to launch, up and down from lane to lane, Enter zooms to " +
        "the launch, Escape shows the whole run, plus and minus zoom.",
    });
    const tools = document.createElement("div");
    tools.className = "tools";
    section.insertBefore(tools, figure.figure);
    let wanted = "";
    const box = (id, text) => {
      const label = page.make("label", tools);
      const input = page.make("input", label, {type: "checkbox", id});
      label.append(` ${text}`);
      return input;
    };
    const only = box("lanes-only", "only matches");
    const critical = box("lanes-critical", "critical path");
    const waits = box("lanes-waits", "waits");
    const fold = page.make("button", tools, {type: "button", id: "lanes-fold", textContent: "Fold all lanes"});
    const found = page.make("span", tools, {id: "lanes-found", className: "note"});
    found.setAttribute("role", "status");
    const legend = page.make("p", figure.figure, {className: "legend", id: "lanes-legend"});
    source.kernels.slice(0, 24).forEach((name, kernel) => {
      const button = page.make("button", page.make("span", legend), {type: "button", title: `Only ${name}, or all`});
      button.setAttribute("aria-pressed", "false");
      button.dataset.kernel = kernel;
      paintChip(page.make("i", button), colours[kernel]);
      page.make("bdi", button, {textContent: name});
      button.onclick = () => showKernel(kernel);
    });
    if (source.kernels.length > 24) page.make("span", legend, {textContent: `and ${source.kernels.length - 24} more`});
    if (isShortened)
      page.make("p", figure.figure, {
        className: "note",
        id: "lanes-shown",
        textContent:
          `${launches.length} of ${source.total} launches one by one: the longest, critical ones, and the longest of ` +
          "the others. " +
          "Grey behind them, and the height of a folded lane, is the share of time in which any launch is in flight.",
      });

    // ---- Layout.
    let kernelOnly = null;
    const isShown = (launch) =>
      (kernelOnly === null || launch.kernel === kernelOnly) && (!only.checked || launch.isMatch);
    const choice = {
      selected: null,
      hovered: null,
      launches: [], // that are shown
      isShown,
      isFiltered: () => isFiltered(),
      isSearching: () => wanted !== "",
      isPathAsked: () => critical.checked,
      areWaitsAsked: () => waits.checked,
    };
    const draw = gdsimLaneDrawing.make({
      page,
      source,
      lanes,
      launches,
      colours,
      onPath,
      followers,
      figure,
      gap: GAP,
      choice,
    });
    const showKernel = (kernel) => {
      kernelOnly = kernelOnly === kernel ? null : kernel;
      for (const button of legend.querySelectorAll("button"))
        button.setAttribute("aria-pressed", String(Number(button.dataset.kernel) === kernelOnly));
      const chosen = kernelOnly === null ? null : source.kernel_numbers[kernelOnly];
      for (const row of document.querySelectorAll("tr[data-kernel]"))
        row.classList.toggle("chosen", Number(row.dataset.kernel) === chosen);
      countMatches();
      refresh();
      page.announce(kernelOnly === null ? "Launches of all kernels" : `Only launches of ${source.kernels[kernelOnly]}`);
    };
    const isFiltered = () => kernelOnly !== null || only.checked;
    const layOut = () => {
      let top = 4;
      choice.launches = [];
      for (const lane of lanes) {
        lane.shown = lane.launches.filter(isShown);
        const packed = gdsimPacking.rowsFor(lane.shown);
        // Very many at once have low rows; beyond all measure they share the last one.
        lane.rows = Math.min(Math.max(packed.count, 1), MOST_ROWS);
        lane.rowHeight = Math.min(ROW, Math.max(Math.floor(MOST_HIGH / lane.rows), 3));
        lane.isOpen ??= lane.rows <= MOST_OPEN_ROWS && lane.shown.length > 0;
        const isBusy = source.busy && !isFiltered();
        lane.isHidden = lane.shown.length === 0 && lanes.length > 1 && !isBusy;
        if (lane.isHidden) continue;
        lane.top = top;
        lane.height = lane.isOpen ? lane.rows * lane.rowHeight : ROW + 8;
        lane.shown.forEach((launch, at) => {
          launch.row = Math.min(packed.rows[at], lane.rows - 1);
          launch.high = lane.isOpen ? lane.rowHeight : ROW;
          launch.top = top + (lane.isOpen ? launch.row * lane.rowHeight : 0);
        });
        choice.launches.push(...lane.shown);
        top += lane.height + GAP;
      }
      choice.launches.sort((a, b) => a.begin - b.begin || a.i - b.i);
      figure.plot.style.setProperty("--height", `${Math.max(top - GAP + 4, 30)}px`);
      figure.left.replaceChildren(
        ...lanes
          .filter((lane) => !lane.isHidden)
          .map((lane) => {
            const button = document.createElement("button");
            button.type = "button";
            button.className = "fold";
            button.style.top = `${lane.top}px`;
            button.title = lane.name;
            button.setAttribute("aria-expanded", String(lane.isOpen));
            page.make("bdi", button, {textContent: `${lane.isOpen ? "▾" : "▸"} ${lane.name}`});
            button.onclick = () => {
              lane.isOpen = !lane.isOpen;
              const at = lanes.indexOf(lane);
              refresh();
              figure.left.children[lanes.filter((one, i) => !one.isHidden && i < at).length]?.focus();
            };
            return button;
          }),
      );
      fold.textContent = lanes.some((lane) => lane.isOpen) ? "Fold all lanes" : "Unfold all lanes";
    };

    // ---- Words.
    const span = (from, to) => page.exactTime(to - from);
    const describe = (launch) => {
      const parts = [
        `${launch.name} (${launch.kernelName}), ${lanes[launch.lane].name}: from ${page.exactTime(launch.begin)} to ` +
          `${launch.end === null ? "the end of the run, had not ended" : page.exactTime(launch.end)}, ` +
          span(launch.begin, launch.finish),
      ];
      if (launch.full !== null && launch.full > launch.begin)
        parts.push(`dispatched within ${span(launch.begin, launch.full)}`);
      if (launch.isCritical) parts.push("critical");
      if (source.waits[launch.i]) parts.push(`waited for ${source.waits[launch.i]}`);
      return `${parts.join("; ")}.`;
    };
    const idle =
      "Point at a launch for its times, click to keep it, drag to select a range. " +
      "A strip at the top: it is still being dispatched.";
    const showDetail = () => {
      figure.detail.textContent =
        (choice.hovered ?? choice.selected) ? describe(choice.hovered ?? choice.selected) : idle;
    };
    const countMatches = () => {
      const matches = launches.filter(
        (launch) => launch.isMatch && (kernelOnly === null || launch.kernel === kernelOnly),
      ).length;
      found.textContent =
        wanted !== "" || kernelOnly !== null
          ? `${matches} of ${launches.length}${kernelOnly === null ? "" : `, kernel ${source.kernels[kernelOnly]} only`}`
          : "";
    };
    const refresh = () => {
      layOut();
      draw();
      showDetail();
    };

    // ---- Choosing.
    const under = (event) => {
      const area = figure.area.getBoundingClientRect();
      const at = page.from + ((event.clientX - area.left) / area.width) * (page.to - page.from);
      const y = event.clientY - area.top,
        tolerance = ((page.to - page.from) / area.width) * 3;
      let best = null;
      for (const launch of choice.launches) {
        if (!lanes[launch.lane].isOpen || y < launch.top || y >= launch.top + launch.high) continue;
        const away = Math.max(launch.begin - at, at - launch.finish, 0);
        if (away <= tolerance && (best === null || away < best.away)) best = {launch, away};
      }
      return best?.launch ?? null;
    };
    const select = (launch, isAnnounced = true) => {
      choice.selected = launch;
      if (launch) {
        if (!lanes[launch.lane].isOpen) {
          lanes[launch.lane].isOpen = true;
          layOut();
        }
        if (launch.finish < page.from || launch.begin > page.to) {
          const half = (page.to - page.from) / 2,
            middle = (launch.begin + launch.finish) / 2;
          page.zoom(middle - half, middle + half);
        }
        if (isAnnounced) page.announce(describe(launch));
      }
      draw();
      showDetail();
      page.selected();
    };
    const zoomTo = (launch) => {
      const margin = Math.max((launch.finish - launch.begin) * 0.15, (page.end - page.start) * 1e-6);
      page.zoom(launch.begin - margin, launch.finish + margin);
    };
    const step = (direction) => {
      const row = choice.launches.filter((launch) => !choice.selected || launch.lane === choice.selected.lane);
      if (row.length === 0) return;
      const at = choice.selected ? row.indexOf(choice.selected) : -1;
      select(row[Math.min(Math.max(at + direction, 0), row.length - 1)]);
    };
    const changeLane = (direction) => {
      const order = lanes.map((lane, i) => ({lane, i})).filter(({lane}) => !lane.isHidden && lane.shown.length > 0);
      if (order.length === 0) return;
      if (!choice.selected) {
        select(choice.launches[0]);
        return;
      }
      const at = order.findIndex(({i}) => i === choice.selected.lane);
      const {lane} = order[Math.min(Math.max(at + direction, 0), order.length - 1)];
      select(
        lane.shown.reduce((best, launch) =>
          Math.abs(launch.begin - choice.selected.begin) < Math.abs(best.begin - choice.selected.begin) ? launch : best,
        ),
      );
    };
    /// Selects the next launch that a search is for; returns false if there is none.
    const nextMatch = (direction) => {
      const matches = choice.launches.filter((launch) => launch.isMatch);
      if (matches.length === 0) return false;
      const at = matches.indexOf(choice.selected);
      select(matches[(at + direction + matches.length) % matches.length]);
      return true;
    };
    /// What a search finds here.
    const entries = () => [
      ...source.kernels.map((name, kernel) => ({kind: "kernel", text: name, go: () => showKernel(kernel)})),
      ...lanes.map(({name}, at) => ({
        kind: "lane",
        text: name,
        go: () => figure.left.children[lanes.filter((lane, i) => !lane.isHidden && i < at).length]?.focus(),
      })),
      ...launches
        .filter(({begin}) => begin !== null)
        .map((launch) => ({kind: "launch", text: launch.name, go: () => goTo(launch)})),
    ];
    const goTo = (launch) => {
      figure.figure.scrollIntoView({block: "nearest"});
      select(launch);
    };

    figure.area.addEventListener("pointermove", (event) => {
      const now = under(event);
      figure.area.style.cursor = now ? "pointer" : "crosshair";
      if (now === choice.hovered) return;
      choice.hovered = now;
      draw();
      showDetail();
    });
    figure.area.addEventListener("pointerleave", () => {
      choice.hovered = null;
      draw();
      showDetail();
    });
    figure.area.addEventListener("click", (event) => select(under(event)));
    figure.area.addEventListener("keydown", (event) => {
      const keys = {
        ArrowRight: () => step(1),
        ArrowLeft: () => step(-1),
        ArrowDown: () => changeLane(1),
        ArrowUp: () => changeLane(-1),
        Enter: () => {
          if (choice.selected) zoomTo(choice.selected);
        },
        Escape: () => {
          select(null);
          page.zoom(page.start, page.end);
        },
      };
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    /// Marks what a search is for; returns how many launches that are.
    const match = (text) => {
      wanted = text;
      for (const launch of launches)
        launch.isMatch = launch.name.toLowerCase().includes(wanted) || launch.kernelName.toLowerCase().includes(wanted);
      countMatches();
      refresh();
      return launches.filter((launch) => launch.isMatch).length;
    };
    for (const input of [only, critical, waits]) input.addEventListener("change", refresh);
    fold.onclick = () => {
      const isAnyOpen = lanes.some((lane) => lane.isOpen);
      for (const lane of lanes) lane.isOpen = !isAnyOpen;
      refresh();
    };
    page.addPointer(figure.area);
    page.onDraw(draw);
    countMatches();
    layOut();
    showDetail();
    return {
      colours,
      launches,
      match,
      nextMatch,
      entries,
      /// The number of the selected launch in the run, or null.
      selected: () => (choice.selected ? source.number[choice.selected.i] : null),
      /// Selects the launch of this number, or none.
      selectNumber: (number) => {
        const launch = launches[source.number.indexOf(number)];
        select(launch?.begin == null ? null : launch, false);
      },
      selectedSpan: () => choice.selected && {low: choice.selected.begin, high: choice.selected.finish},
      /// Shows the launches of this kernel only, or all again.
      showKernel,
      /// Names of what is in flight at an instant.
      inFlight: (at) =>
        launches
          .filter((launch) => launch.begin !== null && launch.begin <= at && at < launch.finish)
          .map((launch) => launch.name),
    };
  };

  const paintChip = (chip, {variable, isStriped}) => {
    chip.className = `chip${isStriped ? " striped" : ""}`;
    chip.style.setProperty("--chip", `var(${variable})`);
  };

  return {attach, paintChip};
})();
