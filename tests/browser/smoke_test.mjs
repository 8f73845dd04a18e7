// One page of each kind in a browser: it draws, obeys its content policy, fits its window, and is reached by keyboard.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {gdsim, openBrowser, openPage, overflow, root, screenshots} from "./pages.mjs";

const scenario = (name) => join(root, "scenarios", `${name}.yaml`);
const pages = {
  run: ["report", scenario("vector_add4")],
  sweep: ["sweep", scenario("vector_add4"), "--vary", "dispatch.ports=1,2,3", "--vary", "kernels.vector_add4.sub_group=8,16,64"],
  diff: ["diff", scenario("vector_add3"), scenario("vector_add4")],
  explanation: ["explain", scenario("vector_add4")],
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
  for (const width of [390, 1280])
    test(`the page of ${name} draws, without a complaint, and is no wider than ${width} pixels`, async () => {
      const page = await open(name, {width});
      const drawn = await page.$$eval("svg", (pictures) => pictures
        .filter((svg) => svg.querySelector("path, rect, circle") && svg.getBoundingClientRect().height > 40).length);
      assert.ok(drawn > 0, "no figure");
      assert.equal(await page.$$eval("canvas", (all) => all.length > 0), name === "run");
      // A style that the policy refuses is seen here, too.
      assert.notEqual(await page.$eval("body", (body) => getComputedStyle(body).getPropertyValue("--gutter")), "");
      assert.ok(await overflow(page) <= 0, `${await overflow(page)} pixels too wide`);
      assert.deepEqual(page.faults, []);
      await page.screenshot({path: join(screenshots, `smoke-${name}-${width}.png`), fullPage: true});
      await page.close();
    });

test("a page runs no script that was not built in, and no handler in an attribute", async () => {
  for (const name of Object.keys(pages)) {
    const page = await open(name);
    const ran = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'ran'";
      document.body.append(script);
      const button = document.createElement("button");
      button.setAttribute("onclick", "document.title = 'clicked'");
      document.body.append(button);
      button.click();
      return document.title;
    });
    assert.match(ran, / – gdsim$/);
    assert.ok(page.faults.some((fault) => fault.includes("Content Security Policy")), page.faults.join());
    await page.close();
  }
});

/// What has the focus, and whether that is to be seen.
const focused = (page) => page.evaluate(() => {
  const element = document.activeElement, style = getComputedStyle(element);
  return {name: element.getAttribute("aria-label") ?? element.textContent,
          role: element.getAttribute("role") ?? element.localName,
          ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2};
});

test("Tab reaches phases and rows as buttons with a ring, and Enter and Space press them", async () => {
  const page = await open("run");
  const zoomed = () => page.$eval("#groups svg", (svg) => Number(svg.getAttribute("viewBox").split(" ")[2]) < 1e7);
  const found = [];
  for (let i = 0; i < 40 && found.length < 6; ++i) {
    await page.keyboard.press("Tab");
    const {name, role, ring} = await focused(page);
    if (!name?.startsWith("Zoom to phase")) continue;
    assert.equal(role, "button", name);
    assert.ok(ring, name);
    found.push(name);
    for (const key of ["Enter", "Space"]) {
      await page.$eval("#go-whole", (button) => button.click());
      assert.ok(!await zoomed());
      await page.keyboard.press(key);
      assert.ok(await zoomed(), `${name}: ${key}`);
    }
    await page.$eval("#go-whole", (button) => button.click());  // phases that are out of sight are not reached
    assert.match(await page.$eval("#said", (status) => status.textContent), /^Zoomed to phase/);
  }
  assert.deepEqual(found, ["Zoom to phase: 304 threads · 45.2 %", "Zoom to phase: 264 threads · 39.3 %",
    "Zoom to phase: 80 threads · 11.9 %", "Zoom to phase 1", "Zoom to phase 2", "Zoom to phase 3"]);
  assert.equal(await page.$$eval("table tr[role], table th[role]", (all) => all.length), 0, "rows stay rows");
  await page.close();
});

test("what follows the pointer is not announced, what is chosen is", async () => {
  const page = await open("run");
  const said = () => page.$eval("#said", (status) => `${status.getAttribute("role")}: ${status.textContent}`);
  const area = await page.$("#device .area").then((element) => element.boundingBox());
  for (const share of [0.2, 0.5, 0.8]) await page.mouse.move(area.x + area.width * share, area.y + 20);
  assert.match(await page.$eval("#readout", (text) => text.textContent), /threads/);
  assert.equal(await page.$$eval("#readout[role], output, [aria-live]:not([aria-live=off])", (all) => all.length), 0);
  assert.equal(await said(), "status: ");
  await page.click("#go-next");
  assert.match(await said(), /^status: from .*threads/);
  await page.close();
});

test("the arrow keys go from point to point of a sweep, with a frame to be seen", async () => {
  const page = await open("sweep");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  const said = () => page.$eval("#readout", (text) => text.textContent);
  assert.match(await said(), /^Best: dispatch.ports=/);
  const places = await page.$$eval(".mark", (all) => all.map((mark) => mark.dataset.at));
  for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
  assert.match(await said(), /dispatch.ports=1, kernels.vector_add4.sub_group=8: /);
  assert.equal(places.length, 9);
  const frame = await page.$eval(".mark:focus rect", (rect) => getComputedStyle(rect).strokeWidth);
  assert.equal(parseFloat(frame), 3);
  await page.close();
});
