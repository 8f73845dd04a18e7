// What is dropped onto the page is imported in it, and becomes what `gdsim import` makes of it.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {gzipSync} from "node:zlib";
import {gdsim, root} from "./module.mjs";
import {drop, imported, inReport, open, openAll, paste, redrawn, small, title, trace} from "./writing.mjs";

let at;
before(async () => (at = await openAll()));
after(() => at?.close());

const fixtures = join(root, "tests/import/fixtures");
const fixture = (name) => ({name, bytes: readFileSync(join(fixtures, name))});
const tiled = "--kernel '^tiled$' --device rtx-a6000 --grid 4,4 --block 32,32 --arg 0=128,1=128,2=128";

/// What the program imports of files in a folder.
function native(folder, ...words) {
  const {status, stdout, stderr} = spawnSync(gdsim, ["import", ...words], {cwd: folder, encoding: "utf8"});
  assert.equal(status, 0, stderr);
  return stdout;
}

const textOf = (page) => page.$eval("#text", (area) => area.value);

async function importAgain(page, words) {
  await page.$eval("#import input", (field, words) => (field.value = words), words);
  await page.click("#import button:not([type])");
}

test("PTX that is dropped becomes steps, once the page has asked for what PTX leaves open", async () => {
  const page = await open(at);
  await drop(page, [fixture("sgemm.ptx")]);
  const first = await imported(page);
  assert.equal(first.state, "wrong");
  assert.match(first.said, /--program makes the steps of one kernel, and 6 are here: 'naive', .*; choose one: --kernel/);
  await importAgain(page, "--kernel '^tiled$'");
  assert.match((await imported(page)).said, /sgemm\.ptx:[0-9]+:[0-9]+: .* depends on argument 2, .* --arg 2=VALUE/);
  await redrawn(page, () => importAgain(page, tiled));
  const {state, said} = await imported(page);
  assert.equal(state, "done");
  assert.match(said, /PTX has no registers/);
  const words = ["--program", "--kernel", "^tiled$", ...tiled.split(" ").slice(2)];
  assert.equal(await textOf(page), native(fixtures, "sgemm.ptx", ...words));
  assert.equal(await title(page), "1 kernel of sgemm.ptx on rtx-a6000");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a file of machine code that is dropped beside PTX gives its registers", async () => {
  const page = await open(at);
  await page.select("#device", "rtx-a6000");
  await drop(page, [fixture("sgemm.ptxas.txt"), fixture("sgemm.ptx")]);
  await imported(page);
  assert.equal(await page.$eval("#import input", (field) => field.value), "--device rtx-a6000");
  await redrawn(page, () => importAgain(page, tiled));
  const words = ["--program", "--cubin", "sgemm.ptxas.txt", "--kernel", "^tiled$", ...tiled.split(" ").slice(2)];
  assert.equal(await textOf(page), native(fixtures, "sgemm.ptx", ...words));
  assert.equal(await page.$eval("#device", (choice) => choice.value), "");
  await page.close();
});

test("a trace of Kineto that is dropped onto the report becomes its scenario, compressed or not", async () => {
  const page = await open(at);
  for (const [name, bytes] of [["step.json", trace()], ["step.json.gz", gzipSync(trace())]]) {
    writeFileSync(join(at.folder, name), bytes);
    await redrawn(page, () => paste(page, small("Between")));
    const report = await (await page.$("iframe:not(.back)")).contentFrame();
    await redrawn(page, () => drop(page, [{name, bytes}], report));
    const {state, said} = await imported(page);
    assert.equal(state, "done", said);
    assert.match(said, /read: step\.json(\.gz)? \(PyTorch profiler \(Kineto\), JSON\): 1 launch, 1 kernel/);
    assert.equal(await textOf(page), native(at.folder, name));
    assert.match(await inReport(page, "h1", (heading) => heading.textContent), /^1 launch of step\.json/);
  }
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("files that are dropped onto a report while the next one replaces it are imported", async () => {
  const page = await open(at);
  await redrawn(page, () => paste(page, small("Next")));
  const replaced = await (await page.$("iframe.back")).contentFrame();
  await redrawn(page, () => drop(page, [{name: "step.json", bytes: trace()}], replaced));
  assert.match(await title(page), /^1 launch of step\.json/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("other files are imported, too, opened, or refused with what reads them", async () => {
  const page = await open(at);
  await redrawn(page, () => drop(page, [{name: "own.yaml", bytes: small("Dropped")}]));
  assert.equal(await title(page), "Dropped");
  assert.equal(await page.$eval("#import", (panel) => panel.hidden), true);
  await drop(page, [fixture("linked.sm_86.cubin")]);
  assert.equal((await imported(page)).state, "done");
  assert.equal(await textOf(page), native(fixtures, "linked.sm_86.cubin"));
  for (const [name, bytes, said] of [
    ["x.sqlite", "SQLite format 3\0", /is a SQLite database, which the playground does not read; `gdsim import` does/],
    ["gpgpusim.config", "-gpgpu_n_clusters 20\n-gpgpu_n_cores_per_cluster 1\n-gpgpu_shader_core_pipeline 1536:32\n",
     /becomes a device, not a scenario/],
    ["nothing.txt", "nothing", /is not in a format that gdsim reads/],
    ["small.size.fatbin", readFileSync(join(fixtures, "small.size.fatbin")), /the playground does not unpack it/],
  ]) {
    await drop(page, [{name, bytes}]);
    await page.waitForFunction((name) => document.querySelector("#import code").textContent === name, {}, name);
    const ended = await imported(page);
    assert.equal(ended.state, "wrong", name);
    assert.match(ended.said, said);
  }
  for (const [words, said] of [["--devic x", /'--devic' is no option of an import here, which are --device, /],
                               ["--device", /--device needs a value: --device NAME/],
                               ["--device 'x", /a quote is not closed/]]) {
    await importAgain(page, words);
    assert.match((await imported(page)).said, said);
  }
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("hostile files inject nothing and end, and the page works afterwards", async () => {
  const page = await open(at);
  const attack = "<img src=x onerror='parent.hit = hit = 1'>";
  await redrawn(page, () => drop(page, [{name: `${attack.replace("/", "")}.json`, bytes: trace(attack)}]));
  assert.ok((await textOf(page)).includes(attack));
  for (const frame of page.frames()) assert.equal(await frame.evaluate(() => "hit" in globalThis), false);
  assert.equal(await page.$$eval("img", (all) => all.length), 0);
  await drop(page, [{name: "bomb.json", bytes: gzipSync(`{"traceEvents": [${" ".repeat(1 << 28)}`)}]);
  await page.waitForFunction(() => document.querySelector("#import code").textContent === "bomb.json");
  const {state, said} = await imported(page);
  assert.equal(state, "wrong");
  assert.match(said, /bomb\.json/);
  await redrawn(page, () => paste(page, small("After it")));
  assert.equal(await title(page), "After it");
  assert.deepEqual(page.faults, []);
  await page.close();
});
