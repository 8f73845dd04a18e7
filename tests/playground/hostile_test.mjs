// Nothing that is typed, and no link, can harm the page: it injects nothing, and nothing stops it for long.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {deflateRawSync} from "node:zlib";
import {open, openAll, paste, redrawn, small, title} from "./writing.mjs";

let at;
before(async () => (at = await openAll()));
after(() => at?.close());

test("no text of a scenario is taken for markup or a script", async () => {
  const page = await open(at);
  const attack = "<script>parent.hit = hit = 1</script><img src=x onerror='parent.hit = hit = 1'><iframe src='//example.com'></iframe>";
  const name = attack.replaceAll(".", "");
  await redrawn(page, () =>
    paste(page, `scenario: "${attack}"
device: tiny
parameters: {a: 1}
kernels: {"${name}": {global: 64, local: 16, sub_group: 8, program: [compute: 1 us]}}
launches: [{kernel: "${name}", name: "${name}"}]
cases: [{name: "${name.replaceAll("/", "")}"}]
`));
  assert.equal(await title(page), attack);
  await paste(page, `scenario: ${attack}\n${name}: ${name}\n`);
  await page.waitForFunction(() => document.body.dataset.state === "wrong");
  assert.ok((await page.$eval("#problems", (list) => list.textContent)).includes("<script>"));
  for (const frame of page.frames()) assert.equal(await frame.evaluate(() => "hit" in globalThis), false);
  assert.equal(await page.$$eval("img, main script, header script", (all) => all.length), 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a run without end is stopped; meanwhile and afterwards the page works", async () => {
  const page = await open(at);
  await paste(page, small("Endless", "repeat: 10000\n").replace("global: 64", "global: 16000000").replace("tiny", "a100-80gb")
    .replace("sub_group: 8", "sub_group: 32").replace("local: 16", "local: 32"));
  await page.waitForFunction(() => document.body.dataset.state === "running");
  assert.equal(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done("drawn")))), "drawn");
  await page.waitForFunction(() => document.body.dataset.state === "stopped");
  assert.match(await page.$eval("#problems", (list) => list.textContent), /^stopped after 5 s/);
  await redrawn(page, () => paste(page, small("After it")));
  assert.equal(await title(page), "After it");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a text of two megabytes is shown and answered at once, with the first hundred of its problems", async () => {
  const page = await open(at);
  await paste(page, `${"a: 'x'\\\n".repeat(1000)}${'"\\'.repeat(1_000_000)}`);
  await page.waitForFunction(() => document.body.dataset.state === "wrong");
  await paste(page, small("Many", Array.from({length: 300}, (_, i) => `wrong${i}: 1\n`).join("")));
  await page.waitForFunction(() => document.querySelectorAll("#problems li").length === 101);
  assert.equal(await page.$eval("#problems li:last-child", (one) => one.textContent), "200 more problems");
  await page.$eval("#downloads", (menu) => (menu.open = true));
  await page.$$eval("#files button", (all) => all.find((one) => one.textContent === "summary.json").click());
  await page.waitForFunction(() => /There is no such file/.test(document.getElementById("status").textContent));
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a broken link says so and opens the first example; one that unpacks to too much is not unpacked", async () => {
  const state = (text) => ({name: "x.yaml", text, only_case: "", device: "", values: []});
  const packed = (value) => `#s=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;
  for (const [fragment, said] of [
    ["#s=AAAA", /^this link is broken/],
    [packed({name: 1}), /holds no scenario/],
    [packed({...state("x"), values: [["a"]]}), /holds no scenario/],
    [packed(state("x".repeat(50_000_000))), /holds too much/],
  ]) {
    const page = await open(at, fragment);
    assert.match(await page.$eval("#status", (note) => note.textContent), said);
    assert.equal(await title(page), "VectorAdd1 to 4");
    await page.close();
  }
});
