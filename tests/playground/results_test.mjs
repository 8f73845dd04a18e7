// The module gives what the program gives, byte for byte.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {freshCalls, gdsim, root} from "./module.mjs";

let calls;
let examples;
let folder;
before(async () => {
  calls = await freshCalls();
  examples = calls.catalog().examples;
  folder = mkdtempSync(join(tmpdir(), "gdsim-playground-"));
});
after(() => rmSync(folder, {recursive: true, force: true}));

const native = (...words) => spawnSync(gdsim, words, {encoding: "utf8", maxBuffer: 1 << 30});
const run = ({file, text}, only_case = "", overrides = []) => calls.run({name: file, text, only_case, overrides});

test("every shipped scenario and case gives the summary.json of the program, or is refused by both, but for several devices", () => {
  let summaries = 0;
  let refused = 0;
  let of_devices = 0;
  for (const example of examples) {
    const first = run(example);
    for (const [i, name] of (first.cases.length > 0 ? first.cases : [""]).entries()) {
      const what = `${example.file}, case ${name}`;
      const {problems} = i === 0 ? first : run(example, name);
      const words = ["run", join(root, example.file), "--print", "summary", ...(name ? ["--case", name] : [])];
      const {status, stdout, stderr} = native(...words);
      if (status === 2) {
        ++refused;
        assert.ok(problems.length > 0, `${what}: only the program refuses it: ${stderr}`);
        for (const {message} of problems) assert.ok(stderr.includes(message), `${what}: ${message} is not in ${stderr}`);
        continue;
      }
      assert.ok(status === 0 || status === 3, `${what}: ${status} ${stderr}`);
      if (problems.some(({message}) => message.startsWith("several devices run together here"))) {
        ++of_devices;  // the program runs them, the playground says that it does not
        continue;
      }
      assert.deepEqual(problems, [], what);
      assert.equal(calls.file({file: "summary.json"}), stdout, what);
      ++summaries;
    }
  }
  assert.ok(summaries >= 150 && refused >= 5, `${summaries} summaries, ${refused} refused`);
  assert.ok(of_devices > 0 && of_devices < 30, `${of_devices} of several devices`);
});

test("every file and the page of the course are those of the program", () => {
  let files = 0;
  for (const example of examples.filter(({file}) => /\/course\/|\/vector_add[1-4]\.yaml/.test(file))) {
    const out = join(folder, example.file.replaceAll(/[/.]/g, "_"));
    const {cases} = run(example);
    native("run", join(root, example.file), "-o", out);
    for (const name of cases.length > 0 ? cases : [""]) {
      const answer = run(example, name);
      if (answer.problems.length > 0) continue;
      for (const file of answer.files.filter((one) => one !== "summary.json")) {
        const expected = readFileSync(join(out, name, file), "utf8");
        assert.ok(calls.file({file}) === expected, `${example.file}, case ${name}: ${file} differs`);
        ++files;
      }
      run(example, name);
      const page = join(folder, "page.html");
      native("report", join(root, example.file), "-o", page, ...(name ? ["--case", name] : []));
      assert.ok(calls.page() === readFileSync(page, "utf8"), `${example.file}, case ${name}: the page differs`);
    }
  }
  assert.ok(files >= 200, `${files} files`);
});

test("a value that is replaced is replaced as by --set", () => {
  const example = examples.find(({file}) => file === "/scenarios/tutorial/why_37_percent.yaml");
  const overrides = [["local", "128"], ["device", "h100-sxm"], ["dispatch.placement", "fill_first"]];
  assert.deepEqual(run(example, "", overrides).problems, []);
  const words = overrides.flatMap(([path, value]) => ["--set", `${path}=${value}`]);
  const {status, stdout} = native("run", join(root, example.file), "--print", "summary", ...words);
  assert.equal(status, 0);
  assert.equal(calls.file({file: "summary.json"}), stdout);
});

test("a problem is at its line and column, in the words of the program", () => {
  const {problems} = run({file: "mine.yaml", text: "scenario: x\ndevice: tiny\nkernels: {}\nlaunchs: []\n"});
  assert.ok(problems.some(({line, column, place}) => line === 4 && column === 1 && place === ""), JSON.stringify(problems));
});

test("what needs more memory than there is says so, and the next run is as if nothing had been", () => {
  const small = examples.find(({file}) => file === "/scenarios/vector_add4.yaml");
  run(small);
  const before = calls.file({file: "summary.json"});
  const text = `scenario: Nine million children
device: h100-sxm
kernels:
  parent: {global: 288000000, local: 32, sub_group: 32, program: [compute: 1 us, launch: {kernel: child}]}
  child: {global: 32, local: 32, sub_group: 32, program: [compute: 1 us]}
launches: [{kernel: parent}]
`;
  const answer = run({file: "mine.yaml", text});
  assert.match(answer.problems[0].message, /^this run needs more than the 1 GiB that the playground has/);
  run(small);
  assert.equal(calls.file({file: "summary.json"}), before);
});
