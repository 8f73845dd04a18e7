// Opens the pages of sweeps, explanations and differences in a browser: no error, no request, the arrow keys, labels.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

const studies = join(root, "scenarios/studies");
const pages = {
  curve: ["sweep", join(studies, "wave_quantisation.yaml"), "--vary", "blocks=12..432+12", "--metric", "mean_occupancy"],
  heat_map: ["sweep", join(studies, "gemm_tile.yaml"), "--vary", "tile=16,32,64,512", "--vary", "stages=1..3+1"],
  multiples: ["sweep", join(studies, "policies.yaml"), "--vary", "dispatch.placement=fill_first,round_robin", "--vary",
    "dispatch.admission=whole,partial", "--vary", "dispatch.ports=1,2,unlimited"],
  explanation: ["explain", join(studies, "gemm_tile.yaml")],
  difference: ["diff", join(root, "scenarios/vector_add3.yaml"), join(root, "scenarios/vector_add4.yaml")],
  long_title: ["diff", join(root, "scenarios/vector_add3.yaml"), join(root, "scenarios/vector_add4.yaml"), "--set",
    `scenario=${"A title of sixty characters, as people really write them, ok".padEnd(60, ".")}`],
};

let at;
before(async () => {
  at = await openBrowser();
  for (const [name, words] of Object.entries(pages))
    execFileSync(gdsim, [...words, "-o", join(at.folder, `${name}.html`)]);
});
after(() => at?.close());

const open = (name, options) => openPage(at.browser, join(at.folder, `${name}.html`), options);

for (const name of Object.keys(pages))
  for (const [look, options] of Object.entries({light: {}, dark: {dark: true}, narrow: {width: 380}, plain: {script: false}}))
    test(`${name} opens without a complaint or a request: ${look}`, async () => {
      const page = await open(name, options);
      assert.deepEqual(page.faults, []);
      const wide = await overflow(page);
      assert.ok(wide <= 0, `the page is ${wide} pixels wider than the window`);
      await page.screenshot({path: join(screenshots, `${name}-${look}.png`), fullPage: true});
      await page.close();
    });

test("the column of changes of a diff is in sight, however long a title is", async () => {
  const page = await open("long_title");
  const right = await page.$$eval("tr > :last-child", (cells) => Math.max(...cells.map((cell) => cell.getBoundingClientRect().right)));
  assert.ok(right <= 1200, `${right}`);
  assert.equal(await page.$eval("tr > :last-child", (cell) => cell.textContent), "change");
  await page.close();
});

const readout = (page) => page.$eval("#readout", (element) => element.textContent);

test("the arrow keys go from point to point, and the readout says what is there", async () => {
  const page = await open("heat_map");
  await page.keyboard.press("Tab");
  assert.match(await readout(page), /^Best: tile=64, stages=3: /);
  await page.keyboard.press("ArrowLeft");
  assert.match(await readout(page), /^tile=64, stages=2: .*rank \d+ of 9/);
  await page.keyboard.press("ArrowDown");
  assert.match(await readout(page), /^tile=512, stages=2: refused, /);
  await page.keyboard.press("Home");
  assert.match(await readout(page), /^Best: /);
  await page.close();
});

test("the pointer reads a point, refused ones too", async () => {
  const page = await open("heat_map");
  await page.hover(".mark.refused rect");
  assert.match(await readout(page), /refused, slm: |refused, registers: /);
  await page.close();
});

test("screen readers read every point, and which is the best", async () => {
  for (const name of ["curve", "heat_map", "multiples"]) {
    const page = await open(name);
    const marks = await page.$$eval(".mark", (all) => all.map((mark) => [mark.getAttribute("role"), mark.getAttribute("aria-label")]));
    assert.ok(marks.length >= 12);
    for (const [role, label] of marks) {
      assert.equal(role, "img");
      assert.match(label, /=.+: /);
    }
    assert.equal(marks.filter(([, label]) => label.startsWith("Best: ")).length, 1);
    await page.close();
  }
});
