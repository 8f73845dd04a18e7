// Runs that this one can be put beside: the other cases of the page, and one whose page is opened from a file. One of
// them at most is chosen, for all figures that show two runs.
const gdsimOtherRuns = (() => {
  "use strict";
  const isColumn = (column) =>
    Array.isArray(column) && column.length > 0 && column.every((one) => Number.isFinite(Number(one)));

  /// What a page says of its run, in a document or a template; null if it is no page of a run.
  const runIn = (root, title) => {
    let data;
    try {
      data = JSON.parse(root.getElementById("data").textContent);
    } catch {
      return null;
    }
    const device = data?.device;
    if (!isColumn(device?.time) || !isColumn(device?.resident) || device.time.length !== device.resident.length)
      return null;
    if (!(Number(data.end) > Number(data.start)) || !(Number(data.contexts) > 0)) return null;
    const kernels = [...root.querySelectorAll("#kernels tbody tr")].map(({cells, dataset}) => ({
      name: cells[0]?.textContent ?? "",
      workGroups: Number(dataset.workGroups ?? 0),
      launches: Number(cells[1]?.dataset.value),
      sum: cells[2]?.dataset.value === undefined ? NaN : Number(cells[2].dataset.value),
    }));
    return {
      data,
      title: (title ?? root.querySelector("h1")?.textContent ?? "").slice(0, 200),
      device: (root.querySelector(".device bdi")?.textContent ?? "").slice(0, 200),
      outcome: (root.querySelector(".headline dd")?.textContent ?? "").slice(0, 40),
      lasts: Number(data.end) - Number(data.start),
      times: device.time.map((time) => Number(time) - Number(data.start)),
      percents: device.resident.map((resident) => (100 * resident) / data.contexts),
      kernels,
    };
  };

  const make = (page) => {
    const choices = [...document.querySelectorAll("template[data-case]")].map(({dataset, content}) => ({
      name: dataset.case,
      run: () => runIn(content, dataset.case),
    }));
    const watchers = [],
      choosers = [];
    let chosen = null;
    const choose = (choice) => {
      chosen = choice;
      const run = choice?.run() ?? null;
      for (const {box, select} of choosers) {
        select.value = String(choices.indexOf(choice));
        box.hidden = choices.length === 0;
      }
      for (const watch of watchers) watch(run);
    };
    const fill = (select) => {
      select.replaceChildren();
      page.make("option", select, {value: "-1", textContent: "no other run"});
      choices.forEach(({name}, i) => page.make("option", select, {value: String(i), textContent: name.slice(0, 100)}));
    };
    return {
      /// A list to choose from, hidden while there is nothing to choose.
      addChooser: (parent, id, text) => {
        const box = page.make("label", parent, {textContent: text, hidden: choices.length === 0});
        const select = page.make("select", box, {id});
        fill(select);
        select.addEventListener("change", () => choose(choices[Number(select.value)] ?? null));
        choosers.push({box, select});
      },
      /// Calls `watch` with the chosen run, or null: now, and whenever it changes.
      onChange: (watch) => {
        watchers.push(watch);
        watch(chosen?.run() ?? null);
      },
      add: (name, run) => {
        choices.push({name, run: () => run});
        for (const {select} of choosers) fill(select);
        choose(choices.at(-1));
      },
      /// Of two runs on a page, the other one is of interest at once.
      begin: () => {
        if (choices.length === 1) choose(choices[0]);
      },
    };
  };

  return {make, runIn};
})();
