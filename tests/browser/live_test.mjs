// Figures that the page's script draws: launches in lanes, work-groups at any number, the map of the run, sorted tables.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {boxInSight, colourDistance, contrastOf, csvRows, gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

const scenarios = ["streams", "many_groups", "stuck"];
let at;
before(async () => {
  at = await openBrowser();
  for (const name of scenarios)
    try {
      execFileSync(gdsim, ["report", join(root, `tests/browser/${name}.yaml`), "-o", join(at.folder, `${name}.html`)], {
        stdio: "ignore",
      });
    } catch (error) {
      assert.equal(error.status, 3, `${name}: ${error.message}`); // one stalls
    }
  execFileSync(gdsim, ["run", join(root, "tests/browser/streams.yaml"), "-o", join(at.folder, "streams")]);
});
after(() => at?.close());

const open = (name, options) => openPage(at.browser, join(at.folder, `${name}.html`), options);
const detail = (page, figure) => page.$eval(`${figure} .detail`, (note) => note.textContent);
const said = (page) => page.$eval("#said", (status) => status.textContent);

/// The colour of one pixel of a canvas, as `#rrggbb`.
const pixel = (page, selector, x, y) =>
  page.$eval(
    `${selector} canvas`,
    (canvas, x, y) => {
      const ratio = canvas.width / canvas.clientWidth;
      const [red, green, blue, alpha] = canvas
        .getContext("2d")
        .getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data;
      return alpha === 0 ? "" : `#${[red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
    },
    x,
    y,
  );

/// The colour that the legend gives to a kernel.
const colourOf = (page, kernel) =>
  page.$$eval(
    "#lanes-legend span",
    (entries, kernel) => {
      const entry = entries.find((one) => one.textContent === kernel);
      const name = getComputedStyle(entry.querySelector("i")).getPropertyValue("--chip").trim();
      return name.startsWith("var(")
        ? getComputedStyle(document.documentElement).getPropertyValue(name.slice(4, -1)).trim()
        : name;
    },
    kernel,
  );

/// Where the launch of a row of launches.csv is drawn: `share` of its own time.
async function placeOf(page, row, lane, share = 0.5) {
  const {start, end} = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
  const time = Number(row.first_dispatched_ns) + (Number(row.ended_ns) - Number(row.first_dispatched_ns)) * share;
  const top = await page.$$eval(
    "#lanes .fold",
    (buttons, lane) => parseFloat(buttons.find((button) => button.title === lane).style.top),
    lane,
  );
  return {x: (time - Number(start)) / (Number(end) - Number(start)), y: top + 15};
}

test("every launch is in the lane of its queue or copies, at its times, in the colour of its kernel", async () => {
  const page = await open("streams");
  assert.deepEqual(page.faults, []);
  assert.deepEqual(await page.$$eval("#lanes .fold", (all) => all.map((button) => button.title)), [
    "to the device",
    "queue left",
    "queue right",
    "no queue",
    "to the host",
  ]);
  const rows = csvRows(join(at.folder, "streams/launches.csv"));
  const width = await page.$eval("#lanes .area", (area) => area.clientWidth);
  for (const row of rows) {
    const isCopy = ["input", "output"].includes(row.launch);
    const lane = isCopy
      ? row.launch === "input"
        ? "to the device"
        : "to the host"
      : row.queue
        ? `queue ${row.queue}`
        : "no queue";
    const place = await placeOf(page, row, lane, 0.75);
    const kernel = isCopy ? (row.launch === "input" ? "copies to the device" : "copies to the host") : row.kernel;
    assert.equal(await pixel(page, "#lanes .area", place.x * width, place.y), await colourOf(page, kernel), row.launch);
  }
  await page.close();
});

test("the kernel that takes most time has the strongest colour, and no other has it", async () => {
  const page = await open("streams");
  const names = await page.$$eval("#lanes-legend button bdi", (all) => all.map((one) => one.textContent));
  const kernels = names.filter((name) => !name.startsWith("copies"));
  const sums = await page.evaluate(() => {
    const {kernels: all, kernel_sums: time} = JSON.parse(document.getElementById("data").textContent).launches;
    return Object.fromEntries(all.map((name, i) => [name, time[i]]));
  });
  assert.deepEqual(kernels, [...kernels].sort((a, b) => sums[b] - sums[a]));
  const colours = [];
  for (const kernel of kernels) colours.push(await colourOf(page, kernel));
  assert.equal(new Set(colours).size, kernels.length);
  const [first, second] = ["--k0", "--k1"];
  const seen = await page.evaluate(contrastOf, first, "--page");
  for (let i = 1; i < 8; ++i) assert.ok(seen > (await page.evaluate(contrastOf, `--k${i}`, "--page")), `k${i}`);
  assert.ok((await page.evaluate(contrastOf, second, "--page")) >= 3);
  await page.close();
});

test("colours of kernels and copies differ for everybody, people who see two colours less included", async () => {
  const names = [..."01234567"].map((digit) => `--k${digit}`).concat("--to-device", "--to-host");
  for (const dark of [false, true]) {
    const page = await open("streams", {dark});
    for (const [i, a] of names.entries())
      for (const b of names.slice(i + 1)) {
        const distance = await page.evaluate(colourDistance, a, b);
        assert.ok(distance > 10, `${a} and ${b}${dark ? ", dark" : ""}: ${distance.toFixed(1)}`);
      }
    for (const name of names) {
      const found = await page.evaluate(contrastOf, name, "--page");
      assert.ok(found >= 3, `${name}${dark ? ", dark" : ""}: ${found.toFixed(2)}`);
    }
    await page.close();
  }
});

test("the pointer reads a launch, and what is in flight at that instant", async () => {
  const page = await open("streams");
  const row = csvRows(join(at.folder, "streams/launches.csv")).find(({launch}) => launch === "mix");
  const place = await placeOf(page, row, "queue left", 0.6);
  const box = await boxInSight(page, "#lanes .area");
  await page.mouse.move(box.x + 1 + place.x * (box.width - 2), box.y + place.y);
  assert.match(await detail(page, "#lanes"), /^mix \(gemm\), queue left: from .* us to .* us, .*us/);
  const time = Number(row.first_dispatched_ns) + (Number(row.ended_ns) - Number(row.first_dispatched_ns)) * 0.6;
  const running = csvRows(join(at.folder, "streams/launches.csv"))
    .filter((one) => Number(one.first_dispatched_ns) <= time && time < Number(one.ended_ns))
    .map(({launch}) => launch);
  assert.deepEqual((await page.$eval("[data-flight]", (text) => text.textContent)).split(", ").sort(), running.sort());
  await page.close();
});

test("a search finds launches and kernels, and the filter leaves nothing else", async () => {
  const page = await open("streams");
  await page.type("#search", "ACTIV");
  assert.equal(await page.$eval("#lanes-found", (note) => note.textContent), "2 of 10");
  assert.match(await page.$eval("#search-said", (note) => note.textContent), /^2 launches, /);
  await page.click("#lanes-only");
  assert.deepEqual(await page.$$eval("#lanes .fold", (all) => all.map((button) => button.title)), ["queue right"]);
  await page.focus("#search");
  await page.keyboard.press("Enter");
  assert.match(await detail(page, "#lanes"), /^activation \(gelu\)/);
  await page.keyboard.press("Enter");
  assert.match(await detail(page, "#lanes"), /^second activation \(gelu\)/);
  await page.close();
});

test("a kernel in the legend leaves its launches alone, and brings the others back", async () => {
  const page = await open("streams");
  const lanes = () => page.$$eval("#lanes .fold", (all) => all.length);
  const pressed = () => page.$$eval("#lanes-legend [aria-pressed=true]", (all) => all.map((one) => one.textContent));
  const press = () =>
    page.$$eval("#lanes-legend button", (all) => all.find((button) => button.textContent === "gelu").click());
  await press();
  assert.equal(await lanes(), 1);
  assert.deepEqual(await pressed(), ["gelu"]);
  assert.deepEqual(await page.$$eval("tr.chosen", (rows) => rows.map((row) => row.cells[0].textContent)), ["gelu"]);
  await press();
  assert.equal(await lanes(), 5);
  assert.deepEqual(await pressed(), []);
  await page.close();
});

test("a kernel's row in the table leaves its launches alone, and brings the others back", async () => {
  const page = await open("streams");
  const lanes = () => page.$$eval("#lanes .fold", (all) => all.length);
  const press = () =>
    page.$$eval("#kernels .zoom", (all) => all.find((button) => button.textContent === "softmax").click());
  await press();
  assert.equal(await lanes(), 1);
  assert.match(await said(page), /^Only launches of softmax/);
  await press();
  assert.equal(await lanes(), 5);
  await page.close();
});

test("the table of kernels sums up launches.csv, and is sorted by each of its columns", async () => {
  const page = await open("streams");
  const sums = new Map();
  for (const row of csvRows(join(at.folder, "streams/launches.csv")).filter(
    ({queue, launch}) => queue || launch === "free",
  ))
    sums.set(row.kernel, (sums.get(row.kernel) ?? 0) + Math.round(Number(row.duration_ns) * 1000));
  const rows = () =>
    page.$$eval("#kernels tbody tr", (all) =>
      all.map((row) => [
        row.cells[0].textContent,
        Number(row.cells[1].textContent),
        Number(row.cells[2].dataset.value),
      ]),
    );
  const before = await rows();
  for (const [kernel, sum] of sums) assert.equal(before.find(([name]) => name === kernel)[2], sum, kernel);
  const inOrder = (values) => values.every((value, i) => i === 0 || values[i - 1] >= value);
  assert.ok(inOrder(before.map(([, , sum]) => sum)), "the most time first");
  await page.$$eval("#kernels .sort", (all) => all[1].click());
  assert.ok(inOrder((await rows()).map(([, count]) => count)));
  assert.equal(
    await page.$eval("#kernels th:nth-child(2)", (header) => header.getAttribute("aria-sort")),
    "descending",
  );
  await page.$$eval("#kernels .sort", (all) => all[1].click());
  assert.ok(inOrder((await rows()).map(([, count]) => -count)));
  await page.$$eval("#kernels .sort", (all) => all[0].click());
  assert.deepEqual(
    (await rows()).map(([name]) => name),
    [...(await rows()).map(([name]) => name)].sort(),
  );
  await page.close();
});

test("lanes are read and zoomed by keyboard alone", async () => {
  const page = await open("streams");
  await page.focus("#lanes .area");
  await page.keyboard.press("ArrowRight");
  assert.match(await said(page), /^input /);
  await page.keyboard.press("ArrowDown");
  assert.match(await said(page), /queue left/);
  const first = await said(page);
  await page.keyboard.press("ArrowRight");
  assert.match(await said(page), /queue left/);
  assert.notEqual(await said(page), first);
  const part = () => page.$eval("#minimap", (map) => map.getAttribute("aria-valuetext"));
  const whole = await part();
  await page.keyboard.press("Enter");
  const near = await part();
  assert.notEqual(near, whole);
  await page.keyboard.press("-");
  assert.notEqual(await part(), near);
  await page.keyboard.press("Escape");
  assert.equal(await part(), whole);
  await page.focus("#minimap");
  await page.keyboard.press("+");
  const left = await part();
  await page.keyboard.press("ArrowRight");
  assert.notEqual(await part(), left);
  await page.keyboard.press("0");
  assert.equal(await part(), whole);
  await page.close();
});

test("the critical path is marked when it is asked for, and only then", async () => {
  const page = await open("streams");
  const picture = () => page.$eval("#lanes canvas", (canvas) => canvas.toDataURL());
  const plain = await picture();
  await page.click("#lanes-critical");
  const marked = await picture();
  assert.notEqual(marked, plain);
  // `free` is not critical: it fades.
  const row = csvRows(join(at.folder, "streams/launches.csv")).find(({launch}) => launch === "free");
  const place = await placeOf(page, row, "no queue", 0.9);
  const width = await page.$eval("#lanes .area", (area) => area.clientWidth);
  const isSolid = await page.$eval(
    "#lanes canvas",
    (canvas, x, y) => canvas.getContext("2d").getImageData(Math.round(x), Math.round(y), 1, 1).data[3] === 255,
    place.x * width,
    place.y,
  );
  assert.equal(isSolid, false);
  await page.click("#lanes-critical");
  assert.equal(await picture(), plain);
  await page.close();
});

test("a lane folds to a row that is as busy as its launches", async () => {
  const page = await open("streams");
  const height = () => page.$eval("#lanes .area", (area) => area.clientHeight);
  const before = await height();
  await page.click("#lanes-fold");
  assert.notEqual(await height(), before);
  assert.ok(
    await page.$$eval("#lanes .fold", (all) => all.every((button) => button.getAttribute("aria-expanded") === "false")),
  );
  await page.click("#lanes .fold:nth-child(2)");
  assert.equal(await page.$eval("#lanes .fold:nth-child(2)", (button) => button.getAttribute("aria-expanded")), "true");
  await page.close();
});

test("a million work-groups fit into 2 MB, are counted in full, and single ones are drawn where one zooms in", async () => {
  const file = join(at.folder, "many_groups.html");
  assert.ok(statSync(file).size <= 2e6, `${statSync(file).size} bytes`);
  const page = await open("many_groups");
  assert.deepEqual(page.faults, []);
  assert.ok((await overflow(page)) <= 0);
  const counts = await page.$$eval("#group-durations tbody tr", (rows) =>
    rows.map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent)]),
  );
  assert.deepEqual(counts.slice(0, 2), [
    ["fill", 800000],
    ["rest", 200000],
  ]);
  // Each but those of the first fill took the place of another.
  const {length: cores, held} = await page.evaluate(() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    return {length: data.groups.density.length * data.groups.per_row, held: Math.max(...data.device.resident)};
  });
  assert.equal(cores, 132);
  assert.ok(held > 0 && counts[2][1] < 1e6 && counts[2][1] >= 1e6 - 132 * 32, `${counts[2]}`);
  assert.match(
    await page.$eval("#groups-shown", (note) => note.textContent),
    /^[0-9]+ of 1000000 blocks are drawn one by one: all of [0-9]+ SMs?\. The map and the tables count all\.$/,
  );
  const slow = await page.$$eval("tr[data-name]", (rows) => rows.map((row) => Number(row.cells[4].dataset.value)));
  assert.equal(slow.length, 10);
  assert.ok(slow.every((time, i) => i === 0 || slow[i - 1] >= time));
  assert.equal(slow[0], await page.$eval("#group-durations tbody tr", (row) => Number(row.cells[6].dataset.value)));
  await page.focus("#group-singles .area");
  await page.keyboard.press("ArrowRight");
  assert.match(await said(page), /^block [0-9]+ of fill, SM 0: from /);
  await page.keyboard.press("Enter");
  const colours = await page.$eval("#group-singles canvas", (canvas) => {
    const {data} = canvas.getContext("2d").getImageData(0, 6, canvas.width, 1);
    let changes = 0;
    for (let i = 7; i < data.length; i += 4) if (data[i] > 128 !== data[i - 4] > 128) ++changes;
    return changes;
  });
  assert.ok(colours > 0 && colours < 40, `single ones are apart: ${colours}`);
  await page.screenshot({path: join(screenshots, "many_groups-near.png")});
  await page.close();
});

test("the map opens the single work-groups of a core, by pointer and by keyboard", async () => {
  const page = await open("many_groups");
  await page.focus("#group-map .area");
  await page.keyboard.press("ArrowDown");
  assert.match(await said(page), /^SM 1: about [0-9.]+ blocks on average/);
  for (let i = 0; i < 80; ++i) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.match(await said(page), /^Single blocks of SM 66$/);
  assert.equal(await page.$eval("#group-core", (choice) => choice.value), "66");
  await page.close();
});

test("of nine thousand launches, the longest is there, every lane is, and the page says what it lists", async () => {
  const launches = Array.from(
    {length: 9000},
    (_, i) => `  - {kernel: ${i === 4567 ? "long" : "short"}, name: l${i}${i % 3 ? `, queue: q${i % 3}` : ""}}`,
  );
  writeFileSync(
    join(at.folder, "nine.yaml"),
    `scenario: Nine thousand launches
device: tiny
queues: {q1: {order: in_order}, q2: {order: in_order}}
kernels:
  short: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}
  long: {global: 8, local: 8, sub_group: 8, program: [compute: 50 us]}
launches:
${launches.join("\n")}
`,
  );
  const file = join(at.folder, "nine.html");
  execFileSync(gdsim, ["report", join(at.folder, "nine.yaml"), "-o", file]);
  assert.ok(statSync(file).size <= 2e6, `${statSync(file).size} bytes`);
  const page = await openPage(at.browser, file);
  assert.deepEqual(page.faults, []);
  assert.deepEqual(await page.$$eval("#lanes .fold", (all) => all.map((button) => button.title)), [
    "no queue",
    "queue q1",
    "queue q2",
  ]);
  assert.match(await page.$eval("#lanes-shown", (note) => note.textContent), /^[0-9]+ of 9000 launches one by one: /);
  await page.type("#search", "l4567");
  await page.keyboard.press("Enter");
  assert.match(await detail(page, "#lanes"), /^l4567 \(long\)/);
  await page.close();
});

test("the end of a drag chooses no launch", async () => {
  const page = await open("streams");
  const box = await boxInSight(page, "#lanes .area");
  await page.mouse.move(box.x + box.width * 0.05, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 12, {steps: 4});
  await page.mouse.up();
  assert.equal(await said(page), "");
  await page.mouse.click(box.x + box.width * 0.2, box.y + 12);
  assert.match(await said(page), /^input /);
  await page.close();
});

test("a run that deadlocked is seen to have deadlocked at first sight, and in its title", async () => {
  for (const dark of [false, true]) {
    const page = await open("stuck", {dark});
    assert.deepEqual(page.faults, []);
    const box = await page.$("#alert").then((alert) => alert.boundingBox());
    assert.ok(box.y + box.height < 400 && box.height > 30, JSON.stringify(box));
    assert.match(
      await page.$eval("#alert", (alert) => alert.textContent),
      /^The run deadlocked at .*: nothing can happen any more\. 4 of 10 work-groups had ended\.$/,
    );
    assert.match(await page.title(), /^deadlocked: /);
    await page.close();
  }
});

test("what is drawn by the script is on paper, in the colours of the light page", async () => {
  const page = await open("streams", {dark: true});
  const light = await open("streams");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(
    await page.$eval("#lanes canvas", (canvas) => canvas.toDataURL()),
    await light.$eval("#lanes canvas", (canvas) => canvas.toDataURL()),
  );
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.notEqual(
    await page.$eval("#lanes canvas", (canvas) => canvas.toDataURL()),
    await light.$eval("#lanes canvas", (canvas) => canvas.toDataURL()),
  );
  await page.close();
  await light.close();
});

test("the page does not move under the pointer when there is more to read", async () => {
  const page = await open("streams");
  const box = await boxInSight(page, "#lanes .area");
  for (const share of [0.1, 0.4, 0.7]) {
    await page.mouse.move(box.x + box.width * share, box.y + 30);
    assert.equal((await page.$("#lanes .area").then((area) => area.boundingBox())).y, box.y);
  }
  await page.close();
});
