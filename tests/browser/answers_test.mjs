// What a page says of a run's limits, as figures: tiles of persistent kernels, peaks, assumptions, and where time goes.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {boxInSight, gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

/// Threads that execute, load, and wait at a barrier and for memory, beside copies, on an eighth of the device.
const WAITS = `scenario: Waits
device: a100-80gb
kernels:
  k: {global: 13824, local: 256, sub_group: 32, program: [loop: {count: 6, body: [memory: 64 KiB, compute: 1 us, barrier]}]}
launches:
  - {copy: {bytes: 1 MiB, direction: host_to_device}, name: in}
  - {kernel: k, name: first, after: [in]}
  - {copy: {bytes: 1 MiB, direction: host_to_device}, name: beside, after: [in]}
  - {kernel: k, name: second, after: [first]}
`;

/// Two work-groups of two threads that take a tile each: three tiles in 2 us, and two in 1 us. And what stands behind.
const tilesOf = (behind) => `scenario: Tiles
device: {base: tiny, cores: 2}
kernels:
  k:
    global: 32
    local: 16
    sub_group: 8
    slm: 4 KiB
    variation: none
    program: [tiles: {list: work, count: 5, take: static, per: thread, body: [compute: 1 us]}${behind}]
launches: [{kernel: k, name: one}]
`;

let at;
before(async () => {
  at = await openBrowser();
  writeFileSync(join(at.folder, "waits.yaml"), WAITS);
  execFileSync(gdsim, ["report", join(at.folder, "waits.yaml"), "-o", join(at.folder, "waits.html")]);
  for (const [name, behind] of [["at_once", ""], ["behind", ", compute: 5 us"]]) {
    writeFileSync(join(at.folder, `${name}.yaml`), tilesOf(behind));
    execFileSync(gdsim, ["report", join(at.folder, `${name}.yaml`), "-o", join(at.folder, `${name}.html`)]);
  }
  const report = (file, name, ...more) =>
    execFileSync(gdsim, ["report", join(root, `scenarios/${file}.yaml`), ...more, "-o", join(at.folder, `${name}.html`)]);
  report("persistent_tiles", "tiles", "--case", "uneven_static");
  report("vector_add4", "assumed");
});
after(() => at?.close());

const open = (name, options) => openPage(at.browser, join(at.folder, `${name}.html`), options);

const LOOKS = {wide: {width: 2560}, laptop: {width: 1366}, "narrow-dark": {width: 400, dark: true}};
for (const [look, options] of Object.entries(LOOKS))
  test(`figures of tiles, peaks and assumptions fit into the window, ${look}`, async () => {
    for (const name of ["tiles", "waits", "assumed"]) {
      const page = await open(name, options);
      assert.deepEqual(page.faults, []);
      assert.ok(await overflow(page) <= 0, name);
      await page.screenshot({path: join(screenshots, `${name}-${look}.png`), fullPage: true});
      await page.close();
    }
  });

test("tiles of a persistent kernel are named under the pointer and by the arrow keys, and idle work-groups are striped", async () => {
  const page = await open("tiles");
  const box = await boxInSight(page, "#tiles .area");
  const said = () => page.$eval("#tiles .detail", (note) => note.textContent);
  await page.mouse.move(box.x + box.width * 0.01, box.y + 2);
  assert.match(await said(), /^tile 0 of work: from 0 s to 4 us, 4 us; block 0 of run, SM 0: 8 tiles\.$/);
  // Block 66 has 8 tiles of 1 us, and the launch lasts 32 us.
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 1.5 / 132);
  assert.match(await said(), /^block 66 of run, SM 1: 8 tiles; idle since 8 us, for 24 us\.$/);
  await page.focus("#tiles .area");
  for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  assert.match(await said(), /^tile 198 of work: from 1 us to 2 us, 1 us; block 66 of run, SM 1/);
  const cells = await page.$$eval("#tiles-by-launch tbody td", (all) => all.map((cell) => cell.textContent.trim()));
  assert.deepEqual(cells, ["1056", "132", "8", "14 us", "32 us", "0 on SM 0", "56.3 %"]);
  assert.match(await page.$eval("#finding", (note) => note.textContent), /^Imbalance: /);
  await page.close();
});

test("of several tiles at once, the one under the pointer is named, and the arrow keys name all", async () => {
  const page = await open("at_once");
  const box = await boxInSight(page, "#tiles .area");
  const saidAt = async (time, row) => {
    await page.mouse.move(box.x + box.width * time / 2, box.y + box.height * row / 2);
    return page.$eval("#tiles .detail", (note) => note.textContent);
  };
  const all = "work-group 0 of one, core 0: 3 tiles.";
  assert.equal(await saidAt(0.5, 0.25), `tile 0 of work: from 0 s to 1 us, 1 us; ${all}`);
  assert.equal(await saidAt(0.5, 0.75), `tile 1 of work: from 0 s to 1 us, 1 us; ${all}`);
  assert.match(await saidAt(1.5, 0.25), /^tile 4 of work: from 1 us to 2 us, /);
  assert.match(await saidAt(1.5, 1.25), /: 2 tiles; idle since 1 us, for 1 us\.$/);
  await page.focus("#tiles .area");
  for (const key of ["ArrowRight", "ArrowLeft"]) await page.keyboard.press(key);
  const said = await page.$eval("#tiles .detail", (note) => note.textContent);
  assert.equal(said, `tile 0 of work: from 0 s to 1 us, 1 us; tile 1 of work: from 0 s to 1 us, 1 us; ${all}`);
  await page.close();
});

test("a work-group that works on behind its tiles is not idle, nor is one behind the last tile of all", async () => {
  for (const [name, stripes, idle] of [["at_once", 1, "25.0 %"], ["behind", 0, "0.0 %"]]) {
    const page = await open(name);
    assert.equal((await page.$$("#tiles-section .legend .wait")).length, stripes);
    assert.equal(await page.$eval("#tiles-by-launch td:last-child", (cell) => cell.textContent.trim()), idle);
    await page.close();
  }
});

test("the bar of a peak is as long as its percent, and an assumption has a mark at the other duration", async () => {
  const page = await open("waits");
  const bars = await page.$$eval("#speed-bars tbody tr", (rows) => rows.map((row) => {
    const {width} = row.querySelector("svg").getBoundingClientRect();
    return [row.querySelector(".busy")?.getBoundingClientRect().width / width * 100, parseFloat(row.cells[2].textContent)];
  }));
  assert.ok(bars.length > 0);
  for (const [drawn, percent] of bars) assert.ok(Math.abs(drawn - percent) < 1.5, `${drawn} ${percent}`);
  await page.close();
  const assumed = await open("assumed");
  // 10 ms instead of 20 ms: the mark is in the middle of the bar.
  const [bar, mark] = await assumed.$eval("#rests-on-bars tbody tr", (row) =>
    [row.querySelector(".busy"), row.querySelector(".mark-at")].map((one) => one.getBoundingClientRect()).map(({left, right}) => [left, right]));
  assert.ok(Math.abs((mark[0] + mark[1]) / 2 - (bar[0] + bar[1]) / 2) < 2, `${bar} ${mark}`);
  await assumed.close();
});

/// The pixels of a canvas in a column: whether each differs from the one above it.
const edgesOf = (page) => page.$eval("#time-use canvas", (canvas) => {
  const {data, width, height} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return {width, height, pixels: Array.from(data)};
});

test("where the time goes is hatched: no two kinds look alike without colours, drawn, zoomed and in print", async () => {
  const page = await open("waits");
  const lines = await page.$$eval(".legend pattern", (all) => all.map((pattern) =>
    `${pattern.getAttribute("width")} ${pattern.getAttribute("height")} ${pattern.querySelector(".hatch").getAttribute("d")}`));
  assert.ok(lines.length >= 2, `${lines}`);
  assert.equal(new Set(lines).size, lines.length);
  for (const name of await page.$$eval("#time-use .area > svg > path[class^=t-]", (all) => all.map((area) => area.getAttribute("class"))))
    if (!["t-run", "t-barrier"].includes(name))
      assert.match(await page.$eval(`#time-use .area > svg > .${name}`, (area) => getComputedStyle(area).fill), new RegExp(`#time-use-${name}`));
  const colours = async () => {
    const {pixels} = await edgesOf(page);
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) seen.add(`${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`);
    return seen;
  };
  const access = await page.evaluate(() => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue("--t-access").trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(",");
  });
  assert.ok((await colours()).has(access));
  await page.keyboard.press("w");
  assert.ok((await colours()).has(access), "zoomed");
  await page.close();
});

test("bars of copies stay at the top of the figure, zoomed and with what is held enlarged", async () => {
  const page = await open("waits");
  const copy = await page.evaluate(() => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue("--copy").trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  });
  const isBar = async () => {
    const {pixels, width} = await edgesOf(page);
    let count = 0;
    for (let x = 0; x < width; ++x) {
      const i = 4 * (4 * width + x);
      if (copy.every((part, channel) => pixels[i + channel] === part)) ++count;
    }
    return count / width;
  };
  const whole = await isBar();
  assert.ok(whole > 0.02, `${whole}`);
  if (await page.$("#go-scale")) {
    await page.click("#go-scale");
    assert.ok(Math.abs(await isBar() - whole) < 0.01, "enlarged");
  }
  const [from, to] = await page.evaluate(() => {
    const {time, bars} = gdsimRun.data.time_use;
    const row = bars[0].on.indexOf(1);
    return [Number(time[row]), Number(time[row + 1])];
  });
  await page.evaluate((low, high) => gdsimRun.zoom(low, high), from, to);
  assert.ok(await isBar() > 0.98, "zoomed to a copy");
  await page.close();
});
