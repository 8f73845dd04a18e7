// The page in a real browser: it follows what is typed and chosen.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, readFileSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {screenshots} from "../browser/pages.mjs";
import {gdsim, root} from "./module.mjs";
import {inReport, open, openAll, paste, redrawn, small, title} from "./writing.mjs";

const axe = readFileSync(createRequire(join(root, "tests/browser/package.json")).resolve("axe-core/axe.min.js"), "utf8");

let at;
before(async () => (at = await openAll()));
after(() => at?.close());

test("the page opens with a worksheet and its report, and asks for nothing but its own files", async () => {
  const page = await open(at);
  assert.equal(await title(page), "VectorAdd1 to 4");
  assert.match(await page.$eval("#worksheet h2", (heading) => heading.textContent), /^1\. /);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("the report follows what is typed, and stays where it was scrolled to", async () => {
  const page = await open(at);
  await redrawn(page, () => paste(page, small("First")));
  assert.equal(await title(page), "First");
  await (await (await page.$("iframe:not(.back)")).contentFrame()).evaluate(() => scrollTo(0, 300));
  await page.waitForFunction(() => scrolled === 300);
  await page.evaluate(() => {
    const area = document.getElementById("text");
    area.focus();
    area.setSelectionRange(15, 15);
  });
  await redrawn(page, () => page.keyboard.type("!"));
  assert.equal(await title(page), "First!");
  assert.equal(await inReport(page, "html", () => scrollY), 300);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a problem is shown at its line while it is there, and the last report stays", async () => {
  const page = await open(at);
  await redrawn(page, () => paste(page, small("Right")));
  await paste(page, small("Wrong").replace("local: 16", "locl: 16"));
  await page.waitForFunction(() => document.body.dataset.state === "wrong");
  const bad = await page.$$eval(".colours > div", (rows) =>
    rows.flatMap((row, i) => (row.className === "bad" ? [`${i + 1}: ${row.querySelector(".note").textContent}`] : [])));
  assert.ok(bad.some((one) => /^6: .*locl.*local/.test(one)), `${bad}`);
  assert.ok((await page.$$eval("#problems li", (all) => all.map((one) => one.textContent))).some((one) => one.startsWith("line 6")));
  assert.equal(await title(page), "Right");
  await redrawn(page, () => paste(page, small("Right again")));
  assert.equal(await page.$(".colours .bad"), null);
  assert.equal(await page.$("#problems li"), null);
  await page.close();
});

test("a case stays chosen while the text is no YAML, and no longer than it is in the text", async () => {
  const page = await open(at);
  const text = small("Cases", "cases: [{name: one}, {name: two}]\n");
  await redrawn(page, () => paste(page, text));
  await redrawn(page, () => page.select("#case", "two"));
  await paste(page, `${text}a: b: c\n`);
  await page.waitForFunction(() => document.body.dataset.state === "wrong");
  await redrawn(page, () => paste(page, text));
  assert.equal(await page.$eval("#case", (choice) => choice.value), "two");
  await redrawn(page, () => paste(page, text.replace("two", "three")));
  assert.equal(await page.$eval("#case", (choice) => choice.value), "one");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("an audit of the page's accessibility finds nothing, light, dark and narrow", async () => {
  for (const [width, look] of [[1300, "light"], [1300, "dark"], [390, "light"]]) {
    const page = await open(at);
    await page.setViewport({width, height: 900});
    await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: look}]);
    await page.evaluate(axe);
    const {violations, passes} = await page.evaluate(() => window.axe.run(document, {iframes: false}));
    assert.ok(passes.length > 10, "the audit ran");
    const found = violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html.slice(0, 120)).join(" ")}`);
    assert.deepEqual(found, [], `${width}, ${look}`);
    await page.screenshot({path: join(screenshots, `playground-${width}-${look}.png`)});
    await page.close();
  }
});

test("a link holds text, case, device and values, and only behind its #", async () => {
  const page = await open(at);
  await redrawn(page, () => paste(page, small("Linked", "parameters: {a: 3}\ncases: [{name: one}, {name: two}]\n")));
  await redrawn(page, () => page.select("#case", "two"));
  await redrawn(page, () => page.select("#device", "xe-lp-tgl"));
  await redrawn(page, () => page.$eval("[data-path='parameters.a'] input[type=range]", (slider) => {
    slider.value = "7";
    slider.dispatchEvent(new Event("input"));
  }));
  await page.click("#link");
  await page.waitForFunction(() => /link/.test(document.getElementById("status").textContent));
  const url = new URL(page.url());
  assert.equal(url.search, "");
  const other = await open(at, url.hash);
  assert.equal(await other.$eval("#text", (area) => area.value), await page.$eval("#text", (area) => area.value));
  assert.equal(await other.$eval("#case", (choice) => choice.value), "two");
  assert.equal(await other.$eval("#device", (choice) => choice.value), "xe-lp-tgl");
  assert.equal(await other.$eval("[data-path='parameters.a'] input:not([type])", (field) => field.value), "7");
  assert.equal(await title(other), "Linked");
  assert.deepEqual(other.faults, []);
  await page.close();
  await other.close();
});

test("sliders and lists change the run, not the text, and can be taken back", async () => {
  const page = await open(at);
  await redrawn(page, () => paste(page, small("Values")));
  const text = await page.$eval("#text", (area) => area.value);
  const workGroups = () => inReport(page, "header", (head) => /work-groups([0-9]+)/.exec(head.textContent.replaceAll(/\s/g, ""))?.[1]);
  assert.equal(await workGroups(), "4");
  await redrawn(page, () => page.$eval("[data-path='kernels.k.local'] input[type=range]", (slider) => {
    slider.value = "32";
    slider.dispatchEvent(new Event("input"));
  }));
  assert.equal(await workGroups(), "2");
  await redrawn(page, () => page.select("[data-path='dispatch.admission'] select", "partial"));
  await redrawn(page, () => page.select("[data-path='dispatch.placement'] select", "round_robin"));
  assert.equal(await page.$eval("#text", (area) => area.value), text);
  const ends = (key) => page.$eval(`[data-path='kernels.k.${key}'] input[type=range]`, ({min, max}) => [Number(min), Number(max)]);
  assert.deepEqual([await ends("local"), await ends("slm")], [[8, 64], [0, 4]]); // work-items, KiB: of the model `tiny`
  const changes = await inReport(page, "body", (body) => body.textContent);
  for (const change of ["kernels.k.local=32", "dispatch.admission=partial", "dispatch.placement=round_robin"])
    assert.ok(changes.includes(change), change);
  await redrawn(page, () => page.click("[data-path='kernels.k.local'] button"));
  assert.equal(await workGroups(), "4");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("keys and values are completed from the schema", async () => {
  const page = await open(at);
  await redrawn(page, () => paste(page, small("Keys")));
  const typeAt = async (before, typed) => {
    await page.evaluate((before) => {
      const area = document.getElementById("text");
      area.focus();
      const place = area.value.indexOf(before) + before.length;
      area.setSelectionRange(place, place);
    }, before);
    await page.keyboard.type(typed);
    return page.$$eval(".choices b", (all) => all.map((one) => one.textContent));
  };
  assert.equal((await typeAt("sub_group: 8", "\n    regi"))[0], "registers:");
  await page.keyboard.press("Enter");
  await page.keyboard.type("32");
  assert.match(await page.$eval("#text", (area) => area.value), /sub_group: 8\n {4}registers: 32\n/);
  assert.ok((await typeAt("scenario: Keys", "\ndispatch: {adm")).includes("admission:"));
  await page.keyboard.press("Enter");
  assert.ok((await typeAt("dispatch: {admission: ", "w")).includes("whole"));
  await page.keyboard.press("Tab");
  assert.match(await page.$eval("#text", (area) => area.value), /\ndispatch: \{admission: whole\n/);
  await page.keyboard.type("}");
  assert.deepEqual((await typeAt("compute: 1 us", ", barr")).slice(0, 2), ["barrier", "barrier:"]);
  await page.keyboard.press("Enter");
  assert.match(await page.$eval("#text", (area) => area.value), /program: \[compute: 1 us, barrier\]\n/);
  await paste(page, small("Keys").replace("tiny", ""));
  assert.ok((await typeAt("device: ", "xe-lp-t")).includes("xe-lp-tgl"));
  await page.keyboard.press("Tab");
  assert.match(await page.$eval("#text", (area) => area.value), /\ndevice: xe-lp-tgl\n/);
  await page.waitForFunction(() => document.body.dataset.state === "done");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("downloads are what the program writes", async () => {
  const page = await open(at);
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", {behavior: "allow", downloadPath: at.folder});
  const text = small("Saved");
  writeFileSync(join(at.folder, "native.yaml"), text);
  await redrawn(page, () => paste(page, text));
  await page.$eval("#downloads", (menu) => (menu.open = true));
  const names = await page.$$eval("#files button", (all) => all.map((one) => one.textContent));
  assert.equal(names.length, 13);
  for (const file of ["summary.json", "timeline.csv", "report.html"]) {
    await page.$$eval("#files button", (all, file) => all.find((one) => one.textContent === file).click(), file);
    for (let i = 0; i < 200 && !existsSync(join(at.folder, file)); ++i) await new Promise((done) => setTimeout(done, 50));
  }
  const print = (name) => execFileSync(gdsim, ["run", join(at.folder, "native.yaml"), "--print", name], {encoding: "utf8"});
  assert.equal(readFileSync(join(at.folder, "summary.json"), "utf8"), print("summary"));
  assert.equal(readFileSync(join(at.folder, "timeline.csv"), "utf8"), print("timeline"));
  execFileSync(gdsim, ["report", join(at.folder, "native.yaml"), "-o", join(at.folder, "native.html")]);
  assert.equal(readFileSync(join(at.folder, "report.html"), "utf8"), readFileSync(join(at.folder, "native.html"), "utf8"));
  await page.close();
});
