// This run beside another: how long both take, occupancy over time, kernel by kernel.
const gdsimBeside = (() => {
  "use strict";
  const MAX_BYTES = 8e6,
    HEIGHT = 160;

  const change = (before, after) => {
    if (!(before > 0) || !Number.isFinite(after)) return "–";
    const percent = (100 * (after - before)) / before;
    return `${percent > 0 ? "+" : ""}${percent.toFixed(1)} %`;
  };

  /// Pairs of kernels: of one name, then, of those left, with a number of work-groups that no other has.
  const pairs = (own, other) => {
    const left = new Set(other);
    const found = own.map((kernel) => {
      const match = other.find(({name}) => name === kernel.name) ?? null;
      left.delete(match);
      return {kernel, match, isByWorkGroups: false};
    });
    const only = (list, count) => list.filter(({workGroups}) => workGroups === count).length === 1;
    const unmatched = found.filter(({match}) => !match).map(({kernel}) => kernel);
    for (const pair of found) {
      const {workGroups: count} = pair.kernel;
      if (pair.match || !(count > 0) || !only(unmatched, count) || !only([...left], count)) continue;
      pair.match = [...left].find(({workGroups}) => workGroups === count);
      pair.isByWorkGroups = true;
      left.delete(pair.match);
    }
    return {found, left: [...left]};
  };

  const attach = (page, parent, before, others) => {
    const section = document.createElement("section");
    section.id = "beside";
    parent.insertBefore(section, before);
    page.make("h2", section, {textContent: "Beside another run"});
    others.addChooser(page.make("p", section), "beside-case", "The other run: ");
    const label = page.make("label", section, {textContent: "Page of another run: "});
    const input = page.make("input", label, {type: "file", accept: ".html,text/html", id: "beside-file"});
    const noRun =
      "Open a page that gdsim report wrote, of another case or another device. The file stays on this computer.";
    const status = page.make("p", section, {
      className: "note",
      id: "beside-said",
      textContent: noRun,
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
          i === 0
            ? page.make("th", row, {textContent: text, className: "name", scope: "row"})
            : page.make("td", row, {textContent: text}),
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
        ["quantity", "this run", "other run", "change"],
        [
          ["device", own.device, other.device, ""],
          ["outcome", own.outcome, other.outcome, ""],
          ["from the first dispatch", time(own.lasts), time(other.lasts), change(own.lasts, other.lasts)],
        ],
      );
      const {found, left} = pairs(own.kernels, other.kernels);
      const rows = found.map(({kernel, match, isByWorkGroups}) => [
        isByWorkGroups ? `${kernel.name} (other run: ${match.name}, same number of ${page.words.work_group}s)` : kernel.name,
        String(kernel.launches),
        match ? String(match.launches) : "–",
        time(kernel.sum / 1000),
        match ? time(match.sum / 1000) : "–",
        match ? change(kernel.sum, match.sum) : "only in this run",
      ]);
      for (const kernel of left)
        rows.push([kernel.name, "–", String(kernel.launches), "–", time(kernel.sum / 1000), "only in the other"]);
      table(
        `Kernels and copies, matched by name, then by their number of ${page.words.work_group}s`,
        ["kernel", "launches here", "launches there", "sum here", "sum there", "change"],
        rows,
      );
      draw();
    };
    const say = (run) =>
      `From the first dispatch to the end: this run ${time(own.lasts)}, ${run.title} ${time(run.lasts)}, ` +
      `${change(own.lasts, run.lasts)}.`;
    input.addEventListener("change", async () => {
      const [file] = input.files;
      if (!file) return;
      if (file.size > MAX_BYTES) {
        status.textContent = `${file.name} is larger than ${MAX_BYTES / 1e6} MB.`;
        return;
      }
      const text = await file.text();
      const run = gdsimOtherRuns.runIn(new DOMParser().parseFromString(text, "text/html"));
      if (run) others.add(file.name, run);
      else status.textContent = `${file.name} is not the page of a run. Open a file that gdsim report wrote.`;
    });
    others.onChange((run) => {
      other = run;
      own ??= gdsimOtherRuns.runIn(document);
      if (other && own) show();
      else shown.replaceChildren();
      status.textContent = other && own ? say(other) : noRun;
    });
    page.onDraw(draw);
  };

  return {attach};
})();
