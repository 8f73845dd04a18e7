// A page beside that of another run, which is opened from a file.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {csvRows, gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

const scenario = (rest) => `scenario: A run
device: tiny
kernels:
  same: {global: 64, local: 8, sub_group: 8, program: [compute: 4 us]}
  slower: {global: 64, local: 8, sub_group: 8, program: [compute: 2 us]}
  gone: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}
queues: {q: {order: in_order}}
launches: [{kernel: same, queue: q}, {kernel: slower, queue: q}, ${rest}]
`;

let at;
before(async () => {
  at = await openBrowser();
  const runs = {
    first: scenario("{kernel: gone, queue: q}"),
    second: scenario("{kernel: slower, queue: q}")
      .replace("scenario: A run", 'scenario: "</title><b>The other"')
      .replace("compute: 2 us", "compute: 3 us"),
  };
  for (const [name, text] of Object.entries(runs)) {
    writeFileSync(join(at.folder, `${name}.yaml`), text);
    execFileSync(gdsim, ["report", join(at.folder, `${name}.yaml`), "-o", join(at.folder, `${name}.html`)]);
    execFileSync(gdsim, ["run", join(at.folder, `${name}.yaml`), "-o", join(at.folder, name)]);
  }
  writeFileSync(join(at.folder, "none.html"), "<p>no run</p>");
  writeFileSync(
    join(at.folder, "broken.html"),
    '<script type="application/json" id="data">{"device":{"time":["x"],"resident":[1]}}</script>',
  );
});
after(() => at?.close());

const openBeside = async (file, options) => {
  const page = await openPage(at.browser, join(at.folder, "first.html"), options);
  await (await page.$("#beside-file")).uploadFile(join(at.folder, file));
  await page.waitForFunction(() => !document.getElementById("beside-said").textContent.startsWith("Open a page"));
  return page;
};
const rowsOf = (page, number) =>
  page.$$eval(`#beside .wide:nth-of-type(${number}) tbody tr`, (rows) =>
    rows.map((row) => [...row.cells].map((cell) => cell.textContent)),
  );

test("kernels of two runs are matched by name, and their sums are those of both runs", async () => {
  const page = await openBeside("second.html");
  assert.deepEqual(page.faults, []);
  const sum = (run, kernel) =>
    csvRows(join(at.folder, run, "launches.csv"))
      .filter((row) => row.kernel === kernel)
      .reduce((all, row) => all + Number(row.duration_ns), 0);
  const rows = new Map((await rowsOf(page, 2)).map(([kernel, ...cells]) => [kernel, cells]));
  assert.deepEqual([...rows.keys()].sort(), ["gone", "same", "slower"]);
  const change = 100 * (sum("second", "slower") / sum("first", "slower") - 1);
  assert.deepEqual(rows.get("slower").slice(0, 2), ["1", "2"]);
  assert.equal(rows.get("slower").at(-1), `+${change.toFixed(1)} %`);
  assert.equal(rows.get("same").at(-1), "0.0 %");
  assert.equal(rows.get("gone").at(-1), "only in this run");
  await page.screenshot({path: join(screenshots, "beside.png"), fullPage: true});
  await page.close();
});

test("both are drawn over one time, to the end of the longer", async () => {
  const page = await openBeside("second.html");
  const {start_ns: start, end_ns: end} = JSON.parse(
    execFileSync(gdsim, ["run", join(at.folder, "second.yaml"), "--print", "summary"]).toString(),
  );
  const first = Number(csvRows(join(at.folder, "second/timeline.csv"))[0].time_ns);
  assert.ok(first >= start);
  assert.match(
    await page.$eval("#beside figcaption", (caption) => caption.textContent),
    new RegExp(`from their first dispatch to ${(end - first) / 1000} us; the axis ends at [0-9.]+ %$`),
  );
  const drawn = await page.$eval("#beside canvas", (canvas) => {
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let right = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] > 0) right = Math.max(right, ((i - 3) / 4) % canvas.width);
    return right / canvas.width;
  });
  assert.ok(drawn > 0.98, `${drawn}`);
  await page.close();
});

test("a name of the other run stays a name, and what is no page of a run is refused in words", async () => {
  const page = await openBeside("second.html", {width: 390});
  assert.match(await page.$eval("#beside-said", (said) => said.textContent), /, <\/title><b>The other /);
  assert.equal(await page.$$eval("#beside b", (all) => all.length), 0);
  assert.ok((await overflow(page)) <= 0);
  await page.close();
  for (const file of ["none.html", "broken.html"]) {
    const other = await openBeside(file);
    assert.equal(
      await other.$eval("#beside-said", (said) => said.textContent),
      `${file} is not the page of a run. Open a file that gdsim report wrote.`,
    );
    assert.equal(await other.$("#beside table"), null);
    assert.deepEqual(other.faults, []);
    await other.close();
  }
});

test("a kernel of another name is matched by its number of work-groups, where no other has as many", async () => {
  const text = scenario("{kernel: same, queue: q}").replaceAll("gone", "unused");
  const shaped = text.replace("slower: {global: 64", "renamed: {global: 128").replaceAll("kernel: slower", "kernel: renamed");
  for (const [name, yaml] of [["own_name", text.replace("slower: {global: 64", "slower: {global: 128")], ["new_name", shaped]]) {
    writeFileSync(join(at.folder, `${name}.yaml`), yaml);
    execFileSync(gdsim, ["report", join(at.folder, `${name}.yaml`), "-o", join(at.folder, `${name}.html`)]);
  }
  const page = await openPage(at.browser, join(at.folder, "own_name.html"));
  await (await page.$("#beside-file")).uploadFile(join(at.folder, "new_name.html"));
  await page.waitForSelector("#beside table");
  const rows = await rowsOf(page, 2);
  assert.deepEqual(rows.map(([kernel]) => kernel).sort(), ["same", "slower (other run: renamed, same number of work-groups)"]);
  assert.equal(rows.find(([kernel]) => kernel.startsWith("slower")).at(-1), "0.0 %");
  await page.close();
});

test("on a page of cases, another case is chosen from a list, also when the first is not shown", async () => {
  const file = join(at.folder, "cases.html");
  execFileSync(gdsim, ["report", join(root, "scenarios/vector_add2.yaml"), "-o", file]);
  const page = await openPage(at.browser, file);
  const options = () => page.$$eval("#beside-case option", (all) => all.map((one) => one.textContent));
  const names = await page.$$eval("#cases a", (all) => all.map((link) => link.textContent));
  assert.deepEqual(await options(), ["no other run", ...names.slice(1)]);
  await page.select("#beside-case", "0");
  assert.match(await page.$eval("#beside-said", (text) => text.textContent), new RegExp(`, ${names[1]} `));
  await page.click("#cases tbody tr:nth-child(2) a");
  await page.waitForFunction((name) => document.getElementById("case")?.dataset.case === name, {}, names[1]);
  await page.waitForSelector("#beside-case option");
  assert.deepEqual((await options()).slice(1).sort(), names.filter((name) => name !== names[1]).sort());
  assert.deepEqual(page.faults, []);
  await page.close();
});
