// Launches in lanes: a lane for each queue and each direction of copies, coloured by kernel, with search and filter.
const gdsimLanes = (() => {
  "use strict";
  const ROW = 18,
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
    const searchLabel = page.make("label", tools, {textContent: "Search "});
    const search = page.make("input", searchLabel, {
      type: "search",
      id: "lanes-search",
      placeholder: "launch or kernel",
      autocomplete: "off",
      spellcheck: false,
    });
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
    let selected = null,
      hovered = null;
    let shownLaunches = [];
    const isShown = (launch) =>
      (kernelOnly === null || launch.kernel === kernelOnly) && (!only.checked || launch.isMatch);
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
      shownLaunches = [];
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
        shownLaunches.push(...lane.shown);
        top += lane.height + GAP;
      }
      shownLaunches.sort((a, b) => a.begin - b.begin || a.i - b.i);
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

    // ---- Drawing.
    const drawSummary = (context, lane, width) => {
      // The part of each pixel that some launch takes, in the colour of the kernel that takes most of it.
      const columns = Math.max(Math.floor(width / 2), 1);
      const span = (page.to - page.from) / columns;
      const busy = Array.from({length: columns}, () => new Map());
      for (const launch of lane.shown) {
        const first = Math.max(Math.floor((launch.begin - page.from) / span), 0);
        const last = Math.min(Math.floor((launch.finish - page.from) / span), columns - 1);
        for (let column = first; column <= last; ++column) {
          const taken =
            Math.min(launch.finish, page.from + (column + 1) * span) -
            Math.max(launch.begin, page.from + column * span);
          busy[column].set(launch.kernel, (busy[column].get(launch.kernel) ?? 0) + Math.max(taken, span / 1e3));
        }
      }
      busy.forEach((kernels, column) => {
        let sum = 0,
          most = null;
        for (const [kernel, taken] of kernels) {
          sum += taken;
          if (most === null || taken > kernels.get(most)) most = kernel;
        }
        let part = Math.min(sum / span, 1);
        if (source.busy && !isFiltered()) part = Math.max(part, busyShare(lane, page.from + (column + 0.5) * span));
        if (part <= 0) return;
        const height = Math.max(part * (lane.height - 4), 2);
        context.fillStyle = most === null ? page.css("--soft") : page.css(colours[most].variable);
        context.fillRect(
          (column * width) / columns,
          lane.top + lane.height - 2 - height,
          width / columns + 0.3,
          height,
        );
      });
    };

    /// The share of time in which any launch of a lane is in flight, listed or not; nothing if all are listed.
    const busyShare = (lane, time) => {
      const letters = source.busy[lanes.indexOf(lane)];
      const part = Math.floor(((time - page.start) / (page.end - page.start)) * letters.length);
      return LETTERS.indexOf(letters[Math.min(Math.max(part, 0), letters.length - 1)]) / 63;
    };
    const drawUnlisted = (context, lane, width) => {
      context.fillStyle = page.css("--line");
      for (let x = 0; x < width; x += 2) {
        context.globalAlpha = busyShare(lane, page.from + ((x + 1) / width) * (page.to - page.from));
        context.fillRect(x, lane.top, 2, lane.height);
      }
      context.globalAlpha = 1;
    };

    const dimFor = (launch) => {
      if (search.value && !launch.isMatch) return 0.18;
      if (critical.checked && !launch.isCritical && !onPath.has(launch.i)) return 0.28;
      return 1;
    };

    const drawBar = (context, launch, width) => {
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      const isKept = launch.isCritical || onPath.has(launch.i);
      const left = Math.max(x(launch.begin), -4),
        right = Math.min(Math.max(x(launch.finish), x(launch.begin) + (isKept ? 2 : 1)), width + 4);
      const isLow = launch.high < 8;
      const top = launch.top + (isLow ? 0 : 1),
        height = launch.high - (isLow ? 1 : 2);
      const colour = page.css(colours[launch.kernel].variable);
      context.globalAlpha = dimFor(launch);
      if (waits.checked && launch.ready !== null && launch.ready < launch.begin) {
        const from = Math.max(x(launch.ready), -4);
        context.fillStyle = page.css("--wait");
        context.fillRect(from, top + height / 2 - 1.5, Math.max(left - from, 0), 3);
        context.fillRect(from, top + height / 4, 1.5, height / 2);
      }
      context.fillStyle = colour;
      context.fillRect(left, top, right - left, height);
      if (colours[launch.kernel].isStriped)
        gdsimCanvas.stripesOver(context, left, top, right - left, height, page.css("--page"));
      const full = Math.min(x(launch.full ?? launch.finish), right);
      if (full > left + 1 && !isLow) {
        context.fillStyle = page.css("--page");
        context.globalAlpha *= 0.55;
        context.fillRect(left, top, full - left, 2.5);
        context.globalAlpha = dimFor(launch);
      }
      if (right - left > 3 && !isLow) {
        context.strokeStyle = page.css("--page");
        context.lineWidth = 1;
        context.strokeRect(left + 0.5, top + 0.5, right - left - 1, height - 1);
      }
      if (launch.end === null) {
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 2;
        context.beginPath();
        for (let i = 0; i <= 4; ++i) context[i ? "lineTo" : "moveTo"](right - 4 + (i % 2) * 4, top + (i * height) / 4);
        context.stroke();
      }
      if (critical.checked && isKept) {
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 2;
        context.strokeRect(left + 1, top + 1, Math.max(right - left - 2, 1), Math.max(height - 2, 1));
      }
      if (launch.high < 12) {
        context.globalAlpha = 1;
        return;
      }
      const from = Math.max(left, 0) + 4;
      context.fillStyle = colours[launch.kernel].isStriped ? page.css("--ink") : gdsimCanvas.inkOn(colour);
      if (colours[launch.kernel].isStriped && right - from > 14) {
        context.save();
        context.fillStyle = page.css("--page");
        context.fillRect(
          from - 2,
          top + 2,
          Math.min(context.measureText(launch.name).width + 4, Math.min(right, width) - from),
          height - 4,
        );
        context.restore();
      }
      gdsimCanvas.writeWithin(context, launch.name, from, top + height / 2 + 0.5, Math.min(right, width) - from - 3);
      context.globalAlpha = 1;
    };

    const drawLink = (context, from, to, width, style) => {
      if (from.end === null || lanes[from.lane].isHidden || lanes[to.lane].isHidden || !isShown(from) || !isShown(to))
        return;
      const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
      context.strokeStyle = page.css("--ink");
      context.setLineDash(style.dash ?? []);
      context.lineWidth = style.width;
      context.beginPath();
      context.moveTo(x(from.end), from.top + from.high / 2);
      context.lineTo(x(from.end), to.top + to.high / 2);
      context.lineTo(Math.max(x(to.begin), x(from.end)), to.top + to.high / 2);
      context.stroke();
      context.setLineDash([]);
    };

    const draw = () => {
      const {context, width} = gdsimCanvas.prepare(page, figure);
      if (width === 0) return;
      context.fillStyle = page.css("--line");
      for (const lane of lanes) if (!lane.isHidden) context.fillRect(0, lane.top + lane.height + GAP / 2, width, 1);
      const inSight = shownLaunches.filter(
        (launch) =>
          lanes[launch.lane].isOpen && launch.finish >= page.from && (launch.ready ?? launch.begin) <= page.to,
      );
      if (source.busy && !isFiltered())
        for (const lane of lanes) if (!lane.isHidden && lane.isOpen) drawUnlisted(context, lane, width);
      for (const lane of lanes) if (!lane.isHidden && !lane.isOpen) drawSummary(context, lane, width);
      const isLast = (launch) => launch.isCritical || onPath.has(launch.i);
      for (const launch of inSight) if (!isLast(launch)) drawBar(context, launch, width);
      for (const launch of inSight) if (isLast(launch)) drawBar(context, launch, width);
      if (critical.checked)
        for (let i = 1; i < source.path.length; ++i)
          drawLink(context, launches[source.path[i - 1]], launches[source.path[i]], width, {width: 2.4});
      for (const launch of new Set([hovered, selected])) {
        if (!launch || !isShown(launch)) continue;
        for (const before of source.after[launch.i])
          if (launches[before].begin !== null)
            drawLink(context, launches[before], launch, width, {width: 1.4, dash: [4, 3]});
        for (const after of followers[launch.i])
          if (launches[after].begin !== null)
            drawLink(context, launch, launches[after], width, {width: 1.4, dash: [4, 3]});
      }
      if (selected && isShown(selected)) {
        const x = (at) => ((at - page.from) / (page.to - page.from)) * width;
        context.strokeStyle = page.css("--ink");
        context.lineWidth = 3;
        context.strokeRect(
          Math.max(x(selected.begin), 1) - 1,
          selected.top,
          Math.max(Math.min(x(selected.finish), width) - Math.max(x(selected.begin), 1), 2) + 2,
          selected.high,
        );
      }
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
      "Point at a launch for its times, click to keep it, drag to zoom. " +
      "A strip at the top: it is still being dispatched.";
    const tell = () => {
      figure.detail.textContent = (hovered ?? selected) ? describe(hovered ?? selected) : idle;
    };
    const countMatches = () => {
      const matches = launches.filter(
        (launch) => launch.isMatch && (kernelOnly === null || launch.kernel === kernelOnly),
      ).length;
      found.textContent =
        search.value || kernelOnly !== null
          ? `${matches} of ${launches.length}${kernelOnly === null ? "" : `, kernel ${source.kernels[kernelOnly]} only`}`
          : "";
    };
    const refresh = () => {
      layOut();
      draw();
      tell();
    };

    // ---- Choosing.
    const under = (event) => {
      const area = figure.area.getBoundingClientRect();
      const at = page.from + ((event.clientX - area.left) / area.width) * (page.to - page.from);
      const y = event.clientY - area.top,
        tolerance = ((page.to - page.from) / area.width) * 3;
      let best = null;
      for (const launch of shownLaunches) {
        if (!lanes[launch.lane].isOpen || y < launch.top || y >= launch.top + launch.high) continue;
        const away = Math.max(launch.begin - at, at - launch.finish, 0);
        if (away <= tolerance && (best === null || away < best.away)) best = {launch, away};
      }
      return best?.launch ?? null;
    };
    const select = (launch, isAnnounced = true) => {
      selected = launch;
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
      tell();
    };
    const zoomTo = (launch) => {
      const margin = Math.max((launch.finish - launch.begin) * 0.15, (page.end - page.start) * 1e-6);
      page.zoom(launch.begin - margin, launch.finish + margin);
    };
    const step = (direction) => {
      const row = shownLaunches.filter((launch) => !selected || launch.lane === selected.lane);
      if (row.length === 0) return;
      const at = selected ? row.indexOf(selected) : -1;
      select(row[Math.min(Math.max(at + direction, 0), row.length - 1)]);
    };
    const changeLane = (direction) => {
      const order = lanes.map((lane, i) => ({lane, i})).filter(({lane}) => !lane.isHidden && lane.shown.length > 0);
      if (order.length === 0) return;
      if (!selected) {
        select(shownLaunches[0]);
        return;
      }
      const at = order.findIndex(({i}) => i === selected.lane);
      const {lane} = order[Math.min(Math.max(at + direction, 0), order.length - 1)];
      select(
        lane.shown.reduce((best, launch) =>
          Math.abs(launch.begin - selected.begin) < Math.abs(best.begin - selected.begin) ? launch : best,
        ),
      );
    };
    const nextMatch = (direction) => {
      const matches = shownLaunches.filter((launch) => launch.isMatch);
      if (matches.length === 0) return;
      const at = matches.indexOf(selected);
      select(matches[(at + direction + matches.length) % matches.length]);
    };

    figure.area.addEventListener("pointermove", (event) => {
      const now = under(event);
      figure.area.style.cursor = now ? "pointer" : "crosshair";
      if (now === hovered) return;
      hovered = now;
      draw();
      tell();
    });
    figure.area.addEventListener("pointerleave", () => {
      hovered = null;
      draw();
      tell();
    });
    figure.area.addEventListener("click", (event) => select(under(event)));
    figure.area.addEventListener("keydown", (event) => {
      const keys = {
        ArrowRight: () => step(1),
        ArrowLeft: () => step(-1),
        ArrowDown: () => changeLane(1),
        ArrowUp: () => changeLane(-1),
        Enter: () => {
          if (selected) zoomTo(selected);
        },
        Escape: () => {
          select(null);
          page.zoom(page.start, page.end);
        },
        "/": () => search.focus(),
      };
      const action = keys[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    search.addEventListener("input", () => {
      const wanted = search.value.toLowerCase();
      for (const launch of launches)
        launch.isMatch = launch.name.toLowerCase().includes(wanted) || launch.kernelName.toLowerCase().includes(wanted);
      countMatches();
      refresh();
    });
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        nextMatch(event.shiftKey ? -1 : 1);
      }
    });
    for (const input of [only, critical, waits]) input.addEventListener("change", refresh);
    fold.onclick = () => {
      const isAnyOpen = lanes.some((lane) => lane.isOpen);
      for (const lane of lanes) lane.isOpen = !isAnyOpen;
      refresh();
    };
    foldRows(section, source.total);
    page.addPointer(figure.area);
    page.onDraw(draw);
    countMatches();
    layOut();
    tell();
    return {
      colours,
      /// Shows the launches of this kernel only, or all again.
      showKernel,
      /// Names of what is in flight at an instant.
      inFlight: (at) =>
        launches
          .filter((launch) => launch.begin !== null && launch.begin <= at && at < launch.finish)
          .map((launch) => launch.name),
    };
  };

  /// Beside lanes, rows are what one looks at second: many of them are folded away.
  const foldRows = (section, count) => {
    if (count <= 12) return;
    const details = document.createElement("details");
    details.id = "launch-rows";
    const summary = document.createElement("summary");
    summary.textContent = "A row for each launch, with what it waits for";
    const rows = [document.querySelector("#launches")];
    if (rows[0].previousElementSibling?.classList.contains("legend")) rows.unshift(rows[0].previousElementSibling);
    for (let next = rows.at(-1).nextElementSibling; next?.classList.contains("note"); next = next.nextElementSibling)
      rows.push(next);
    section.append(details);
    details.append(summary, ...rows);
  };

  const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const paintChip = (chip, {variable, isStriped}) => {
    chip.className = `chip${isStriped ? " striped" : ""}`;
    chip.style.setProperty("--chip", `var(${variable})`);
  };

  return {attach, paintChip};
})();
