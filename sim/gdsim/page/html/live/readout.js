// The values at the instant under the pointer, as the CSV files write them.
const gdsimReadout = (() => {
  "use strict";
  const {rowAt} = gdsimPlots;
  const percent = (threads, whole) => (Math.round((threads * 1e6) / whole) / 1e4).toFixed(4);

  const field = (name, text, value) => {
    const element = document.createElement("span");
    element.dataset.field = name;
    element.textContent = text;
    if (value !== undefined) element.dataset.value = value;
    return element;
  };

  /// What the device holds.
  const deviceParts = ({data, words}, row) => {
    const source = data.device;
    const resident = source.resident[row],
      running = source.running[row];
    const bold = document.createElement("b");
    bold.append(
      field("threads_resident", resident),
      ` ${words.thread}s · `,
      field("occupancy_percent", percent(resident, data.contexts)),
      " %",
    );
    const parts = ["from ", field("time_ns", gdsimTimes.exact(source.time[row]), source.time[row]), ": ", bold];
    if (source.binned)
      return [
        ...parts,
        ` on average, between ${source.min[row]} and ${source.max[row]}; on average `,
        field("mean_running", running.toFixed(4)),
        " running, ",
        field("mean_stalled", (resident - running).toFixed(4)),
        " stalled",
      ];
    return [
      ...parts,
      "; ",
      field("threads_running", running),
      " running, ",
      field("threads_stalled", resident - running),
      " stalled; ",
      field("work_groups_resident", source.groups[row]),
      ` ${words.work_group}s, `,
      field("work_groups_partial", source.partial[row]),
      " of them in part; ",
      field("cores_busy", source.busy[row]),
      ` ${words.core}s busy; `,
      field("slm_bytes", source.slm[row]),
      ` B of ${words.slm}`,
    ];
  };

  /// What one core holds that is drawn in a lane.
  const coreParts = ({data, coreName}, area, time) => {
    const source = area && data[area.dataset.series];
    if (!source?.resident || area.dataset.series === "device") return [];
    const row = rowAt(source.time.map(Number), time);
    if (row < 0) return [];
    return [
      `; ${coreName(Number(area.dataset.series.slice(5)))}: `,
      field("core_threads_resident", source.resident[row]),
      ` of ${data.per_core}${source.binned ? " on average" : ""}`,
    ];
  };

  /// What a group of cores holds, such as a shader engine.
  const makeCoreGroupParts = ({data}) => {
    const times = (data.core_groups ?? []).map((group) => group?.time.map(Number));
    return (area, time) => {
      const number = area?.dataset.series?.match(/^core-group-(\d+)$/)?.[1];
      if (number === undefined) return [];
      const group = data.core_groups[number],
        row = rowAt(times[number], time);
      if (row < 0) return [];
      return [
        `; ${group.name}: `,
        field("group_threads_resident", group.resident[row]),
        ` of ${group.contexts}${group.binned ? " on average" : ""}`,
      ];
    };
  };

  /// Where the time goes: means over an interval, as in time_use.csv.
  const makeUseParts = (page) => {
    const {data} = page;
    const times = data.time_use?.time.map(Number);
    const use = (name, value) => {
      const element = document.createElement("span");
      element.dataset.use = name;
      element.textContent = value;
      return element;
    };
    return (time) => {
      const row = times ? rowAt(times, time) : -1;
      if (row < 0) return [];
      const found = data.time_use.columns
        .filter(({means}) => means[row] > 0)
        .flatMap(({name, words, means}) => [`${words} `, use(name, (means[row] / 1e4).toFixed(4)), ", "])
        .slice(0, -1);
      const until = row + 1 < times.length ? times[row + 1] : page.end;
      return found.length === 0 ? [] : [`; on average for ${page.exactTime(until - times[row])}: `, ...found];
    };
  };

  /// The shades of a map of cores, by row, for maps whose cores are too many to list.
  const shadesOf = (svg, data) => {
    const rows = [];
    const rowHeight = svg.viewBox.baseVal.height / data.heat.rows;
    for (const path of svg.querySelectorAll("path[class^=h]"))
      for (const [, left, y, right] of path.getAttribute("d").matchAll(/M(\d+) (\d+)H(\d+)/g))
        (rows[Math.floor(y / rowHeight)] ??= []).push({
          left: Number(left),
          right: Number(right),
          shade: Number(path.getAttribute("class").slice(1)),
        });
    return rows;
  };

  /// `25 to 37.5`: the percents that have one shade.
  const shadeText = (shade, shades) => {
    const between = shades - 2;
    if (shade === 0 || shade > between) return shade === 0 ? "0" : "100";
    return `${(100 * (shade - 1)) / between} to ${(100 * shade) / between}`;
  };

  /// A row of the map of many cores: exact where the page has its steps.
  const makeHeatParts = (page) => {
    const {data, words} = page;
    const times = data.heat?.time?.map(Number);
    const svg = document.querySelector("#heat svg");
    const shades = data.heat && !data.heat.steps && svg ? shadesOf(svg, data) : [];
    return (row, time) => {
      if (row === undefined) return [];
      const {cores, per_row: perRow, bin_ns: bin, steps} = data.heat;
      const first = row * perRow,
        last = Math.min(first + perRow, cores) - 1;
      const name = first === last ? `; ${page.coreName(first)}: ` : `; ${words.core}s ${first} to ${last}: `;
      if (steps) {
        const now = rowAt(times, time);
        let held = 0;
        for (let i = 0; i < steps[row].length && steps[row][i] <= now; i += 2) held = steps[row][i + 1];
        return [name, field("core_threads_resident", held), ` of ${data.per_core}`];
      }
      const unit = page.unitOf(time);
      const found = (shades[row] ?? []).find(({left, right}) => left <= unit && unit < right);
      return [
        name,
        field("core_percent_range", shadeText(found?.shade ?? 0, data.heat.shades)),
        ` % full by the shade, which is a mean over about ${gdsimTimes.exact(bin)}`,
      ];
    };
  };

  /// Which launches are in flight.
  const flightParts = (page, lanes, time) => {
    if (!lanes || page.data.launches.total < 2) return [];
    const max = 3;
    const names = lanes.inFlight(time).map((name) => (name.length > 24 ? `${name.slice(0, 24)}…` : name));
    if (names.length === 0) return ["; no launch is in flight"];
    const shown = document.createElement("span");
    shown.dataset.flight = names.length;
    shown.textContent = names.slice(0, max).join(", ");
    return ["; in flight: ", shown, names.length > max ? ` and ${names.length - max} more` : ""];
  };

  const IDLE =
    "Point at a picture for its values. Drag to select a range, Ctrl and the wheel or W and S zoom, A and D move, " +
    "a double click shows the whole run.";

  /// Returns what writes the values at an instant, for the area and the row of its map that the pointer is in.
  const make = (page, element) => {
    const times = page.data.device.time.map(Number);
    const coreGroupParts = makeCoreGroupParts(page),
      useParts = makeUseParts(page),
      heatParts = makeHeatParts(page);
    return (time, area, heatRow, lanes) => {
      const row = time === null ? -1 : rowAt(times, time);
      if (row < 0) {
        element.replaceChildren(IDLE);
        return;
      }
      element.replaceChildren(
        ...deviceParts(page, row),
        ...coreParts(page, area, time),
        ...coreGroupParts(area, time),
        ...heatParts(heatRow, time),
        ...flightParts(page, lanes, time),
        ...useParts(time),
      );
    };
  };

  return {make};
})();
