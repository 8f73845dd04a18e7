// The folder that is published: complete, small, and shown without a server and without a network.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";
import {gzipSync} from "node:zlib";
import {openBrowser} from "../browser/pages.mjs";
import {root} from "./module.mjs";
import {drop, imported, open, paste, redrawn, small, title, trace} from "./writing.mjs";

const publish = (folder) => spawnSync(join(root, "tools/playground/publish"), [folder], {encoding: "utf8"});

let folder;
let at;
before(async () => {
  folder = join(mkdtempSync(join(tmpdir(), "gdsim-published-")), "playground");
  const {status, stderr} = publish(folder);
  assert.equal(status, 0, stderr);
  at = {...(await openBrowser()), address: pathToFileURL(join(folder, "index.html")).href};
  at.own = pathToFileURL(folder).href;
});
after(async () => {
  await at?.close();
  rmSync(join(folder, ".."), {recursive: true, force: true});
});

test("the folder names its version and the digest of each file, and has at most 3 MB", () => {
  const names = readdirSync(folder).sort();
  const [first, ...sums] = readFileSync(join(folder, "version.txt"), "utf8").trimEnd().split("\n");
  assert.match(first, /^gdsim playground [0-9]+\.[0-9]+\.[0-9]+, commit /);
  assert.deepEqual([...sums.map((line) => line.slice(66)), "version.txt"].sort(), names);
  assert.ok(names.includes("index.html") && names.includes("licences.txt"), `${names}`);
  assert.equal(spawnSync("sh", ["-c", "tail -n +2 version.txt | sha256sum -c --quiet"], {cwd: folder}).status, 0);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  assert.ok(bytes > 500_000 && bytes <= 3_000_000, `${bytes} bytes`);
});

test("an earlier playground is replaced; a folder with anything else is refused and left as it is", () => {
  const other = join(folder, "..", "other");
  mkdirSync(other);
  writeFileSync(join(other, "mine.txt"), "mine");
  const refused = publish(other);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /other holds other things: mine\.txt/);
  assert.deepEqual(readdirSync(other), ["mine.txt"]);
  const before = readdirSync(folder).sort();
  const gone = join(folder, "gone.js");
  writeFileSync(gone, "");
  assert.equal(publish(folder).status, 2, "gone.js is not one of its files");
  writeFileSync(join(folder, "version.txt"), `${readFileSync(join(folder, "version.txt"), "utf8")}${"0".repeat(64)}  gone.js\n`);
  assert.equal(publish(folder).status, 0);
  assert.deepEqual(readdirSync(folder).sort(), before);
  assert.equal(publish("").status, 2);
});

test("opened as a file without a network, the page runs, links and imports, and asks for nothing else", async () => {
  const page = await open(at, "", {isOffline: true});
  assert.equal(await title(page), "VectorAdd1 to 4");
  assert.match(await page.$eval("#worksheet h2", (heading) => heading.textContent), /^1\. /);
  await redrawn(page, () => paste(page, small("From a file")));
  await redrawn(page, () => page.$eval("[data-path='kernels.k.local'] input[type=range]", (slider) => {
    slider.value = "32";
    slider.dispatchEvent(new Event("input"));
  }));
  await page.click("#link");
  await page.waitForFunction(() => /link/.test(document.getElementById("status").textContent));
  const other = await open(at, new URL(page.url()).hash, {isOffline: true});
  assert.equal(await title(other), "From a file");
  assert.equal(await other.$eval("[data-path='kernels.k.local'] input:not([type])", (field) => field.value), "32");
  await redrawn(other, () => drop(other, [{name: "step.json.gz", bytes: gzipSync(trace())}]));
  const {state, said} = await imported(other);
  assert.equal(state, "done", said);
  assert.deepEqual([...page.faults, ...other.faults], []);
  await page.close();
  await other.close();
});
