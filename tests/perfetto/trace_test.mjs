// Loads traces of gdsim with Perfetto's own Trace Processor, the engine behind its viewer, and asks it what it read.
//
//   tests/perfetto/fetch.sh build/trace-processor
//   GDSIM=build/release/tools/gdsim node --test tests/perfetto/
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {appendFileSync, mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join, resolve} from "node:path";
import {after, test} from "node:test";
import {fileURLToPath} from "node:url";
import {load} from "./trace_processor.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const gdsim = resolve(process.env.GDSIM ?? join(root, "build/release/tools/gdsim"));
const folder = mkdtempSync(join(tmpdir(), "gdsim-perfetto-"));
after(() => rmSync(folder, {recursive: true, force: true}));

/// Runs a scenario, whose files lie in `out` then, and loads its trace.
async function traceOf(words, status = 0) {
  const file = join(folder, "run.pftrace");
  const ran = spawnSync(gdsim, ["run", ...words, "--trace", file, "-o", join(folder, "out")], {encoding: "utf8"});
  assert.equal(ran.status, status, ran.stderr);
  return load(file);
}

const csv = (file) => {
  const [header, ...rows] = readFileSync(join(folder, "out", file), "utf8").trim().split("\n").map((row) => row.split(","));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [header[i], cell])));
};

const scenarios = {
  "VectorAdd4, with barriers and partial placement": [["scenarios/vector_add4.yaml"], 0],
  "132 cores": [["tests/browser/many_cores.yaml"], 0],
  "copies and launches that wait": [["tests/browser/launch_graph.yaml"], 0],
  "a run that came to its bound": [["tests/browser/launch_graph.yaml", "--max-time", "300 us"], 0, true],
  "children": [["scenarios/child_kernels.yaml", "--case", "parents_wait"], 0],
  "a deadlock": [["scenarios/child_kernels.yaml", "--case", "waiting_parents_fill_the_device"], 3, true],
};
for (const [name, [words, status, leaves_work = false]] of Object.entries(scenarios))
  test(`Perfetto reads without an error: ${name}`, async () => {
    const trace = await traceOf([join(root, words[0]), ...words.slice(1)], status);
    assert.deepEqual(await trace.query(
      "select name, severity, value from stats where severity in ('error', 'data_loss') and value > 0"), []);
    const [{slices, open, counters}] = await trace.query(
      "select count(*) as slices, sum(dur < 0) as open, (select count(*) from counter) as counters from slice");
    assert.ok(slices > 0 && counters > 0);
    assert.equal(open > 0, leaves_work);
    trace.close();
  });

test("Perfetto refuses a trace whose last packet is broken", async () => {
  (await traceOf([join(root, "scenarios/vector_add4.yaml")])).close();
  const file = join(folder, "run.pftrace");
  appendFileSync(file, Buffer.from([0x0a, 0x06, 0x5a, 0x7f, 0x01, 0x02, 0x03, 0x04]));
  let isRefused = false;
  await load(file).catch(() => { isRefused = true; });
  assert.ok(isRefused);
});

test("Perfetto's counter is the column of timeline.csv", async () => {
  const trace = await traceOf([join(root, "scenarios/vector_add4.yaml")]);
  const read = await trace.query(`select c.ts as time, cast(c.value as int) as threads
    from counter c join track t on c.track_id = t.id join track p on t.parent_id = p.id
    where t.name = 'threads resident' and p.parent_id is null order by c.ts`);
  const wanted = csv("timeline.csv").map((row) => ({time: Number(row.time_ns), threads: Number(row.threads_resident)}));
  assert.deepEqual(read, wanted.filter((row, i) => i === 0 || row.threads !== wanted[i - 1].threads));
  trace.close();
});

test("Perfetto draws an arrow for every dependency, copies included", async () => {
  const trace = await traceOf([join(root, "tests/browser/launch_graph.yaml")]);
  const arrows = await trace.query(
    "select a.name as before, b.name as behind from flow join slice a on slice_out = a.id join slice b on slice_in = b.id");
  const listed = JSON.parse(readFileSync(join(folder, "out/summary.json"), "utf8")).launches
    .flatMap(({launch, after}) => after.map((before) => `${before} > ${launch}`));
  assert.deepEqual(arrows.map(({before, behind}) => `${before} > ${behind}`).sort(), listed.sort());
  const copies = await trace.query(
    "select s.name as name from slice s where s.category = 'copy' order by s.ts, s.name");
  assert.deepEqual(copies.map(({name}) => name),
    ["image in", "the mask, which comes behind the image", "image out", "sums out"]);
  trace.close();
});
