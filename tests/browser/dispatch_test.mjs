// Dispatch as an animation: one change after another, each in words, on pages of small runs.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {csvRows, gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

let at;
before(async () => {
  at = await openBrowser();
  const file = join(root, "scenarios/vector_add4.yaml");
  execFileSync(gdsim, ["report", file, "-o", join(at.folder, "vector_add4.html")]);
  execFileSync(gdsim, ["run", file, "-o", join(at.folder, "vector_add4")]);
  execFileSync(gdsim, [
    "report",
    join(root, "tests/browser/many_cores.yaml"),
    "-o",
    join(at.folder, "many_cores.html"),
  ]);
});
after(() => at?.close());

const open = (options) => openPage(at.browser, join(at.folder, "vector_add4.html"), options);
const caption = (page) => page.$eval("#dispatch-caption", (text) => text.textContent);
/// What each core holds on the page: `{core: {group: class}}`, and how many threads its text says.
const slots = (page) =>
  page.$$eval("#dispatch .slots", (rows) =>
    rows.map((row) => ({
      groups: Object.fromEntries([...row.querySelectorAll("i")].map((block) => [block.textContent, block.className])),
      threads: Number(row.querySelector(".slots-text").textContent.split(" ")[0]),
    })),
  );

test("step after step, the cores hold what group_states.csv says, and the caption says what changed", async () => {
  const page = await open();
  assert.deepEqual(page.faults, []);
  assert.match(await caption(page), /^Step 0 of 18: every Xe-core is empty\.$/);
  const rows = csvRows(join(at.folder, "vector_add4/group_states.csv"));
  assert.equal(rows.length, 18);
  const held = new Map();
  for (const row of rows) {
    await page.click("#dispatch-next");
    const key = `${row.core}/${row.work_group}`;
    if (row.change === "leaves") held.delete(key);
    else held.set(key, row);
    const shown = await slots(page);
    for (let core = 0; core < 6; ++core) {
      const here = [...held.values()].filter((one) => one.core === String(core));
      assert.deepEqual(Object.keys(shown[core].groups).sort(), here.map((one) => one.work_group).sort());
      assert.equal(
        shown[core].threads,
        here.reduce((sum, one) => sum + Number(one.threads_resident), 0),
      );
    }
    const said = await caption(page);
    assert.match(said, new RegExp(`Work-group ${row.work_group}\\b.*Xe-core ${row.core}\\b`));
  }
  await page.close();
});

test("a work-group that is placed in part is said to be, and when it waits", async () => {
  const page = await open();
  const said = [];
  for (let i = 0; i < 18; ++i) {
    await page.click("#dispatch-next");
    said.push((await caption(page)).replace(/^Step [0-9]+ of 18, [^:]*: /, ""));
  }
  assert.equal(said[0], "Work-group 0: all 40 threads are placed on Xe-core 0.");
  const part = said.findIndex(
    (one) =>
      one ===
      "Work-group 2: 32 of 40 threads are placed on Xe-core 0 and wait at a barrier; it is handed over to the Xe-core, which places the others later.",
  );
  assert.ok(part >= 0, said.join("\n"));
  assert.ok(
    said.some((one) => /^Work-group 2 on Xe-core 0: .*8 threads more are placed/.test(one)),
    said.join("\n"),
  );
  await page.$eval(
    "#dispatch-range",
    (range, value) => {
      range.value = value;
      range.dispatchEvent(new Event("input"));
    },
    String(part + 1),
  );
  assert.match((await slots(page))[0].groups[2], /part/);
  await page.$eval("#dispatch", (box) => box.scrollIntoView());
  await page.screenshot({path: join(screenshots, "dispatch.png")});
  await page.close();
});

test("an instant of the animation is the instant of every figure", async () => {
  const page = await open();
  for (let i = 0; i < 14; ++i) await page.click("#dispatch-next");
  assert.match(await page.$eval("#readout", (text) => text.textContent), /^from 10 ms: /);
  await page.close();
});

test("it plays, pauses, and plays faster", async () => {
  const page = await open();
  await page.select("#dispatch-speed", "8");
  await page.click("#dispatch-play");
  assert.equal(await page.$eval("#dispatch-play", (button) => button.getAttribute("aria-label")), "Pause");
  await page.waitForFunction(() => /^Step [3-9] /.test(document.getElementById("dispatch-caption").textContent), {
    timeout: 10000,
  });
  await page.click("#dispatch-play");
  const stopped = await caption(page);
  await new Promise((resolve) => setTimeout(resolve, 400));
  assert.equal(await caption(page), stopped);
  await page.click("#dispatch-play");
  await page.waitForFunction(() => /^Step 18 /.test(document.getElementById("dispatch-caption").textContent), {
    timeout: 20000,
  });
  await page.waitForFunction(() => document.getElementById("dispatch-play").getAttribute("aria-label") === "Play", {
    timeout: 10000,
  });
  await page.close();
});

test("all steps are saved as one picture, each with its caption", async () => {
  const page = await open();
  await page.evaluate(() => {
    URL.createObjectURL = (blob) => {
      window.saved = blob.text();
      return "#saved";
    };
  });
  await page.click("#dispatch-save");
  const svg = await page.evaluate(() => window.saved);
  const faults = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length,
    svg,
  );
  assert.equal(faults, 0);
  assert.equal(svg.match(/<g class="frame"/g).length, 19);
  assert.match(svg, /32 of 40 threads are placed on Xe-core 0 and wait at a barrier; it is handed over/);
  await page.close();
});

test("two rules side by side: both at one instant, each with its caption and what holds its ports", async () => {
  const file = join(at.folder, "two.html");
  const scenarios = ["vector_add3", "vector_add4"].map((name) => join(root, `scenarios/${name}.yaml`));
  execFileSync(gdsim, ["report", ...scenarios, "-o", file]);
  const page = await openPage(at.browser, file);
  assert.deepEqual(page.faults, []);
  const panes = () =>
    page.$$eval(".dispatch-pane", (all) =>
      all.map((pane) => ({
        title: pane.querySelector("h4").textContent,
        said: pane.querySelector(".pane-caption").textContent,
        ports: pane.querySelector(".ports-text")?.textContent ?? null,
        held: [...pane.querySelectorAll(".slots-text")].map((text) => text.textContent),
      })),
    );
  assert.match(await caption(page), /^Step 0 of 21, 0 s after the first dispatch of each run$/);
  for (let i = 0; i < 6; ++i) await page.click("#dispatch-next");
  let [three, four] = await panes();
  assert.deepEqual([three.title, four.title], ["vector_add3", "vector_add4"]);
  assert.equal(
    three.said,
    "Work-group 5: 32 of 40 threads are placed on Xe-core 1; it holds port 2 until the others are placed, " +
      "and no port is free for another work-group.",
  );
  assert.equal(three.ports, "port 1: work-group 2; port 2: work-group 5");
  assert.match(four.said, /^Work-group 5: 32 of 40 .*; it is handed over to the Xe-core/);
  assert.equal(four.ports, null);
  await page.click("#dispatch-next");
  [three, four] = await panes();
  assert.equal(three.said, "Nothing changes here.");
  assert.equal(four.said, "Work-group 6: all 40 threads are placed on Xe-core 2.");
  assert.deepEqual(three.held, ["112 of 112", "112 of 112", "0 of 112", "0 of 112", "0 of 112", "0 of 112"]);
  assert.deepEqual(four.held, ["112 of 112", "112 of 112", "40 of 112", "0 of 112", "0 of 112", "0 of 112"]);
  await (await page.$("#dispatch")).screenshot({path: join(screenshots, "dispatch-beside.png")});
  await page.select("#dispatch-beside", "-1");
  assert.match(await caption(page), /^Step 0 of 18: every Xe-core is empty\.$/);
  assert.equal(await page.$(".pane-caption"), null);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a port that is free again is said to be, with what was placed and what ended at that instant", async () => {
  const file = join(at.folder, "three.html");
  execFileSync(gdsim, ["report", join(root, "scenarios/vector_add3.yaml"), "-o", file]);
  const page = await openPage(at.browser, file);
  for (let i = 0; i < 11; ++i) await page.click("#dispatch-next");
  assert.equal(
    await caption(page),
    "Step 11 of 18, 10 ms: Work-group 2 on Xe-core 0: 32 threads have ended and free their contexts; 8 threads more are " +
      "placed on Xe-core 0; all of its threads are placed now; port 1 is free.",
  );
  assert.equal(await page.$eval(".ports-text", (text) => text.textContent), "port 1: free; port 2: work-group 5");
  await page.close();
});

test("the strip of two runs has both in each frame, and a page of another kind is not animated beside", async () => {
  const page = await open();
  await page.evaluate(() => {
    URL.createObjectURL = (blob) => {
      window.saved = blob.text();
      return "#saved";
    };
  });
  await (await page.$("#beside-file")).uploadFile(join(at.folder, "three.html"));
  await page.waitForSelector(".pane-caption");
  await page.click("#dispatch-save");
  const svg = await page.evaluate(() => window.saved);
  assert.equal(svg.match(/<g class="frame"/g).length, 22);
  assert.match(svg, /VectorAdd3&#60;8, 320, 8&#62;/);
  assert.match(svg, /it holds port 1 until the others are placed/);
  await (await page.$("#beside-file")).uploadFile(join(at.folder, "many_cores.html"));
  await page.waitForSelector("#dispatch-other-missing:not([hidden])");
  assert.match(await page.$eval("#dispatch-other-missing", (note) => note.textContent), /cannot be shown step by step/);
  assert.equal(await page.$(".pane-caption"), null);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("of a device of many cores, those that hold something are shown, and the others are counted", async () => {
  writeFileSync(
    join(at.folder, "few.yaml"),
    `scenario: Few of many
device: h100-sxm
kernels:
  k: {global: 640, local: 128, sub_group: 32, program: [compute: 10 us]}
launches: [kernel: k]
`,
  );
  execFileSync(gdsim, ["report", join(at.folder, "few.yaml"), "-o", join(at.folder, "few.html")]);
  const page = await openPage(at.browser, join(at.folder, "few.html"));
  assert.deepEqual(page.faults, []);
  assert.equal(await page.$$eval("#dispatch .slots", (rows) => rows.length), 5);
  assert.equal(await page.$eval(".dispatch-pane .note", (note) => note.textContent), "The other 127 SMs stay empty.");
  await page.click("#dispatch-next");
  assert.match(await caption(page), /: Block 0: all 4 warps are placed on SM [0-9]+\.$/);
  await page.close();
});

test("it fits a narrow window, and a page of a larger run says that it has none", async () => {
  const page = await open({width: 390});
  assert.ok((await overflow(page)) <= 0);
  await page.close();
  const large = await openPage(at.browser, join(at.folder, "many_cores.html"));
  assert.equal(await large.$("#dispatch"), null);
  assert.match(
    await large.$eval("#dispatch-missing", (note) => note.textContent),
    /^Dispatch is shown step by step for small runs only/,
  );
  await large.close();
});
