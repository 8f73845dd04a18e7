// Opens reports of gdsim in a browser and looks at them: no error, no request, phases readable, exact values, zoom.
//
//   GDSIM=build/release/tools/gdsim SCREENSHOTS=DIR node --test tests/browser/
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {colourDistance, contrastOf, csvRows, gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

const scenarios = {
  vector_add3: join(root, "scenarios/vector_add3.yaml"),
  vector_add4: join(root, "scenarios/vector_add4.yaml"),
  many_cores: join(root, "tests/browser/many_cores.yaml"),
  launch_graph: join(root, "tests/browser/launch_graph.yaml"),
};

let folder;
let browser;
let at;
before(async () => {
  at = await openBrowser();
  ({folder, browser} = at);
  for (const [name, file] of Object.entries(scenarios)) {
    execFileSync(gdsim, ["report", file, "-o", join(folder, `${name}.html`)]);
    execFileSync(gdsim, ["run", file, "-o", join(folder, name)]);
  }
});
after(() => at?.close());

/// A run of more steps than are drawn exactly: work-groups of three threads that all last differently.
function writeLongRun(file, cores = 8) {
  const factors = Array.from({length: 3000}, (_, i) => `${i}: 1.${1000 + i * 7919 % 9000}`).join(", ");
  writeFileSync(file, `scenario: Many steps
device: {base: tiny, cores: ${cores}}
kernels:
  k:
    global: 72000
    local: 24
    sub_group: 8
    program: [compute: 10 us, barrier, compute: 1 us]
    variation: {work_groups: {${factors}}}
launches:
  - kernel: k
`);
}

const open = (name, options) => openPage(browser, join(folder, `${name}.html`), options);

const csv = (name, file) => csvRows(join(folder, name, file));
/// From the first dispatch, with which figures begin, to the end of the run.
const spanOf = (name) => [Number(csv(name, "timeline.csv")[0].time_ns),
  JSON.parse(readFileSync(join(folder, name, "summary.json"), "utf8")).end_ns];
const fields = (page) => page.$$eval("#readout [data-field]",
  (elements) => Object.fromEntries(elements.map((element) => [element.dataset.field, element.dataset.value ?? element.textContent])));
const boxOf = async (page, selector) => (await page.$(selector)).boundingBox();

/// Points at a moment of the run within one plot.
async function point(page, selector, share) {
  await page.$eval(selector, (element) => element.scrollIntoView({block: "center"}));
  const box = await boxOf(page, selector);
  await page.mouse.move(box.x + 1 + (box.width - 2) * share, box.y + box.height / 2);
}

for (const name of Object.keys(scenarios))
  for (const [look, options] of Object.entries({
    light: {}, dark: {dark: true}, narrow: {width: 380}, plain: {script: false}, "plain-dark": {script: false, dark: true}}))
    test(`${name} opens without a complaint or a request: ${look}`, async () => {
      const page = await open(name, options);
      assert.deepEqual(page.faults, []);
      const wide = await overflow(page);
      assert.ok(wide <= 0, `the page is ${wide} pixels wider than the window`);
      await page.screenshot({path: join(screenshots, `${name}-${look}.png`), fullPage: true});
      await page.close();
    });

/// Labels that are on top of each other, in one figure.
const overlaps = (page) => page.evaluate(() => {
  const faults = [];
  for (const holder of document.querySelectorAll(".left, .right, .time, .marks, .legend")) {
    const boxes = [...holder.querySelectorAll(":scope > span")]
      .filter((span) => getComputedStyle(span).display !== "none")
      .map((span) => ({text: span.textContent, box: span.getBoundingClientRect()}));
    for (let i = 0; i < boxes.length; ++i)
      for (let j = i + 1; j < boxes.length; ++j) {
        const a = boxes[i].box, b = boxes[j].box;
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
          faults.push(`${holder.className} of ${holder.closest("figure")?.id}: '${boxes[i].text}' and '${boxes[j].text}'`);
      }
  }
  return faults;
});

for (const name of Object.keys(scenarios))
  for (const width of [1200, 700, 380])
    test(`no label of ${name} lies on another, ${width} pixels wide`, async () => {
      const page = await open(name, {width});
      assert.deepEqual(await overlaps(page), []);
      await page.close();
    });

test("texts and bars stand out from the page, light and dark", async () => {
  for (const dark of [false, true]) {
    const page = await open("vector_add4", {dark});
    for (const [a, b, least] of [
      ["--ink", "--page", 7], ["--soft", "--page", 4.5], ["--soft", "--panel", 4.5], ["--run", "--panel", 3],
      ["--wait", "--panel", 3], ["--copy", "--panel", 3], ["--ink", "--run", 3], ["--wait", "--wait-soft", 2.5]]) {
      const found = await page.evaluate(contrastOf, a, b);
      assert.ok(found >= least, `${a} on ${b}${dark ? ", dark" : ""}: ${found.toFixed(2)}`);
    }
    await page.close();
  }
});

test("the launches show which of them decide the end", async () => {
  const page = await open("launch_graph");
  const rows = await page.$$eval("#launches .left span", (spans) => spans.map((span) => span.textContent));
  assert.deepEqual(rows.filter((row) => row.startsWith("◆")),
    ["◆ image in", "◆ blur", "◆ tiles", "◆ sums out"]);
  assert.equal((await page.$$("#launches .edge")).length, 4);
  assert.match(await page.$eval("#critical-path", (note) => note.textContent), /image in → blur → tiles → sums out/);
  await page.close();
});

test("the phases of VectorAdd4 and 3 stand in the DOM, with and without JavaScript", async () => {
  for (const script of [true, false]) {
    for (const [name, wanted] of [
      ["vector_add4", ["304 threads · 45.2 %", "264 threads · 39.3 %", "80 threads · 11.9 %"]],
      ["vector_add3", ["224 threads · 33.3 %", "96 threads · 14.3 %"]]]) {
      const page = await open(name, {script});
      const marks = await page.$$eval("#device .marks > span", (spans) => spans.map((span) => span.textContent));
      assert.deepEqual(marks, wanted);
      await page.close();
    }
  }
});

test("no phase is cut off by its box, and none of its numbers touches another", async () => {
  for (const name of Object.keys(scenarios))
    for (const width of [1200, 700, 380]) {
      const page = await open(name, {width});
      const faults = await page.$$eval("#device .marks > span", (spans) =>
        spans.filter((span) => {
          const label = span.firstElementChild;
          if (getComputedStyle(label).visibility === "hidden") return false;
          const [a, b] = [...label.querySelectorAll("b")].map((part) => part.getBoundingClientRect());
          const touch = b && a.bottom > b.top + 1 && a.right > b.left - 2;
          return touch || span.scrollWidth > span.clientWidth || span.scrollHeight > span.clientHeight + 1;
        }).map((span) => span.textContent));
      assert.deepEqual(faults, [], `${name}, ${width} pixels wide`);
      await page.close();
    }
});

test("what the pointer reads is what timeline.csv and cores.csv say", async () => {
  for (const name of Object.keys(scenarios)) {
    const page = await open(name);
    const rows = csv(name, "timeline.csv");
    const [start, end] = spanOf(name);
    for (const share of [0.01, 0.2, 0.37, 0.45, 0.61, 0.83, 0.99]) {
      await point(page, "#device .area", share);
      const read = await fields(page);
      const at = start + (end - start) * share;
      const row = rows.filter((row) => Number(row.time_ns) <= at).at(-1);
      for (const [key, value] of Object.entries(read)) assert.equal(value, row[key], `${name} at ${share}: ${key}`);
      assert.equal(Object.keys(read).length, 9);
    }
    if (name !== "many_cores") {
      const row = csv(name, "cores.csv").filter((row) => row.core === "0" && Number(row.time_ns) <= start + (end - start) * 0.3);
      await point(page, "#core-0 .area", 0.3);
      assert.equal((await fields(page)).core_threads_resident, row.at(-1).threads_resident);
    }
    await page.close();
  }
});

test("a run of very many steps is shown in bins: means between a least and a most", async () => {
  const file = join(folder, "long.yaml");
  writeLongRun(file);
  execFileSync(gdsim, ["report", file, "-o", join(folder, "long.html")]);
  execFileSync(gdsim, ["run", file, "-o", join(folder, "long")]);
  assert.ok(csv("long", "timeline.csv").length > 2048);
  const page = await open("long");
  assert.deepEqual(page.faults, []);
  await point(page, "#device .area", 0.4);
  const [, mean, least, most] = (await page.$eval("#readout", (output) => output.textContent))
    .match(/ ([0-9.]+) threads · .* on average, between ([0-9]+) and ([0-9]+); on average /).map(Number);
  assert.ok(least <= mean && mean <= most, `${least} ${mean} ${most}`);
  const {time_ns, mean_running, mean_stalled} = await fields(page);
  assert.ok(Math.abs(Number(mean_running) + Number(mean_stalled) - mean) < 1e-3, `${mean_running} ${mean_stalled} ${mean}`);
  assert.match(await page.$eval("#bins", (note) => note.textContent), /what a bin holds at least is in full colour/);
  const at = csv("long", "timeline.csv").filter((row) => Number(row.time_ns) <= Number(time_ns)).at(-1);
  assert.ok(least <= Number(at.threads_resident) && Number(at.threads_resident) <= most);
  await page.screenshot({path: join(screenshots, "binned.png"), fullPage: true});
  await page.close();
});

/// How many of the pixels of an area have about this colour.
async function share(page, selector, colour) {
  const png = await page.$(selector).then((area) => area.screenshot({encoding: "base64"}));
  return page.evaluate(async (png, wanted) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height).data;
    let found = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (wanted.every((value, channel) => Math.abs(pixels[i + channel] - value) < 12)) ++found;
    return found / (pixels.length / 4);
  }, png, colour);
}

/// A run whose steps are far more than pixels: half of the device fills and empties all the time.
function writeSwings(file) {
  const launches = Array.from({length: 400}, (_, i) => `  - {kernel: k, name: l${i}${i ? `, after: [l${i - 1}]` : ""}}`);
  writeFileSync(file, `scenario: Swings
device: {base: tiny, cores: 8}
kernels:
  k: {global: 512, local: 8, sub_group: 8, program: [compute: 1 us], variation: {distribution: uniform, cv: 0.3}}
launches:
${launches.join("\n")}
`);
}

test("where steps are closer than pixels, the least, the mean and the most are drawn, in colours of the legend", async () => {
  writeSwings(join(folder, "swings.yaml"));
  execFileSync(gdsim, ["report", join(folder, "swings.yaml"), "-o", join(folder, "swings.html")]);
  for (const script of [true, false]) {
    const page = await open("swings", {script});
    await page.screenshot({path: join(screenshots, `swings${script ? "" : "-plain"}.png`), clip: {x: 0, y: 0, width: 1200, height: 900}});
    assert.deepEqual(await page.$$eval(".legend .often, .legend .most", (all) => all.map((one) => one.parentElement.hidden)), [false, false]);
    const part = async (...rgb) => share(page, "#device .area", rgb);
    const [run, often, most] = [await part(0, 114, 178), await part(79, 159, 208), await part(179, 214, 236)];
    const rest = await part(246, 248, 250) + await part(209, 217, 224) + await part(27, 31, 36);
    assert.ok(often > 0.05, `up to the mean: ${often}`);
    assert.ok(most > 0.02, `up to the most: ${most}`);
    // Where columns of different colours meet, they mix.
    assert.ok(run + often + most + rest > 0.8, `of colours that the legend has: ${run + often + most + rest}`);
    await page.close();
  }
});

test("of a thousand launches, the critical ones are in the figure and the table", async () => {
  const launches = Array.from({length: 1000}, (_, i) =>
    i < 987 || i > 993 ? `  - {kernel: s, name: l${i}}` : `  - {kernel: l, name: l${i}${i > 987 ? `, after: [l${i - 1}]` : ""}}`);
  writeFileSync(join(folder, "thousand.yaml"), `scenario: A thousand launches
device: tiny
kernels:
  s: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}
  l: {global: 8, local: 8, sub_group: 8, program: [compute: 50 us]}
launches:
${launches.join("\n")}
`);
  execFileSync(gdsim, ["report", join(folder, "thousand.yaml"), "-o", join(folder, "thousand.html")]);
  const page = await open("thousand");
  assert.deepEqual(page.faults, []);
  const labels = await page.$$eval("#launches .left span", (all) => all.map((span) => span.textContent));
  const rows = await page.$$eval("tbody th", (all) => all.map((header) => header.textContent));
  for (let i = 987; i <= 993; ++i) {
    assert.ok(labels.includes(`◆ l${i}`), `l${i} is drawn`);
    assert.ok(rows.includes(`l${i}`), `l${i} is in the table`);
  }
  assert.equal(labels.length, 200);
  assert.match(await page.$eval("#launches-shown", (note) => note.textContent), /^200 of 1000 launches: all [0-9]+ critical ones/);
  await page.close();
});

test("what the pointer reads of a map of cores is what cores.csv says", async () => {
  const page = await open("many_cores");
  const rows = csv("many_cores", "cores.csv");
  const [start, end] = spanOf("many_cores");
  await page.$eval("#heat .area", (element) => element.scrollIntoView({block: "center"}));
  const box = await boxOf(page, "#heat .area");
  for (const core of [0, 3, 77, 131])
    for (const share of [0.1, 0.35, 0.8]) {
      await page.mouse.move(box.x + 1 + (box.width - 2) * share, box.y + 1 + (box.height - 2) * (core + 0.5) / 132);
      const at = start + (end - start) * share;
      const row = rows.filter((row) => row.core === String(core) && Number(row.time_ns) <= at).at(-1);
      assert.match(await page.$eval("#readout", (output) => output.textContent), new RegExp(`; SM ${core}: `));
      assert.equal((await fields(page)).core_threads_resident, row.threads_resident, `core ${core} at ${share}`);
    }
  await page.close();
});

test("of a map that carries no values, the pointer reads the range of the shade", async () => {
  const file = join(folder, "crowd.yaml");
  writeLongRun(file, 300);
  execFileSync(gdsim, ["report", file, "-o", join(folder, "crowd.html")]);
  const page = await open("crowd");
  assert.deepEqual(page.faults, []);
  await page.$eval("#heat .area", (element) => element.scrollIntoView({block: "center"}));
  const box = await boxOf(page, "#heat .area");
  await page.mouse.move(box.x + box.width * 0.3, box.y + 4);
  assert.match(await page.$eval("#readout", (output) => output.textContent),
    /; cores [0-9]+ to [0-9]+: ([0-9.]+ to )?[0-9.]+ % full by the shade, which is a mean over about [0-9.]+ ns; /);
  await page.close();
});

/// Where along a row of pixels the colour changes, as shares of an area's width.
async function edges(page, selector, share) {
  const area = await boxOf(page, selector);
  const clip = {x: Math.ceil(area.x) + 1, y: Math.round(area.y + area.height * share), width: Math.floor(area.width) - 3, height: 1};
  const png = await page.screenshot({clip, encoding: "base64"});
  return page.evaluate(async (png) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = 1;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, 1).data;
    const found = [];
    for (let x = 1; x < image.width; ++x) {
      const apart = [0, 1, 2].reduce((sum, i) => sum + Math.abs(pixels[4 * x + i] - pixels[4 * x - 4 + i]), 0);
      if (apart > 60) found.push(x / image.width);
    }
    return found;
  }, png);
}

test("as deep as the zoom goes, work-groups end where their device says", async () => {
  writeFileSync(join(folder, "deep.yaml"), `scenario: Deep
device: {base: tiny, cores: 1}
kernels:
  k: {global: 16, local: 8, sub_group: 8, program: [compute: 1 ms], variation: {work_groups: {0: 0.7654321987}}}
launches: [kernel: k]
`);
  execFileSync(gdsim, ["report", join(folder, "deep.yaml"), "-o", join(folder, "deep.html")]);
  const page = await open("deep");
  await page.focus("#go-next");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.equal((await fields(page)).time_ns, "765432.199");
  for (let i = 0; i < 20; ++i) await page.click("#go-in");
  const [, , width] = await viewBox(page);
  assert.ok(Math.abs(width - 500) < 1, `as deep as it goes: ${width}`);
  assert.equal((await fields(page)).time_ns, "765432.199");
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.querySelectorAll(".cursor").forEach((line) => { line.style.visibility = "hidden"; }));
  // Two threads of eight before, one after: at 1.5 of 8 the picture changes.
  const [device] = await edges(page, "#device .area", 1 - 1.5 / 8);
  const [group] = await edges(page, "#groups .area", 0.25);
  assert.ok(device !== undefined && Math.abs(device - group) < 0.01, `${device} ${group}`);
  const shown = await ticks(page, "#device");
  assert.equal(new Set(shown).size, shown.length, shown.join());
  assert.equal(new Set(shown.map((label) => label.split(" ")[1])).size, 1, shown.join());
  await page.screenshot({path: join(screenshots, "deep.png"), fullPage: true});
  await page.close();
});

test("a run that begins late has ticks that differ, in one unit, and do not touch", async () => {
  writeFileSync(join(folder, "late.yaml"), `scenario: Late
device: tiny
kernels:
  k: {global: 16, local: 8, sub_group: 8, program: [compute: 20 us]}
launches: [{kernel: k, at: 10 s}]
`);
  execFileSync(gdsim, ["report", join(folder, "late.yaml"), "-o", join(folder, "late.html")]);
  for (const options of [{}, {width: 380}, {script: false}, {width: 380, script: false}]) {
    const page = await open("late", options);
    for (let i = 0; i < (options.script === false ? 1 : 8); ++i) {
      const shown = await ticks(page, "#device");
      assert.ok(shown.length > 0 && new Set(shown).size === shown.length, shown.join());
      assert.equal(new Set(shown.map((label) => label.split(" ")[1])).size, 1, shown.join());
      assert.deepEqual(await overlaps(page), [], shown.join());
      if (options.script !== false) await page.click("#go-in");
    }
    await page.close();
  }
});

test("names of 10 KB and of other directions leave tables and pages in shape", async () => {
  const name = "\u202e" + "x".repeat(10240), right = "\u05d0\u05d1\u05d2 1 2";
  const text = readFileSync(scenarios.launch_graph, "utf8").replaceAll("image in", name).replaceAll("sums out", right);
  writeFileSync(join(folder, "names.yaml"), text);
  execFileSync(gdsim, ["report", join(folder, "names.yaml"), "-o", join(folder, "names.html")]);
  const page = await open("names");
  assert.deepEqual(page.faults, []);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const heights = await page.$$eval("tbody tr", (rows) => rows.map((row) => row.getBoundingClientRect().height));
  assert.ok(Math.max(...heights) < 160, heights.join());
  const cells = await page.$$eval("tbody th", (headers) => headers.map((header) => header.textContent));
  assert.ok(cells.includes(name), "the whole name stands in the page");
  for (const selector of [".name", ".left span", "bdi"])
    assert.equal(await page.$eval(selector, (element) => getComputedStyle(element).unicodeBidi), "isolate");
  await page.screenshot({path: join(screenshots, "names.png"), fullPage: true});
  await page.close();
});

test("in print no table is wider than the paper, and what was closed is open", async () => {
  const page = await open("launch_graph", {width: 718});
  await page.emulateMediaType("print");
  const wide = await page.$$eval("table", (tables) => tables
    .map((table) => table.getBoundingClientRect().width).filter((width) => width > 718));
  assert.deepEqual(wide, []);
  await page.screenshot({path: join(screenshots, "launch_graph-print.png"), fullPage: true});
  await page.evaluate(() => {
    const details = document.createElement("details");
    details.innerHTML = "<summary>More</summary><p id=\"inner\">inner</p>";
    document.querySelector("main").append(details);
  });
  assert.ok((await boxOf(page, "#inner"))?.height > 0);
  await page.close();
});

test("copies and kernels differ for people who see two colours less", async () => {
  for (const dark of [false, true]) {
    const page = await open("launch_graph", {dark});
    for (const deficiency of ["protanopia", "deuteranopia"]) {
      await page.emulateVisionDeficiency(deficiency);
      const png = await page.$("#launches .area").then((area) => area.screenshot({encoding: "base64"}));
      writeFileSync(join(screenshots, `launches-${deficiency}${dark ? "-dark" : ""}.png`), Buffer.from(png, "base64"));
    }
    assert.ok(await page.evaluate(colourDistance, "--copy", "--run") > 10);
    await page.close();
  }
});

test("in print the pictures are those without JavaScript", async () => {
  const page = await open("vector_add4");
  await page.emulateMediaType("print");
  assert.equal(await page.$eval("#controls", (element) => getComputedStyle(element).display), "none");
  assert.equal(await page.$eval("#device .curve", (element) => getComputedStyle(element).display), "none");
  assert.equal(await page.$eval("#device svg", (element) => getComputedStyle(element).opacity), "1");
  await page.screenshot({path: join(screenshots, "vector_add4-print.png"), fullPage: true});
  await page.close();
});

test("the keyboard reads every change, in order", async () => {
  const page = await open("vector_add4");
  await page.focus("#go-next");
  for (const row of csv("vector_add4", "timeline.csv")) {
    await page.keyboard.press("Enter");
    assert.equal((await fields(page)).time_ns, row.time_ns);
  }
  await page.close();
});

// In one call: a page that has just got another size draws its axes anew.
const ticks = (page, selector) => page.evaluate(
  (spans) => [...document.querySelectorAll(spans)].map((span) => span.textContent), `${selector} .time span`);
const viewBox = (page) => page.$eval("#groups svg", (svg) => svg.getAttribute("viewBox").split(" ").map(Number));

test("a zoom by mouse moves every picture alike, and the whole run comes back", async () => {
  const page = await open("vector_add4");
  const [, , all] = await viewBox(page);
  const before = await ticks(page, "#device");
  const box = await boxOf(page, "#device .area");
  await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 60, {steps: 5});
  await page.mouse.up();
  await page.keyboard.press("f");
  const [left, , width] = await viewBox(page);
  assert.ok(Math.abs(width - all / 2) < all / 100, `half of the run is shown: ${width}`);
  assert.ok(Math.abs(left - all / 4) < all / 100, `from a quarter on: ${left}`);
  assert.notDeepEqual(await ticks(page, "#device"), before);
  assert.deepEqual(await ticks(page, "#groups"), await ticks(page, "#device"));
  // Exact values under the pointer stay right: now half of the picture is half of the run.
  await point(page, "#device .area", 0.55);
  assert.equal((await fields(page)).threads_resident, "80");
  await point(page, "#device .area", 0.45);
  assert.equal((await fields(page)).threads_resident, "264");
  await page.screenshot({path: join(screenshots, "vector_add4-zoomed.png"), fullPage: true});
  await page.click("#go-whole");
  assert.deepEqual(await viewBox(page), [0, 0, all, (await viewBox(page))[3]]);
  assert.deepEqual(await ticks(page, "#device"), before);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a zoom by a picture of ours, by a phase and by its row in the table", async () => {
  const page = await open("vector_add4");
  await page.click("#device .marks > span:nth-child(2)");
  assert.deepEqual((await viewBox(page)).slice(0, 3), [4e6, 0, 1e6]);
  await page.focus("#phases tbody tr:nth-child(3) .zoom");
  await page.keyboard.press("Enter");
  assert.deepEqual((await viewBox(page)).slice(0, 3), [5e6, 0, 5e6]);
  await page.click("#go-whole");
  await page.$eval("#groups .area", (element) => element.scrollIntoView({block: "center"}));
  const box = await boxOf(page, "#groups .area");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20, {steps: 5});
  await page.mouse.up();
  await page.keyboard.press("f");
  const [left, , width] = await viewBox(page);
  assert.ok(Math.abs(left - 5e6) < 5e4 && Math.abs(width - 1e6) < 5e4, `${left} ${width}`);
  await page.close();
});

test("hostile names stay names", async () => {
  const text = readFileSync(scenarios.vector_add4, "utf8").split("expect:")[0]
    .replace(/^scenario: .*$/m, 'scenario: "</script><img src=x onerror=document.title=1>\'\\"<!--😀"');
  const file = join(folder, "hostile.yaml");
  writeFileSync(file, text);
  execFileSync(gdsim, ["report", file, "-o", join(folder, "hostile.html")]);
  const page = await open("hostile");
  assert.deepEqual(page.faults, []);
  assert.equal(await page.$eval("h1", (heading) => heading.textContent), `</script><img src=x onerror=document.title=1>'"<!--😀`);
  assert.equal(await page.$$eval("img", (images) => images.length), 0);
  assert.equal((await page.$$("#controls .row > button")).length, 5);
  await page.close();
});
