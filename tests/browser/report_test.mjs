// Opens reports of gdsim in a browser and looks at them: no error, no request, phases readable, exact values, zoom.
//
//   GDSIM=build/release/tools/gdsim SCREENSHOTS=DIR node --test tests/browser/
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join, resolve} from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath, pathToFileURL} from "node:url";
import puppeteer from "puppeteer-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const gdsim = resolve(process.env.GDSIM ?? join(root, "build/release/tools/gdsim"));
const screenshots = resolve(process.env.SCREENSHOTS ?? join(root, "build/release/screenshots"));
const scenarios = {
  vector_add3: join(root, "scenarios/vector_add3.yaml"),
  vector_add4: join(root, "scenarios/vector_add4.yaml"),
  many_cores: join(root, "tests/browser/many_cores.yaml"),
  launch_graph: join(root, "tests/browser/launch_graph.yaml"),
};

let folder;
let browser;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "gdsim-browser-"));
  mkdirSync(screenshots, {recursive: true});
  for (const [name, file] of Object.entries(scenarios)) {
    execFileSync(gdsim, ["report", file, "-o", join(folder, `${name}.html`)]);
    execFileSync(gdsim, ["run", file, "-o", join(folder, name)]);
  }
  browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true, force: true});
});

/// A run of more steps than are drawn exactly: work-groups of three threads that all last differently.
function writeLongRun(file) {
  const factors = Array.from({length: 3000}, (_, i) => `${i}: 1.${1000 + i * 7919 % 9000}`).join(", ");
  writeFileSync(file, `scenario: Many steps
device: {base: tiny, cores: 8}
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

/// Opens the report of a scenario; every request but the page itself, and every complaint, is kept.
async function open(name, {width = 1200, dark = false, script = true} = {}) {
  const page = await browser.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) page.faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file://") && !request.url().startsWith("data:")) page.faults.push(request.url());
    else if (request.url().startsWith("file://") && !request.isNavigationRequest()) page.faults.push(request.url());
  });
  await page.setViewport({width, height: 900});
  await page.setJavaScriptEnabled(script);
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: dark ? "dark" : "light"}]);
  await page.goto(pathToFileURL(join(folder, `${name}.html`)).href, {waitUntil: "load"});
  return page;
}

const csv = (name, file) => {
  const [header, ...rows] = readFileSync(join(folder, name, file), "utf8").trim().split("\n").map((row) => row.split(","));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i], cell])));
};
const fields = (page) => page.$$eval("#readout [data-field]",
  (elements) => Object.fromEntries(elements.map((element) => [element.dataset.field, element.textContent])));
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
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
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

/// How a text or a bar stands out from what is behind it: 1 is not at all, 21 black on white.
const contrast = (page, a, b) => page.evaluate((a, b) => {
  const canvas = document.createElement("canvas").getContext("2d");
  const light = (name) => {
    canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const channels = [1, 3, 5].map((at) => parseInt(canvas.fillStyle.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
  };
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}, a, b);

test("texts and bars stand out from the page, light and dark", async () => {
  for (const dark of [false, true]) {
    const page = await open("vector_add4", {dark});
    for (const [a, b, least] of [
      ["--ink", "--page", 7], ["--soft", "--page", 4.5], ["--soft", "--panel", 4.5], ["--run", "--panel", 3],
      ["--wait", "--panel", 3], ["--copy", "--panel", 3], ["--ink", "--run", 3], ["--wait", "--wait-soft", 2.5]]) {
      const found = await contrast(page, a, b);
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
    const summary = JSON.parse(readFileSync(join(folder, name, "summary.json"), "utf8"));
    const start = summary.start_ns, end = summary.end_ns;
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
    .match(/ ([0-9.]+) threads · .* on average, between ([0-9]+) and ([0-9]+)$/).map(Number);
  assert.ok(least <= mean && mean <= most, `${least} ${mean} ${most}`);
  const {time_ns} = await fields(page);
  const at = csv("long", "timeline.csv").filter((row) => Number(row.time_ns) <= Number(time_ns)).at(-1);
  assert.ok(least <= Number(at.threads_resident) && Number(at.threads_resident) <= most);
  await page.screenshot({path: join(screenshots, "binned.png"), fullPage: true});
  await page.close();
});

test("in print the pictures are those without JavaScript", async () => {
  const page = await open("vector_add4");
  await page.emulateMediaType("print");
  assert.equal(await page.$eval("#controls", (element) => getComputedStyle(element).display), "none");
  assert.equal(await page.$eval("#device .uplot", (element) => getComputedStyle(element).display), "none");
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

const ticks = (page, selector) => page.$$eval(`${selector} .time span`, (spans) => spans.map((span) => span.textContent));
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
  assert.deepEqual((await viewBox(page)).slice(0, 3), [40000, 0, 10000]);
  await page.focus("tbody tr:nth-child(3)");
  await page.keyboard.press("Enter");
  assert.deepEqual((await viewBox(page)).slice(0, 3), [50000, 0, 50000]);
  await page.click("#go-whole");
  await page.$eval("#groups .area", (element) => element.scrollIntoView({block: "center"}));
  const box = await boxOf(page, "#groups .area");
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20, {steps: 5});
  await page.mouse.up();
  const [left, , width] = await viewBox(page);
  assert.ok(Math.abs(left - 50000) < 500 && Math.abs(width - 10000) < 500, `${left} ${width}`);
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
  assert.equal((await page.$$("#controls button")).length, 5);
  await page.close();
});
