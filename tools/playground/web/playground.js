// The page: it runs the text on the left and shows the results on the right.
"use strict";

const element = (id) => document.getElementById(id);

const editor = new Editor(element("editor"), {
  complete: (before, all) => Completion.complete(before, all, devices),
  onChange: () => changed(),
});
const controls = new Controls(element("controls"), () => changed());
const opened = Engine.open();
const importPanel = new ImportPanel(element("import"), {
  run: async (request) => (await opened).request("import", request),
  open: (file, text) => {
    openScenario({name: file, text, only_case: "", device: "", values: []});
    changed();
  },
});

let engine; // set if the browser supports it
let devices = [];
let examples = [];
let fileName = "scenario.yaml";
/// The selected case; empty: the first.
let onlyCase = "";
let files = [];
let page = "";

const say = (text) => (element("status").textContent = text);

function state() {
  const values = controls.overrides;
  return {name: fileName, text: editor.text, only_case: onlyCase, device: element("device").value, values};
}

function requested() {
  const {name, text, only_case, device, values} = state();
  return {name, text, only_case, overrides: device === "" ? values : [["device", device], ...values]};
}

/// Runs the current text. Drops an earlier request that still waits.
async function run() {
  document.body.dataset.state = "running";
  try {
    const answer = await engine.request("run", requested());
    if (answer !== null) show(answer);
  } catch (error) {
    showProblems([{line: 0, column: 0, place: "", message: error.message}], 0);
    document.body.dataset.state = "stopped";
  }
}

/// The fragment that this page wrote last.
let ownFragment = "";

/// Writes the scenario to the address. Returns true if that succeeded.
async function writeAddress() {
  try {
    ownFragment = await Link.write(state());
    history.replaceState(null, "", ownFragment);
    return true;
  } catch (error) {
    say(error.message);
    return false;
  }
}

let addressTimer;
/// Must be called after every change: updates the results and the address.
function changed() {
  run();
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, 400);
}

function show(answer) {
  if (answer.cases !== null) fillCases(answer.cases);
  showProblems(answer.problems, answer.more);
  document.body.dataset.state = answer.problems.length === 0 ? "done" : "wrong";
  if (answer.problems.length > 0) return;
  element("case").value = answer.case;
  controls.show(answer.controls);
  files = answer.files;
  page = answer.page;
  fillFiles();
  showPage(page);
}

function showProblems(problems, more) {
  editor.show(problems.filter(({line, place}) => line > 0 && place === ""));
  const rest = more > 0 ? [{line: 0, column: 0, place: "", message: `${more} more problems`}] : [];
  element("problems").replaceChildren(
    ...problems.concat(rest).map(({line, column, place, message}) => {
      const item = document.createElement("li");
      if (line > 0 && place === "") {
        const go = document.createElement("button");
        go.type = "button";
        go.textContent = `line ${line}`;
        go.addEventListener("click", () => editor.goTo(line, column));
        item.append(go, " ");
      } else if (place !== "") {
        item.append(`${place}: `);
      }
      item.append(message);
      return item;
    }),
  );
}

/// Alternates two frames so that the page does not flicker: the hidden one loads, then it is shown.
function showPage(html) {
  const [shown, next] = [shownFrame(), document.querySelector("iframe.back")];
  next.onload = () => {
    next.className = "";
    shown.className = "back";
    document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1);
  };
  const head = `<head>\n<meta name="gdsim-scroll" content="${scrolled}"><script>${frameScript}</script>`;
  next.srcdoc = html.replace("<head>", () => head);
}

const shownFrame = () => document.querySelector("iframe:not(.back)");

/// How far the report is scrolled, pixels.
let scrolled = 0;
addEventListener("message", ({source, data}) => {
  const frame = [...document.querySelectorAll("iframe")].find(({contentWindow}) => contentWindow === source);
  if (frame === shownFrame() && Number.isFinite(data?.scrolled)) ({scrolled} = data);
  // A report onto which files were dropped may have been replaced before its message arrives.
  if (frame !== undefined && Array.isArray(data?.dropped)) takeFiles(data.dropped);
});

function fillCases(cases) {
  element("case-choice").hidden = cases.length === 0;
  const shown = [...element("case").options].map(({value}) => value);
  if (JSON.stringify(shown) !== JSON.stringify(cases))
    element("case").replaceChildren(...cases.map((one) => new Option(one)));
  if (onlyCase !== "" && !cases.includes(onlyCase)) {
    // The text no longer has this case.
    onlyCase = "";
    changed();
  }
  if (onlyCase !== "") element("case").value = onlyCase;
}

function save(file, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = file;
  link.click();
  URL.revokeObjectURL(link.href);
}

function fillFiles() {
  const entry = (file, textOf, type) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = file;
    button.addEventListener("click", async () => {
      const text = await textOf();
      if (text === null) say("There is no such file: the current text has not run to completion.");
      else save(file, text, type);
    });
    item.append(button);
    return item;
  };
  const own = fileName.split("/").at(-1) || "scenario.yaml";
  element("files").replaceChildren(
    entry(own, () => editor.text, "application/yaml"),
    entry("report.html", () => page, "text/html"),
    ...files.map((file) => entry(file, () => engine.request("file", {file}), "text/plain")),
  );
}

function openScenario({name: file, text, only_case, device, values}) {
  fileName = file;
  onlyCase = only_case;
  scrolled = 0;
  element("device").value = device;
  controls.overrides = values;
  const example = examples.find((one) => one.file === file);
  element("example").value = example !== undefined && example.text === text ? file : "";
  element("worksheet").hidden = !example?.worksheet;
  element("worksheet").querySelector("div").replaceChildren(...Worksheet.elements(example?.worksheet ?? ""));
  editor.text = text;
}

function openExample(file) {
  const {text} = examples.find((one) => one.file === file);
  openScenario({name: file, text, only_case: "", device: "", values: []});
}

/// The first folder of an example, as its group.
const groupOf = (file) => file.split("/").slice(2, -1)[0] ?? "";
const groupNames = {course: "Course", tutorial: "Tutorial", "": "Scenarios", studies: "Studies", documents: "From documents",
                    profiles: "Imported profiles", calibration: "Calibration"};

function fillGroups(select, entries, groups) {
  for (const [group, label] of groups) {
    const all = document.createElement("optgroup");
    all.label = label;
    all.append(...entries.filter((one) => one.group === group).map(({text, value}) => new Option(text, value)));
    if (all.children.length > 0) select.append(all);
  }
}

async function openAddress() {
  const linked = await Link.read(location.hash);
  if (linked === null) return false;
  openScenario(linked);
  return true;
}

async function begin() {
  say("loading …");
  engine = await opened;
  const catalog = await engine.request("catalog", {});
  ({devices, examples} = catalog);
  const vendors = [...new Set(devices.map(({vendor}) => vendor))].sort();
  const deviceEntries = devices.map(({id, name: product, vendor}) => ({value: id, text: `${id}: ${product}`, group: vendor}));
  element("device").add(new Option("as the scenario says", ""));
  fillGroups(element("device"), deviceEntries, vendors.map((vendor) => [vendor, vendor || "other"]));
  element("example").add(new Option("own", ""));
  const entries = examples.map(({file, title}) => ({value: file, text: title, group: groupOf(file)}));
  fillGroups(element("example"), entries, Object.entries(groupNames));
  say(`version ${catalog.version}`);
  try {
    if (!(await openAddress())) openExample("/scenarios/course/vector_add.yaml");
  } catch (error) {
    openExample("/scenarios/course/vector_add.yaml");
    say(error.message);
  }
  await run();
}

/// Imports files. A chosen device is that of the import.
function takeFiles(list) {
  const files = [...list].filter((one) => one instanceof File);
  const device = element("device").value;
  if (files.length === 0) return;
  importPanel.take(files, device === "" ? "" : `--device ${device}`).catch((error) => say(error.message));
}

addEventListener("dragover", (event) => {
  if (event.dataTransfer.types.includes("Files")) event.preventDefault();
});
addEventListener("drop", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  takeFiles(event.dataTransfer.files);
});
element("choose").addEventListener("click", () => element("chosen").click());
element("chosen").addEventListener("change", ({target}) => {
  takeFiles(target.files);
  target.value = "";
});
element("example").addEventListener("change", ({target}) => {
  if (target.value === "") return;
  openExample(target.value);
  changed();
});
element("device").addEventListener("change", () => changed());
element("case").addEventListener("change", ({target}) => {
  onlyCase = target.value;
  changed();
});
element("controls").addEventListener("submit", (event) => event.preventDefault());
element("link").addEventListener("click", async () => {
  if (!(await writeAddress())) return;
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is in the clipboard; it holds the scenario.");
  } catch {
    say("The address of this page is the link; it holds the scenario.");
  }
});
addEventListener("hashchange", async () => {
  if (location.hash === ownFragment) return;
  try {
    if (await openAddress()) await run();
  } catch (error) {
    say(error.message);
  }
});

begin().catch((error) => say(`The playground cannot start: ${error.message}`));
