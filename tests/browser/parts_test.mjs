// Groups of cores and several cases on a page of a file, in a browser.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {after, before, test} from "node:test";
import {boxInSight, csvRows, gdsim, openBrowser, openPage, overflow, root} from "./pages.mjs";

let at;
before(async () => { at = await openBrowser(); });
after(() => at?.close());

const groups = `scenario: Groups of cores
device: {base: tiny, cores: 5, core_groups: [{name: die, sizes: [3, 2]}, {name: pair, count: 2}]}
kernels:
  k: {global: 45, local: 3, sub_group: 1, slm: 1 KiB, program: [compute: 1 us, barrier, compute: 300 ns]}
launches: [kernel: k]
`;

test("the section of groups of cores is closed, and opened its rows say what each group held, as groups.csv does", async () => {
  const scenario = join(at.folder, "groups.yaml"), file = join(at.folder, "groups.html");
  writeFileSync(scenario, groups);
  execFileSync(gdsim, ["report", scenario, "-o", file]);
  execFileSync(gdsim, ["run", scenario, "-o", join(at.folder, "groups")]);
  const rows = csvRows(join(at.folder, "groups", "groups.csv"));
  const page = await openPage(at.browser, file);
  assert.equal(await page.$eval("#core-groups", (details) => details.open), false);
  await page.click("#core-groups > summary");
  assert.equal(await page.$$eval("#core-groups figure", (all) => all.length), 6);
  let compared = 0;
  for (const [index, level, group] of [[0, "die", 0], [1, "die", 1], [3, "pair", 1]]) {
    const box = await boxInSight(page, `#core-group-${index} .area`);
    for (const share of [0.1, 0.45, 0.8]) {
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
      const said = await page.$eval("#readout", (text) => text.textContent);
      const shown = Number(await page.$eval("#readout [data-field=time_ns]", (span) => span.dataset.value));
      const held = await page.$eval("#readout [data-field=group_threads_resident]", (span) => span.textContent);
      const row = rows.filter((one) => one.level === level && one.group === String(group) && Number(one.time_ns) <= shown).at(-1);
      assert.equal(held, row.threads_resident, said);
      assert.match(said, new RegExp(`; ${level} ${group}: `));
      ++compared;
    }
  }
  assert.equal(compared, 9);
  assert.ok(await overflow(page) <= 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a page of cases shows the one that is chosen, and the first without a script", async () => {
  const file = join(at.folder, "cases.html");
  execFileSync(gdsim, ["report", join(root, "scenarios/vector_add2.yaml"), "-o", file]);
  const page = await openPage(at.browser, file);
  const names = await page.$$eval("#cases a", (all) => all.map((link) => link.textContent));
  const shown = () => page.$eval("#case", (element) => element.dataset.case);
  const current = () => page.$$eval("#cases [aria-current]", (all) => all.map((link) => link.textContent));
  assert.ok(names.length > 2);
  assert.equal(await shown(), names[0]);
  assert.deepEqual(await current(), [names[0]]);
  const durations = await page.$$eval("#cases tbody tr", (all) => all.map((row) => row.cells[2].textContent));
  for (const number of [2, 1]) {
    await page.click(`#cases tbody tr:nth-child(${number + 1}) a`);
    await page.waitForFunction((name) => document.getElementById("case")?.dataset.case === name, {}, names[number]);
    await page.waitForSelector("#device canvas");
    assert.deepEqual(await current(), [names[number]]);
    assert.equal(await page.$$eval("#data", (all) => all.length), 1);
    const said = await page.$$eval(".headline div", (all) =>
      all.map((part) => part.textContent).find((text) => text.startsWith("duration")));
    assert.equal(said, `duration${durations[number]}`);
  }
  assert.ok(await overflow(page) <= 0);
  assert.deepEqual(page.faults, []);
  await page.close();

  const plain = await at.browser.newPage();
  await plain.setJavaScriptEnabled(false);
  await plain.goto(`${pathToFileURL(file).href}#case=${encodeURIComponent(names[1])}`, {waitUntil: "load"});
  const html = await plain.content();
  assert.ok(html.includes(`<div id="case" data-case="${names[0]}">`));
  await plain.close();
});

test("what would help is a click away: the run of each of the three greatest savings, beside the run as it is", async () => {
  const file = join(at.folder, "explained.html");
  execFileSync(gdsim, ["report", join(root, "scenarios/vector_add4.yaml"), "--explain", "-o", file]);
  const page = await openPage(at.browser, file);
  const links = await page.$$eval("#help li a", (all) => all.map((link) => decodeURIComponent(link.hash.slice("#case=".length))));
  assert.equal(links.length, 3);
  const listed = await page.$$eval("#help tbody tr", (all) => all.map((row) => [row.cells[0].textContent, row.cells[2].textContent]));
  await page.click("#help li:nth-child(2) a");
  await page.waitForFunction((name) => document.getElementById("case")?.dataset.case === name, {}, links[1]);
  await page.waitForSelector("#device canvas");
  const duration = await page.$$eval(".headline div", (all) =>
    all.map((part) => part.textContent).find((text) => text.startsWith("duration")));
  assert.equal(duration, `duration${new Map(listed).get(links[1])}`);
  const choices = await page.$$eval("#dispatch-beside option", (all) => all.map((one) => one.textContent));
  assert.deepEqual(choices.slice(1).sort(), ["as it is", links[0], links[2]].sort());
  await page.select("#dispatch-beside", String(choices.indexOf("as it is") - 1));
  assert.equal(await page.$$eval(".dispatch-pane", (all) => all.length), 2);
  assert.deepEqual(page.faults, []);
  await page.close();
});
