// An application's page: launches first, zoom, a selected range and its sums, search, the address, folded tracks.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {boxInSight, colourDistance, contrastOf, csvRows, gdsim, openBrowser, openPage, overflow, screenshots} from "./pages.mjs";

const KERNELS = ["gemm", "softmax", "layer_norm", "gelu"];
/// 400 launches of four kernels in four queues of an A100, 252,000 blocks.
const FOUR = `scenario: Four streams
device: a100-80gb
queues: {s0: {order: in_order}, s1: {order: in_order}, s2: {order: in_order}, s3: {order: in_order}}
kernels:
  gemm: {global: 55296, local: 256, sub_group: 32, slm: 64 KiB, program: [memory: 16 KiB, compute: 20 us, barrier]}
  softmax: {global: 131072, local: 128, sub_group: 32, registers: 40, program: [memory: 4 KiB, compute: 3 us]}
  layer_norm: {global: 65536, local: 256, sub_group: 32, program: [memory: 2 KiB, compute: 2 us]}
  gelu: {global: 262144, local: 256, sub_group: 32, program: [memory: 1 KiB, compute: 1 us]}
launches:
${Array.from({length: 25}, (_, i) => [0, 1, 2, 3].flatMap((queue) =>
    KERNELS.map((kernel) => `  - {kernel: ${kernel}, queue: s${queue}, name: ${kernel} ${i} of s${queue}}`)).join("\n")).join("\n")}
`;

let at;
before(async () => {
  at = await openBrowser();
  writeFileSync(join(at.folder, "four.yaml"), FOUR);
  execFileSync(gdsim, ["report", join(at.folder, "four.yaml"), "-o", join(at.folder, "four.html")]);
  execFileSync(gdsim, ["run", join(at.folder, "four.yaml"), "-o", join(at.folder, "four")]);
});
after(() => at?.close());

const open = (options, hash = "") => openPage(at.browser, join(at.folder, "four.html"), options, hash);
const view = (page) => page.evaluate(() => [gdsimRun.from, gdsimRun.to]);
const whole = (page) => page.evaluate(() => [gdsimRun.start, gdsimRun.end]);
const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));

/// Drags over a share of an area.
async function drag(page, selector, from, to) {
  const box = await boxInSight(page, selector);
  await page.mouse.move(box.x + box.width * from, box.y + 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, box.y + 12, {steps: 4});
  await page.mouse.up();
  return box;
}

for (const [look, options] of Object.entries({
  wide: {width: 2560}, laptop: {width: 1366}, narrow: {width: 400}, "wide-dark": {width: 2560, dark: true},
  "laptop-dark": {width: 1366, dark: true}, "narrow-dark": {width: 400, dark: true}}))
  test(`launches come first, in lanes as wide as the window, ${look}`, async () => {
    const page = await open(options);
    assert.deepEqual(page.faults, []);
    assert.ok(await overflow(page) <= 0);
    const box = await page.$("#lanes .area").then((area) => area.boundingBox());
    assert.ok(box.y < 900, `in the first window: ${box.y}`);
    assert.ok(box.width > options.width * (options.width < 600 ? 0.65 : 0.72), `${box.width} of ${options.width} pixels`);
    await page.screenshot({path: join(screenshots, `four-${look}.png`)});
    await page.close();
  });

test("a page of 400 launches is at most six windows high, and below 2 MB", async () => {
  const file = join(at.folder, "four.html");
  assert.ok(statSync(file).size < 2e6, `${statSync(file).size} bytes`);
  const page = await open({width: 1366});
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 6 * 900, `${height} pixels`);
  await page.close();
});

test("Ctrl and the wheel zoom at the pointer, Shift and the wheel move, the wheel alone scrolls, but for the overview", async () => {
  const page = await open();
  const [start, end] = await whole(page);
  await page.evaluate(() => scrollTo(0, 0));
  const box = await boxInSight(page, "#lanes .area");
  await page.mouse.move(box.x + box.width * 0.25, box.y + 12);
  await page.keyboard.down("Control");
  await page.mouse.wheel({deltaY: -150});
  await page.waitForFunction(() => gdsimRun.from > gdsimRun.start);
  await page.keyboard.up("Control");
  const [from, to] = await view(page);
  assert.ok(to - from < 0.7 * (end - start), `${from} ${to}`);
  const under = from + (to - from) * 0.25;
  assert.ok(Math.abs(under - (start + (end - start) * 0.25)) < (end - start) / 200, "the time under the pointer stays");
  await page.keyboard.down("Shift");
  await page.mouse.wheel({deltaY: 200});
  await page.waitForFunction((from) => gdsimRun.from > from, {}, from);
  await page.keyboard.up("Shift");
  const moved = await view(page);
  await page.mouse.wheel({deltaY: 200});
  await page.waitForFunction(() => scrollY > 0);
  assert.deepEqual(await view(page), moved);
  const map = await page.$("#minimap").then((element) => element.boundingBox());
  await page.mouse.move(map.x + map.width / 2, map.y + 5);
  const before = await view(page);
  await page.mouse.wheel({deltaY: -100});
  await page.waitForFunction((width) => gdsimRun.to - gdsimRun.from < width, {}, before[1] - before[0]);
  await page.close();
});

test("W, A, S and D zoom and move wherever the focus is, but not in a field", async () => {
  const page = await open();
  const [start, end] = await whole(page);
  await page.keyboard.press("w");
  const near = await view(page);
  assert.ok(Math.abs(near[1] - near[0] - (end - start) / 2) < 1);
  await page.keyboard.press("d");
  assert.ok((await view(page))[0] > near[0]);
  await page.keyboard.press("a");
  assert.ok(Math.abs((await view(page))[0] - near[0]) < 1);
  await page.keyboard.press("s");
  assert.deepEqual(await view(page), [start, end]);
  await page.type("#search", "wasd");
  assert.deepEqual(await view(page), [start, end]);
  assert.equal(await page.$eval("#search", (field) => field.value), "wasd");
  await page.close();
});

test("a drag selects a range, whose sums are those of launches.csv and timeline.csv", async () => {
  const page = await open();
  await drag(page, "#lanes .area", 0.2, 0.4);
  const {low, high} = await page.evaluate(() => gdsimRun.range);
  const sums = new Map(KERNELS.map((kernel) => [kernel, {time: 0, launches: 0}]));
  for (const row of csvRows(join(at.folder, "four/launches.csv"))) {
    const time = Math.min(Number(row.ended_ns), high) - Math.max(Number(row.first_dispatched_ns), low);
    if (time <= 0) continue;
    sums.get(row.kernel).time += time;
    ++sums.get(row.kernel).launches;
  }
  const found = await page.evaluate(() => gdsimRun.sums());
  for (const {name, time, launches} of found.kernels) {
    assert.ok(Math.abs(time - sums.get(name).time) < 1, `${name}: ${time} ${sums.get(name).time}`);
    assert.equal(launches, sums.get(name).launches, name);
  }
  assert.deepEqual(found.kernels.map(({time}) => time), found.kernels.map(({time}) => time).sort((a, b) => b - a));
  const rows = csvRows(join(at.folder, "four/timeline.csv"));
  let held = 0, idle = 0;
  rows.forEach((row, i) => {
    const time = Math.min(i + 1 < rows.length ? Number(rows[i + 1].time_ns) : Infinity, high) - Math.max(Number(row.time_ns), low);
    if (time <= 0) return;
    held += time * Number(row.threads_resident);
    if (row.threads_resident === "0") idle += time;
  });
  const percent = 100 * held / (6912 * (high - low));
  assert.ok(Math.abs(found.occupancy - percent) < 0.05, `${found.occupancy} ${percent}`);
  assert.ok(Math.abs(found.idle - 100 * idle / (high - low)) < 0.1);
  const text = await page.$eval("#range", (panel) => panel.innerText);
  assert.match(text, new RegExp(`mean occupancy\\s+${found.occupancy.toFixed(1)} %`));
  assert.match(text, /HBM2e\s+[0-9.]+ [KMG]B/);
  await page.screenshot({path: join(screenshots, "four-range.png")});
  await page.click("#range-zoom");
  assert.deepEqual(await view(page), [low, high]);
  await page.keyboard.press("Escape");
  assert.equal(await page.$eval("#range", (panel) => panel.hidden), true);
  await page.close();
});

test("bytes of a selected run are what its kernels moved", async () => {
  const page = await open();
  await page.keyboard.press("m");  // all that is seen
  const {bytes} = await page.evaluate(() => gdsimRun.sums());
  const warps = {gemm: 216 * 8, softmax: 1024 * 4, layer_norm: 256 * 8, gelu: 1024 * 8};
  const each = {gemm: 16384, softmax: 4096, layer_norm: 2048, gelu: 1024};
  const moved = KERNELS.reduce((sum, kernel) => sum + 100 * warps[kernel] * each[kernel], 0);
  const [{level, bytes: found}] = bytes;
  assert.equal(level, "HBM2e");
  assert.ok(Math.abs(found / moved - 1) < 1e-4, `${found} ${moved}`);
  await page.close();
});

test("the address holds the zoom, the range and the launch, and gives them back", async () => {
  const page = await open();
  await drag(page, "#lanes .area", 0.3, 0.5);
  await page.keyboard.press("f");
  await page.focus("#lanes .area");
  await page.keyboard.press("ArrowRight");
  const [low, high] = await view(page);
  const range = await page.evaluate(() => gdsimRun.range);
  await page.mouse.move(0, 0);
  const launch = await page.$eval("#lanes .detail", (note) => note.textContent);
  await pause(400);
  const hash = await page.evaluate(() => location.hash);
  assert.match(hash, /^#zoom=[0-9.]+\.\.[0-9.]+&range=[0-9.]+\.\.[0-9.]+&launch=[0-9]+$/);
  const other = await open({}, hash);
  const again = await view(other);
  assert.ok(Math.abs(again[0] - low) < 0.01 && Math.abs(again[1] - high) < 0.01, `${again}`);
  assert.ok(Math.abs((await other.evaluate(() => gdsimRun.range)).low - range.low) < 0.01);
  assert.equal(await other.$eval("#lanes .detail", (note) => note.textContent), launch);
  await page.close();
  await other.close();
});

test("going back in history gives back what the address before held, also the whole run", async () => {
  const page = await open();
  const [start, end] = await whole(page);
  const [low, high] = [start + (end - start) / 4, start + (end - start) / 2].map((time) => Number(time.toFixed(3)));
  const go = (hash) => page.evaluate((hash) => { location.hash = hash; }, hash);
  await go(`zoom=${low}..${high}&launch=7`);
  await page.waitForFunction((low) => gdsimRun.from === low, {}, low);
  await pause(400);
  await go(`range=${low}..${high}`);
  await page.waitForFunction((start) => gdsimRun.from === start && gdsimRun.range, {}, start);
  await pause(400);
  await page.goBack();
  await page.waitForFunction((high) => gdsimRun.to === high && !gdsimRun.range, {}, high);
  assert.match(await page.evaluate(() => location.hash), /launch=7$/);
  await pause(400);
  await page.goBack();
  await page.waitForFunction((end) => gdsimRun.to === end, {}, end);
  assert.equal(await page.evaluate(() => location.hash), "");
  await page.close();
});

test("the search finds launches, kernels, cores, rows and headings, and opens what they are folded into", async () => {
  const page = await open();
  const kinds = async (text) => {
    await page.$eval("#search", (field) => { field.value = ""; });
    await page.type("#search", text);
    return page.$$eval("#found li", (all) => all.map((item) => `${item.children[0].textContent}: ${item.children[1].textContent}`));
  };
  assert.ok((await kinds("gemm")).includes("kernel: gemm"));
  assert.ok((await kinds("gemm 12 of s1")).includes("launch: gemm 12 of s1"));
  assert.ok((await kinds("SM 77")).includes("core: SM 77"));
  assert.ok((await kinds("queue s2")).includes("lane: queue s2"));
  assert.ok((await kinds("Scenario")).includes("heading: Scenario"));
  await kinds("gemm 12 of s1");
  await page.keyboard.press("Enter");
  assert.match(await page.$eval("#lanes .detail", (note) => note.textContent), /^gemm 12 of s1 /);
  await kinds("what limits");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  assert.ok(await page.evaluate(() => [...document.querySelectorAll("summary")]
    .find((one) => one.textContent === "What limits residency").getBoundingClientRect().top < innerHeight));
  await page.close();
});

test("a track folds to its caption, and draws again when it is opened", async () => {
  const page = await open();
  const high = () => page.$eval("#device", (figure) => figure.getBoundingClientRect().height);
  const picture = () => page.$eval("#device canvas", (canvas) => canvas.toDataURL());
  const [before, drawn] = [await high(), await picture()];
  await page.$eval("#device .track", (button) => button.click());
  assert.ok(await high() < 60 && before > 200);
  await page.keyboard.press("w");
  await page.keyboard.press("s");
  await page.$eval("#device .track", (button) => button.click());
  assert.equal(await high(), before);
  assert.equal(await picture(), drawn);
  await page.close();
});

test("bursts to all contexts are seen wherever the run has them", async () => {
  const page = await open({width: 1366});
  const rows = csvRows(join(at.folder, "four/timeline.csv"));
  const [start, end] = await whole(page);
  const width = await page.$eval("#device canvas", (canvas) => canvas.width);
  // How high each column of pixels is drawn, and how high the run goes within it.
  const drawn = await page.$eval("#device canvas", (canvas) => {
    const {data, width, height} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const isPale = (at) => data[at + 3] === 0 || data[at] > 200 && data[at + 1] > 210 && data[at + 2] > 215 && data[at + 2] < 236;
    return Array.from({length: width}, (_, x) => {
      for (let y = 4; y < height; ++y) if (data[4 * (y * width + x) + 3] === 255 && !isPale(4 * (y * width + x))) return 1 - y / height;
      return 0;
    });
  });
  let wrong = 0;
  const most = new Float64Array(width);
  rows.forEach((row, i) => {
    const from = Math.floor((Number(row.time_ns) - start) / (end - start) * width);
    const to = Math.floor(((i + 1 < rows.length ? Number(rows[i + 1].time_ns) : end) - start) / (end - start) * width);
    for (let x = from; x <= Math.min(to, width - 1); ++x) most[x] = Math.max(most[x], Number(row.threads_resident) / 6912);
  });
  for (let x = 2; x < width - 2; ++x) if (most[x] - drawn[x] > 0.06) ++wrong;
  assert.ok(wrong < width * 0.03, `${wrong} of ${width} columns are drawn too low`);
  assert.ok(Math.max(...most) > 0.99 && Math.max(...drawn) > 0.9);
  await page.close();
});

test("no phase has a tab without its name, at no zoom", async () => {
  const page = await open();
  for (const key of ["0", "w", "w", "w", "w"]) {
    await page.keyboard.press(key);
    const faults = await page.$$eval(".marks > span:not([hidden])", (all) => all
      .filter((mark) => getComputedStyle(mark.firstElementChild).visibility === "hidden" || mark.clientWidth < 30)
      .map((mark) => mark.title));
    assert.deepEqual(faults, []);
  }
  await page.close();
});

test("a window that was narrow for a while gets its axes back", async () => {
  const page = await open({width: 1400});
  const count = () => page.$$eval(".time span", (all) => all.length);
  const before = await count();
  await page.setViewport({width: 160, height: 600});
  await pause(200);
  await page.setViewport({width: 1400, height: 900});
  await pause(200);
  assert.equal(await count(), before);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("where the time goes is told apart by everybody, and seen on the page, light and dark", async () => {
  const names = ["--run", "--wait", "--copy", "--dispatch",
    ..."access issue mem0 mem1 mem2 mem3 mem4 slm child held".split(" ").map((name) => `--t-${name}`)];
  for (const dark of [false, true]) {
    const page = await open({dark});
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        const distance = await page.evaluate(colourDistance, a, b);
        assert.ok(distance >= 10, `${a} and ${b}${dark ? ", dark" : ""}: ${distance.toFixed(1)}`);
      }
      const found = await page.evaluate(contrastOf, a, "--panel");
      assert.ok(found >= 3, `${a}${dark ? ", dark" : ""}: ${found.toFixed(2)}`);
    }
    const fill = await page.$eval("#time-use .t-run", (area) => getComputedStyle(area).fill);
    assert.equal(fill, dark ? "rgb(47, 134, 189)" : "rgb(0, 114, 178)");
    await page.close();
  }
});

test("a page of 100,000 launches opens within two seconds", async () => {
  const text = `scenario: A hundred thousand
device: tiny
queues: {a: {order: in_order}, b: {order: in_order}}
kernels:
  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}
  l: {global: 16, local: 8, sub_group: 8, program: [compute: 2 us]}
launches:
  - {kernel: k, queue: a, count: 50000}
  - {kernel: l, queue: b, count: 50000}
`;
  writeFileSync(join(at.folder, "many.yaml"), text);
  execFileSync(gdsim, ["report", join(at.folder, "many.yaml"), "-o", join(at.folder, "many.html")]);
  assert.ok(statSync(join(at.folder, "many.html")).size < 2e6);
  const page = await openPage(at.browser, join(at.folder, "many.html"), {width: 1366});
  assert.deepEqual(page.faults, []);
  // The processor's time of the page: other programs may be using this machine.
  const client = await page.createCDPSession();
  await client.send("Performance.enable");
  const {metrics} = await client.send("Performance.getMetrics");
  const seconds = metrics.find(({name}) => name === "ProcessTime").value;
  assert.ok(seconds < 2, `${seconds} s`);
  await page.close();
});

test("several devices are on one axis: lanes by device, a row for each, links with bytes, collectives across", async () => {
  writeFileSync(join(at.folder, "eight.yaml"), `scenario: Two steps on four GPUs
devices: {gpu0: h100-sxm, gpu1: h100-sxm, gpu2: h100-sxm, gpu3: h100-sxm}
links:
  - {between: [gpu0, gpu1, gpu2, gpu3], bandwidth: 100 GB/s, latency: 3 us}
kernels:
  slow: {global: 337920, local: 256, sub_group: 32, slm: 200 KiB, program: [compute: 57 us]}
  step: {global: 337920, local: 256, sub_group: 32, slm: 200 KiB, program: [compute: 20 us]}
queues: {main: {order: in_order}, comm: {order: in_order}}
launches:
  - {kernel: slow, device: gpu0, queue: main, name: more}
  - {kernel: step, device: each, queue: main, name: first}
  - {collective: {kind: all_reduce, bytes: 8 MiB, work_groups: 16, slm: 64 KiB}, queue: comm, name: reduce, after: [first]}
  - {kernel: step, device: each, queue: main, name: second, after: [reduce]}
`);
  execFileSync(gdsim, ["report", join(at.folder, "eight.yaml"), "-o", join(at.folder, "eight.html")]);
  const page = await openPage(at.browser, join(at.folder, "eight.html"), {width: 1366});
  assert.deepEqual(page.faults, []);
  assert.equal((await page.$$("#cases tbody tr")).length, 1);
  assert.deepEqual(await page.$$eval("#lanes .fold", (all) => all.map((button) => button.title)),
    [0, 1, 2, 3].flatMap((gpu) => [`gpu${gpu}, main`, `gpu${gpu}, comm`]));
  assert.deepEqual(await page.$$eval(".lanes .left span", (all) => all.map((span) => span.textContent)),
    ["gpu0", "gpu1", "gpu2", "gpu3"]);
  const rows = await page.$$eval("#devices tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
  assert.equal(rows.length, 4);
  // A ring of four sends six quarters of 8 MiB from each.
  for (const [, , , , , , , sent] of rows) assert.equal(sent, `${(6 * 2 * 2 ** 20 / 1e6).toFixed(2)} MB`);
  // The others wait for gpu0, which has more to do before.
  assert.equal(rows[0][5], "0 s");
  for (const row of rows.slice(1)) assert.match(row[5], /^[0-9.]+ (us|ms)$/);
  const {collective} = await page.evaluate(() => gdsimRun.data.launches);
  assert.equal(collective.filter((number) => number === 0).length, 4);
  assert.equal(collective.filter((number) => number === null).length, collective.length - 4);
  await drag(page, "#core-1 .area", 0.5, 0.5);
  assert.match(await page.$eval("#readout", (line) => line.textContent), /; gpu1: [0-9]+ of /);
  await page.screenshot({path: join(screenshots, "devices.png"), fullPage: true});
  await page.click("#devices a");
  await page.waitForFunction(() => document.getElementById("case")?.dataset.case === "gpu0" && globalThis.gdsimRun);
  assert.match(await page.$eval(".device bdi", (name) => name.textContent), /H100/);
  assert.deepEqual(page.faults, []);
  await page.close();
});
