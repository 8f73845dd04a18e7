// This run beside another, whose page is opened from a file: how long both take, occupancy over time, kernel by kernel.
const gdsimBeside = (() => {
  "use strict";
  const MAX_BYTES = 8e6,
    HEIGHT = 160;

  const isColumn = (column) =>
    Array.isArray(column) && column.length > 0 && column.every((one) => Number.isFinite(Number(one)));

  /// What a page says of its run; nothing if it is no page of a run.
  const runIn = (parsed) => {
    let data;
    try {
      data = JSON.parse(parsed.getElementById("data").textContent);
    } catch {
      return null;
    }
    const device = data?.device;
    if (!isColumn(device?.time) || !isColumn(device?.resident) || device.time.length !== device.resident.length)
      return null;
    if (!(Number(data.end) > Number(data.start)) || !(Number(data.contexts) > 0)) return null;
    const kernels = [...parsed.querySelectorAll("#kernels tbody tr")].map(({cells}) => ({
      name: cells[0]?.textContent ?? "",
      launches: Number(cells[1]?.dataset.value),
      sum: cells[2]?.dataset.value === undefined ? NaN : Number(cells[2].dataset.value),
    }));
    return {
      title: (parsed.querySelector("h1")?.textContent ?? "").slice(0, 200),
      device: (parsed.querySelector(".device bdi")?.textContent ?? "").slice(0, 200),
      outcome: (parsed.querySelector(".headline dd")?.textContent ?? "").slice(0, 40),
      lasts: Number(data.end) - Number(data.start),
      times: device.time.map((time) => Number(time) - Number(data.start)),
      percents: device.resident.map((resident) => (100 * resident) / data.contexts),
      kernels,
    };
  };

  const change = (before, after) => {
    if (!(before > 0) || !Number.isFinite(after)) return "–";
    const percent = (100 * (after - before)) / before;
    return `${percent > 0 ? "+" : ""}${percent.toFixed(1)} %`;
  };

  const attach = (page, parent, before) => {
    const section = document.createElement("section");
    section.id = "beside";
    parent.insertBefore(section, before);
    page.make("h2", section, {textContent: "Beside another run"});
    const label = page.make("label", section, {textContent: "Page of the other run: "});
    const input = page.make("input", label, {type: "file", accept: ".html,text/html", id: "beside-file"});
    const status = page.make("p", section, {
      className: "note",
      id: "beside-said",
      textContent:
        "Open a page that gdsim report wrote, of another case or another device. The file stays on this computer.",
    });
    status.setAttribute("role", "status");
    const shown = page.make("div", section);
    let own = null;
    let other = null;
    let canvasOf = null;

    const table = (caption, header, rows) => {
      const box = page.make("div", shown, {className: "wide", tabIndex: 0});
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", caption);
      const element = page.make("table", box);
      page.make("caption", element, {textContent: caption});
      const head = page.make("tr", page.make("thead", element));
      header.forEach((name, i) =>
        page.make("th", head, {textContent: name, scope: "col", className: i === 0 ? "name" : ""}),
      );
      const body = page.make("tbody", element);
      for (const cells of rows) {
        const row = page.make("tr", body);
        cells.forEach((text, i) =>
          page.make(i === 0 ? "th" : "td", row, {textContent: text, className: i === 0 ? "name" : "", scope: "row"}),
        );
      }
    };
    const time = (nanoseconds) => (Number.isFinite(nanoseconds) ? page.exactTime(nanoseconds) : "–");
    const draw = () => {
      if (!other || !canvasOf) return;
      const {context, width, height} = gdsimCanvas.prepare(page, canvasOf);
      const last = Math.max(own.lasts, other.lasts);
      const max = Math.max(1e-9, ...own.percents, ...other.percents);
      const line = (run, colour, dash) => {
        context.strokeStyle = page.css(colour);
        context.lineWidth = 2;
        context.setLineDash(dash);
        context.beginPath();
        run.times.forEach((at, i) => {
          const y = height - 2 - (run.percents[i] / max) * (height - 8);
          const right = i + 1 < run.times.length ? run.times[i + 1] : run.lasts;
          context[i === 0 ? "moveTo" : "lineTo"]((at / last) * width, y);
          context.lineTo((right / last) * width, y);
        });
        context.lineTo((run.lasts / last) * width, height - 2);
        context.stroke();
        context.setLineDash([]);
      };
      line(own, "--run", []);
      line(other, "--wait", [6, 3]);
    };
    const show = () => {
      shown.replaceChildren();
      const names = {own: `this run: ${own.title}`, other: `the other: ${other.title}`};
      const figure = page.make("figure", shown);
      const max = Math.max(...own.percents, ...other.percents);
      page.make("figcaption", figure, {
        textContent:
          `Occupancy of both from their first dispatch to ${time(Math.max(own.lasts, other.lasts))}; ` +
          `the axis ends at ${max.toFixed(1)} %`,
      });
      const plot = page.make("div", figure, {className: "plot"});
      plot.style.setProperty("--height", `${HEIGHT}px`);
      const area = page.make("div", plot, {className: "area drawn"});
      area.dataset.series = "none";
      const canvas = page.make("canvas", area);
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `Occupancy over time of ${names.own} and ${names.other}`);
      canvasOf = {area, canvas};
      const legend = page.make("p", figure, {className: "legend"});
      for (const [kind, text] of Object.entries(names)) {
        const entry = page.make("span", legend);
        page.make("i", entry, {className: `line-${kind}`});
        page.make("bdi", entry, {textContent: text});
      }
      table(
        "Both runs",
        ["", "this run", "the other", "change"],
        [
          ["device", own.device, other.device, ""],
          ["outcome", own.outcome, other.outcome, ""],
          ["from the first dispatch", time(own.lasts), time(other.lasts), change(own.lasts, other.lasts)],
        ],
      );
      const found = new Map(other.kernels.map((kernel) => [kernel.name, kernel]));
      const rows = own.kernels.map((kernel) => {
        const match = found.get(kernel.name);
        found.delete(kernel.name);
        return [
          kernel.name,
          String(kernel.launches),
          match ? String(match.launches) : "–",
          time(kernel.sum / 1000),
          match ? time(match.sum / 1000) : "–",
          match ? change(kernel.sum, match.sum) : "only in this run",
        ];
      });
      for (const kernel of found.values())
        rows.push([kernel.name, "–", String(kernel.launches), "–", time(kernel.sum / 1000), "only in the other"]);
      table(
        "Kernels and copies, matched by name",
        ["kernel", "launches here", "launches there", "sum here", "sum there", "change"],
        rows,
      );
      draw();
    };
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (!file) return;
      other = file.size <= MAX_BYTES ? runIn(new DOMParser().parseFromString(await file.text(), "text/html")) : null;
      own ??= runIn(document);
      if (other) show();
      else shown.replaceChildren();
      status.textContent = other
        ? `${other.title} takes ${time(other.lasts)} from its first dispatch, this run ${time(own.lasts)}: ` +
          `${change(own.lasts, other.lasts)}.`
        : `${file.name} is no page of a run that gdsim report wrote.`;
    });
    page.onDraw(draw);
  };

  return {attach};
})();
