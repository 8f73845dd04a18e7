// Makes the figures of the page interactive: one zoom for all of them, and exact values under the pointer.
(() => {
  "use strict";
  if (!document.getElementById("data")) return;  // the case that is shown took no time
  const data = JSON.parse(document.getElementById("data").textContent);
  const WIDTH = document.querySelector(".area svg").viewBox.baseVal.width;
  // Browsers draw with 24 bits: in a window of fewer units, edges would be visibly off their place.
  const MIN_WIDTH = 500;
  const start = Number(data.start), end = Number(data.end);
  const words = data.words;
  let from = start, to = end;
  // Axes of threads end above what is held, or show the whole device.
  let isWholeDevice = data.shown === undefined;
  let shown = null;

  // On paper everything is drawn in the colours of the light page.
  let isOnPaper = false;
  const lightColours = [...document.querySelector("style").sheet.cssRules]
    .find((rule) => rule.selectorText === ":root" && rule.style.getPropertyValue("--ink")).style;
  const css = (name) => (isOnPaper ? lightColours : getComputedStyle(document.documentElement)).getPropertyValue(name).trim();
  const timeOf = (unit) => start + (end - start) * unit / WIDTH;
  const share = (time) => (time - from) / (to - from);
  const make = (name, parent, attributes = {}) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element[key] = value;
    parent.append(element);
    return element;
  };

  // ---- Numbers as the CSV files write them.
  const percent = (threads, whole) => (Math.round(threads * 1e6 / whole) / 1e4).toFixed(4);

  /// The last row that is not after `time`.
  const rowAt = (rows, time) => {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] <= time) low = middle + 1; else high = middle;
    }
    return low - 1;
  };

  // ---- The data of one plot, with a last point at the end of the run.
  const seriesOf = (name) => {
    const source = data[name];
    if (!source?.resident) return null;
    const time = source.time.map(Number);
    const columns = ["resident", "running", "min", "max"].filter((key) => source[key]);
    const points = [time.concat(end), ...columns.map((key) => source[key].concat(source[key].at(-1)))];
    points.push(points[1]);
    columns.push("resident");
    return {source, time, columns, points, capacity: name === "device" ? data.contexts : data.per_core,
            top: () => name !== "device" ? data.per_core : isWholeDevice ? data.contexts : data.shown};
  };

  const stripes = () => {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const context = tile.getContext("2d");
    context.fillStyle = css("--wait-soft");
    context.fillRect(0, 0, 6, 6);
    context.fillStyle = css("--wait");
    context.fillRect(0, 0, 6, 3);
    return context.createPattern(tile, "repeat");
  };

  const plots = [];
  const drawn = [];  // draws a canvas anew
  const watchers = [];  // of the instant under the pointer
  const pictures = [];
  const cursors = [];

  const curves = (series) => {
    const stepped = uPlot.paths.stepped({align: 1});
    const styles = {
      resident: {fill: stripes, width: 0},
      running: {fill: () => css("--run"), width: 0},
      min: {width: 0}, max: {width: 0},
    };
    const drawn = series.columns.slice(0, -1).map((key) => ({paths: stepped, points: {show: false}, ...styles[key]}));
    return [...drawn, {paths: stepped, points: {show: false}, stroke: () => css("--ink"), width: 1.4}];
  };

  const capacityLine = (series) => (u) => {
    if (series.top() < series.capacity) return;
    const y = Math.round(u.valToPos(u.scales.y.max, "y", true)) + 1;
    u.ctx.save();
    u.ctx.strokeStyle = css("--capacity");
    u.ctx.lineWidth = 2 * devicePixelRatio;
    u.ctx.setLineDash([7 * devicePixelRatio, 4 * devicePixelRatio]);
    u.ctx.beginPath();
    u.ctx.moveTo(u.bbox.left, y);
    u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
    u.ctx.stroke();
    u.ctx.restore();
  };

  /// A line at each change of the clock, as in the picture behind the plot.
  const clockLines = (area) => {
    const lines = area.querySelector("svg .clock")?.getAttribute("d") ?? "";
    const times = [...lines.matchAll(/M(\d+) /g)].map((match) => timeOf(Number(match[1])));
    return (u) => {
      u.ctx.save();
      u.ctx.strokeStyle = css("--ink");
      u.ctx.lineWidth = 2 * devicePixelRatio;
      u.ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
      u.ctx.beginPath();
      for (const x of times.map((time) => Math.round(u.valToPos(time, "x", true)))) {
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      }
      u.ctx.stroke();
      u.ctx.restore();
    };
  };

  /// The lines of the picture that the plot stands for.
  const gridLines = (area) => {
    const svg = area.querySelector("svg"), box = svg.viewBox.baseVal;
    const bottom = box.y + box.height, cut = box.y;
    const heightsOf = (lines) =>
      lines ? [...lines.getAttribute("d").matchAll(/M0 (\d+)/g)].map((match) => Number(match[1])) : [];
    const shown = heightsOf(svg.querySelector(".grid")), whole = heightsOf(svg.querySelector(".whole-grid"));
    return (u) => {
      const top = isWholeDevice ? 0 : cut;
      const heights = isWholeDevice && cut > 0 ? whole : shown;
      u.ctx.save();
      u.ctx.strokeStyle = css("--line");
      u.ctx.beginPath();
      for (const height of heights) {
        const y = Math.round(u.bbox.top + u.bbox.height * (height - top) / (bottom - top)) + 0.5;
        u.ctx.moveTo(u.bbox.left, y);
        u.ctx.lineTo(u.bbox.left + u.bbox.width, y);
      }
      u.ctx.stroke();
      u.ctx.restore();
    };
  };

  const addPlot = (area, series) => {
    // uPlot reports its cursor after every zoom, too: only the plot under the pointer counts.
    let isOurs = false, isOver = false;
    area.addEventListener("mouseenter", () => { isOver = true; });
    area.addEventListener("mouseleave", () => { isOver = false; });
    const u = new uPlot({
      width: area.clientWidth, height: area.clientHeight, padding: [0, 0, 0, 0],
      legend: {show: false}, axes: [{show: false}, {show: false}],
      scales: {x: {time: false, range: () => [from, to]}, y: {range: () => [0, series.top()]}},
      cursor: {y: false, points: {show: false}, drag: {x: true, y: false, setScale: false},
               bind: {dblclick: () => () => zoom(start, end)}},
      series: [{}, ...curves(series)],
      bands: series.source.binned ? [{series: [4, 3], fill: () => css("--band")}] : [],
      hooks: {
        drawClear: [gridLines(area)],
        draw: [capacityLine(series), clockLines(area)],
        setSelect: [(self) => {
          if (self.select.width < 4) return;
          const low = self.posToVal(self.select.left, "x"), high = self.posToVal(self.select.left + self.select.width, "x");
          self.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
          zoom(low, high);
        }],
        setCursor: [(self) => {
          if (isOurs || !isOver) return;
          show(self.cursor.left < 0 ? null : self.posToVal(self.cursor.left, "x"), area);
        }],
      },
    }, series.points, area);
    area.classList.add("live");
    const place = (time) => {
      isOurs = true;
      u.setCursor(time === null ? {left: -10, top: -10} : {left: u.valToPos(time, "x"), top: 1}, false);
      isOurs = false;
    };
    plots.push({u, area, place, series});
  };

  /// Bins are drawn as wide as it takes to see the line and the band.
  const drawBins = ({u, area, series}) => {
    if (!series.source.binned) return;
    const inSight = series.time.length * (to - from) / (end - start);
    const factor = gdsimSeries.factorFor(inSight, area.clientWidth);
    u.setData(factor === 1 ? series.points : gdsimSeries.merged(series.points, series.columns, factor), false);
  };

  /// A line at the time under the pointer, a zoom by dragging, the whole run by a double click.
  const addPointer = (area, rowUnder = () => undefined) => {
    const cursor = make("div", area, {className: "cursor"});
    const picked = make("div", area, {className: "picked"});
    const timeUnder = (event) => {
      const box = area.getBoundingClientRect();
      return from + (to - from) * Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    };
    // The end of a drag is no click.
    let begun = null, wasDragged = false;
    area.addEventListener("click", (event) => {
      if (wasDragged) event.stopImmediatePropagation();
      wasDragged = false;
    }, true);
    area.addEventListener("pointerdown", (event) => { begun = event.button === 0 ? timeUnder(event) : null; });
    area.addEventListener("pointermove", (event) => {
      const now = timeUnder(event);
      show(now, area, rowUnder(event));
      if (begun === null) return;
      picked.style.display = "block";
      picked.style.left = `${100 * share(Math.min(begun, now))}%`;
      picked.style.width = `${100 * Math.abs(now - begun) / (to - from)}%`;
    });
    area.addEventListener("pointerup", (event) => {
      const now = timeUnder(event);
      picked.style.display = "none";
      const isDrag = begun !== null && Math.abs(now - begun) > (to - from) / 200;
      wasDragged = isDrag;
      if (isDrag) zoom(Math.min(begun, now), Math.max(begun, now));
      begun = null;
    });
    area.addEventListener("pointerleave", () => {
      begun = null;
      picked.style.display = "none";
      show(null, area);
    });
    area.addEventListener("dblclick", () => zoom(start, end));
    cursors.push(cursor);
  };

  const addPicture = (area) => {
    const svg = area.querySelector("svg");
    const cut = svg.viewBox.baseVal.y, bottom = cut + svg.viewBox.baseVal.height;
    const isHeat = area.dataset.series === "heat";
    if (isHeat) readShades(svg);
    addPointer(area, (event) => {
      if (!isHeat) return undefined;
      const box = area.getBoundingClientRect();
      return Math.min(Math.max(Math.floor((event.clientY - box.top) / box.height * data.heat.rows), 0), data.heat.rows - 1);
    });
    pictures.push({svg, cut, bottom});
  };

  // ---- The zoom.
  const drawAxes = () => {
    const axes = document.querySelectorAll("figure:not(#run-bands) .time:not(:empty)");
    const fontSize = parseFloat(getComputedStyle(axes[0]).fontSize);
    const ticks = gdsimTimes.ticksWithin(from, to, document.querySelector(".area").clientWidth, fontSize);
    for (const axis of axes)
      axis.replaceChildren(...ticks.map(({at, label}) => {
        const span = document.createElement("span");
        span.style.left = `${100 * share(at)}%`;
        span.textContent = label;
        return span;
      }));
  };

  const minSpan = (end - start) * MIN_WIDTH / WIDTH;
  const zoom = (low, high) => {
    if (high - low < minSpan) {
      low = Math.min(Math.max((low + high - minSpan) / 2, start), end - minSpan);
      high = low + minSpan;
    }
    from = Math.max(low, start);
    to = Math.min(high, end);
    const left = WIDTH * (from - start) / (end - start), width = WIDTH * (to - from) / (end - start);
    for (const {svg, cut, bottom} of pictures) {
      const top = isWholeDevice ? 0 : cut;
      svg.setAttribute("viewBox", `${left} ${top} ${width} ${bottom - top}`);
    }
    for (const plot of plots) {
      drawBins(plot);
      plot.u.setScale("x", {min: from, max: to});
    }
    drawAxes();
    for (const mark of document.querySelectorAll(".marks > span")) {
      const begin = Math.max(share(timeOf(mark.dataset.from)), 0), stop = Math.min(share(timeOf(mark.dataset.to)), 1);
      mark.hidden = stop <= begin;
      mark.style.left = `${100 * begin}%`;
      mark.style.width = `${100 * (stop - begin)}%`;
    }
    for (const draw of drawn) draw();
    show(shown, null);
  };
  /// Another part of the run, as long.
  const move = (by) => {
    const possible = Math.min(Math.max(by, start - from), end - to);
    if (possible !== 0) zoom(from + possible, to + possible);
  };
  const scale = (wanted) => {
    const factor = Math.max(wanted, minSpan / (to - from));
    const middle = shown !== null && shown > from && shown < to ? shown : (from + to) / 2;
    zoom(middle - (middle - from) * factor, middle + (to - middle) * factor);
  };

  // ---- The values under the pointer.
  const field = (name, value) => {
    const element = document.createElement("span");
    element.dataset.field = name;
    element.textContent = value;
    return element;
  };
  const write = (parts) => readout.replaceChildren(...parts);

  const deviceParts = (source, row) => {
    const resident = source.resident[row], running = source.running[row];
    const bold = document.createElement("b");
    bold.append(field("threads_resident", resident), ` ${words.thread}s · `,
                field("occupancy_percent", percent(resident, data.contexts)), " %");
    const parts = ["from ", field("time_ns", source.time[row]), " ns (", gdsimTimes.exact(source.time[row]), "): ", bold];
    if (source.binned)
      return [...parts, ` on average, between ${source.min[row]} and ${source.max[row]}; on average `,
              field("mean_running", running.toFixed(4)), " running, ", field("mean_stalled", (resident - running).toFixed(4)),
              " stalled"];
    return [...parts, "; ", field("threads_running", running), " running, ",
            field("threads_stalled", resident - running), " stalled; ", field("work_groups_resident", source.groups[row]),
            ` ${words.work_group}s, `, field("work_groups_partial", source.partial[row]), " of them in part; ",
            field("cores_busy", source.busy[row]), ` ${words.core}s busy; `, field("slm_bytes", source.slm[row]),
            ` B of ${words.slm}`];
  };

  const coreParts = (area) => {
    const source = area && data[area.dataset.series];
    if (!source?.resident || area.dataset.series === "device") return [];
    const row = rowAt(source.time.map(Number), shown);
    if (row < 0) return [];
    return [`; ${words.core} ${area.dataset.series.slice(5)}: `, field("core_threads_resident", source.resident[row]),
            ` of ${data.per_core}${source.binned ? " on average" : ""}`];
  };

  /// What a group of cores holds, such as a shader engine.
  const groupTimes = (data.core_groups ?? []).map((group) => group?.time.map(Number));
  const coreGroupParts = (area) => {
    const number = area?.dataset.series?.match(/^core-group-(\d+)$/)?.[1];
    if (number === undefined) return [];
    const group = data.core_groups[number], row = rowAt(groupTimes[number], shown);
    if (row < 0) return [];
    return [`; ${group.name}: `, field("group_threads_resident", group.resident[row]),
            ` of ${group.contexts}${group.binned ? " on average" : ""}`];
  };

  /// A value of time_use.csv, a mean over its interval.
  const use = (name, value) => {
    const element = document.createElement("span");
    element.dataset.use = name;
    element.textContent = value;
    return element;
  };
  const useTimes = data.time_use?.time.map(Number);
  const useParts = () => {
    if (!useTimes) return [];
    const row = rowAt(useTimes, shown);
    if (row < 0) return [];
    const found = data.time_use.columns.filter(({means}) => means[row] > 0).flatMap(({name, words: what, means}) =>
      [`${what} `, use(name, (means[row] / 1e4).toFixed(4)), ", "]).slice(0, -1);
    const until = row + 1 < useTimes.length ? useTimes[row + 1] : end;
    return found.length === 0 ? []
      : [`; on average from ${page.exactTime(useTimes[row])} to ${page.exactTime(until)}: `, ...found];
  };

  // ---- The map of a device of many cores: its rows are exact where the page has the data.
  const heatTimes = data.heat?.time?.map(Number);
  const shadesByRow = [];
  const readShades = (svg) => {
    const rowHeight = svg.viewBox.baseVal.height / data.heat.rows;
    for (const path of svg.querySelectorAll("path[class^=h]"))
      for (const [, left, y, right] of path.getAttribute("d").matchAll(/M(\d+) (\d+)H(\d+)/g))
        (shadesByRow[Math.floor(y / rowHeight)] ??= []).push(
          {left: Number(left), right: Number(right), shade: Number(path.getAttribute("class").slice(1))});
  };
  /// `25 to 37.5`: the percents that have one shade.
  const shadeText = (shade) => {
    const between = data.heat.shades - 2;
    if (shade === 0 || shade > between) return shade === 0 ? "0" : "100";
    return `${100 * (shade - 1) / between} to ${100 * shade / between}`;
  };
  const heatParts = (row) => {
    if (row === undefined) return [];
    const {cores, per_row: perRow, bin_ns: bin, steps} = data.heat;
    const first = row * perRow, last = Math.min(first + perRow, cores) - 1;
    const name = first === last ? `; ${words.core} ${first}: ` : `; ${words.core}s ${first} to ${last}: `;
    if (steps) {
      const now = rowAt(heatTimes, shown);
      let held = 0;
      for (let i = 0; i < steps[row].length && steps[row][i] <= now; i += 2) held = steps[row][i + 1];
      return [name, field("core_threads_resident", held), ` of ${data.per_core}`];
    }
    const unit = WIDTH * (shown - start) / (end - start);
    const found = (shadesByRow[row] ?? []).find(({left, right}) => left <= unit && unit < right);
    return [name, field("core_percent_range", shadeText(found?.shade ?? 0)),
            ` % full by the shade, which is a mean over about ${gdsimTimes.exact(bin)}`];
  };

  /// Which launches are in flight.
  let lanes = null;
  const flightParts = () => {
    if (!lanes || data.launches.total < 2) return [];
    const names = lanes.inFlight(shown).map((name) => (name.length > 24 ? `${name.slice(0, 24)}…` : name)), max = 3;
    if (names.length === 0) return ["; no launch is in flight"];
    const shownNames = document.createElement("span");
    shownNames.dataset.flight = names.length;
    shownNames.textContent = names.slice(0, max).join(", ");
    return ["; in flight: ", shownNames, names.length > max ? ` and ${names.length - max} more` : ""];
  };

  const deviceTimes = data.device.time.map(Number);
  const show = (time, area, heatRow) => {
    shown = time;
    const isInside = time !== null && time >= from && time <= to;
    for (const plot of plots) if (plot.area !== area) plot.place(isInside ? time : null);
    for (const cursor of cursors) {
      cursor.style.display = isInside ? "block" : "none";
      if (isInside) cursor.style.left = `${100 * share(time)}%`;
    }
    const row = time === null ? -1 : rowAt(deviceTimes, time);
    if (row < 0) write(["Point at a picture for its values; drag to zoom, double-click for the whole run."]);
    else write([...deviceParts(data.device, row), ...useParts(), ...coreParts(area), ...coreGroupParts(area), ...heatParts(heatRow), ...flightParts()]);
    for (const watch of watchers) watch();
  };
  const go = (direction) => {
    const row = shown === null ? (direction > 0 ? -1 : deviceTimes.length) : rowAt(deviceTimes, shown);
    const next = Math.min(Math.max(row + direction, 0), deviceTimes.length - 1);
    if (deviceTimes[next] < from || deviceTimes[next] > to) zoom(start, end);
    show(deviceTimes[next], null);
    announce(readout.textContent);
  };

  // ---- Controls.
  const controls = document.getElementById("controls");
  for (const [label, name, action] of [
    ["Whole run", "whole", () => zoom(start, end)], ["Zoom in", "in", () => scale(0.5)],
    ["Zoom out", "out", () => scale(2)], ["◀ Previous change", "previous", () => go(-1)],
    ["Next change ▶", "next", () => go(1)]])
    make("button", controls, {type: "button", textContent: label, id: `go-${name}`, onclick: action});
  if (data.shown !== undefined) {
    const button = make("button", controls, {type: "button", textContent: "Whole device", id: "go-scale"});
    button.setAttribute("aria-pressed", "false");
    button.onclick = () => {
      isWholeDevice = !isWholeDevice;
      button.setAttribute("aria-pressed", String(isWholeDevice));
      for (const axis of document.querySelectorAll("figure:not(#run-bands) [data-scale]"))
        axis.hidden = (axis.dataset.scale === "device") !== isWholeDevice;
      for (const {u, series} of plots) u.setScale("y", {min: 0, max: series.top()});
      zoom(from, to);
      announce(isWholeDevice ? "Axes show the whole device" : "Axes end above what is held");
    };
  }
  const readout = make("p", controls, {id: "readout"});
  readout.setAttribute("aria-live", "off");
  const announce = gdsimSelection.makeStatus(controls);

  /// What the figures that are drawn here share with the others.
  const page = {
    data, start, end, words, css, make, title: document.getElementById("case")?.dataset.case ?? document.querySelector("h1").textContent, announce, addPointer, zoom: (low, high) => zoom(low, high), move,
    cores: data.heat?.cores ?? Object.keys(data).filter((name) => name.startsWith("core-")).length,
    exactTime: (ns) => gdsimTimes.exact(Math.max(ns, 0).toFixed(3)),
    get from() { return from; }, get to() { return to; }, get shown() { return shown; },
    show: (time) => show(time, null),
    onDraw: (draw) => drawn.push(draw),
    onShow: (watch) => watchers.push(watch),
  };
  controls.hidden = false;
  document.documentElement.classList.add("scripted");
  for (const element of document.querySelectorAll("[data-from]")) {
    const isRow = element.localName === "tr";
    const name = element.dataset.name ?? (isRow ? `phase ${element.cells[0].textContent}` : `phase: ${element.title}`);
    const zoomHere = () => {
      zoom(timeOf(element.dataset.from), timeOf(element.dataset.to));
      announce(`Zoomed to ${name}`);
    };
    (isRow ? gdsimSelection.makeRowButton : gdsimSelection.makeButton)(element, `Zoom to ${name}`, zoomHere);
  }

  for (const area of document.querySelectorAll(".area")) {
    if (area.dataset.series === "none") continue;  // with a time axis of its own
    const series = area.dataset.series && seriesOf(area.dataset.series);
    if (series) addPlot(area, series); else addPicture(area);
  }
  gdsimMinimap.attach(page, controls);
  lanes = gdsimLanes.attach(page);
  const colours = lanes?.colours ?? [];
  const shownLaunch = new Map((data.launches?.number ?? []).map((number, i) => [number, i]));
  const kernelOf = (launch) => data.launches.kernel[shownLaunch.get(launch)];
  page.colourOf = (launch) => colours[kernelOf(launch)]?.variable ?? "--run";
  page.launchName = (launch) => data.launches.name[shownLaunch.get(launch)] ?? `launch ${launch}`;
  gdsimGroups.attach(page);
  const others = gdsimOtherRuns.make(page);
  gdsimDispatch.attach(page, others);
  for (const table of document.querySelectorAll("table[id]:has([data-value])")) gdsimSorting.attach(table, announce);
  for (const row of document.querySelectorAll("tr[data-kernel]")) {
    const kernel = data.launches.kernel_numbers.indexOf(Number(row.dataset.kernel));
    if (!lanes || kernel < 0) continue;
    gdsimSelection.makeRowButton(row, `Show launches of ${row.cells[0].textContent} only, or all`,
      () => lanes.showKernel(kernel));
    const chip = document.createElement("i");
    gdsimLanes.paintChip(chip, colours[kernel]);
    row.cells[0].prepend(chip);
  }
  gdsimBeside.attach(page, document.querySelector("main"), document.querySelector("main > :last-child"), others);
  others.begin();
  const help = document.createElement("details");
  help.className = "keys";
  controls.after(help);
  make("summary", help, {textContent: "Keys"});
  const list = make("dl", help);
  for (const [names, what] of [
    [["Tab"], "move to the overview, the lanes, the work-groups, the phases and the table rows"],
    [["+", "-", "0"], "zoom in, zoom out, show the whole run"], [["n", "p"], "next change, previous change"],
    [["←", "→"], "in the overview: move the visible range; elsewhere: previous or next launch or work-group"],
    [["↑", "↓"], "previous or next lane or core"], [["Enter", "Esc"], "zoom to the selection, reset the zoom"], [["/"], "search, in lanes"]]) {
    const term = make("dt", list);
    for (const name of names) {
      make("kbd", term, {textContent: name});
      term.append(" ");
    }
    make("dd", list, {textContent: what});
  }
  // Wherever a figure or the map of the run has the focus.
  const keys = {"+": () => scale(0.5), "=": () => scale(0.5), "-": () => scale(2), 0: () => zoom(start, end),
                n: () => go(1), p: () => go(-1)};
  document.addEventListener("keydown", (event) => {
    const action = event.target.closest?.(".area, #minimap") && !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  new ResizeObserver(() => {
    for (const plot of plots) {
      plot.u.setSize({width: plot.area.clientWidth, height: plot.area.clientHeight});
      drawBins(plot);
      plot.u.setScale("x", {min: from, max: to});
    }
    drawAxes();
    for (const draw of drawn) draw();
  }).observe(document.querySelector(".area"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const {u} of plots) u.redraw();
    for (const draw of drawn) draw();
  });
  // On paper nothing can be opened.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
    isOnPaper = true;
    for (const draw of drawn) draw();
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
    isOnPaper = false;
    for (const draw of drawn) draw();
  });
  zoom(start, end);
  globalThis.gdsimRun = page;  // for the script of a page that is served
})();
