// The page that `gdsim serve` gives out, in a browser: it follows the scenario, shows what is wrong, and keeps its zoom.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {once} from "node:events";
import {connect} from "node:net";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {gdsim, openBrowser, watchedPage} from "./pages.mjs";

let at;
before(async () => { at = await openBrowser(); });
after(() => at?.close());

const scenario = (title, device = "tiny") => `scenario: ${title}
device: ${device}
kernels:
  k: {global: 64, local: 8, sub_group: 8, program: [compute: 10 us]}
launches: [kernel: k]
`;
const cases = (first) => `${scenario("Cases")}cases: [{name: ${first}}, {name: "two & <more>", set: {kernels.k.global: 128}}]
`;

/// A server of a file, and the address that it prints.
async function serve(file) {
  const server = spawn(gdsim, ["serve", file], {stdio: ["ignore", "pipe", "inherit"]});
  const ended = once(server, "exit").then(([status]) => assert.fail(`the server ended: ${status}`));
  let said = "";
  while (!said.includes("\n")) said += (await Promise.race([once(server.stdout, "data"), ended]))[0];
  ended.catch(() => {});  // later, it is meant to
  return {server, address: said.match(/http:\S+/)[0]};
}

/// Opens it; requests to any other server, and complaints, are in `faults`.
async function open(address) {
  const page = await watchedPage(at.browser, (request) => request.url().startsWith(address));
  await page.setViewport({width: 1200, height: 900});
  await page.goto(address, {waitUntil: "load"});
  return page;
}

const title = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector("h1")?.textContent === wanted, {}, text);
const notice = (page, part) =>
  page.waitForFunction((wanted) => {
    const element = document.getElementById("notice");
    return wanted === "" ? element.hidden : !element.hidden && element.textContent.includes(wanted);
  }, {}, part);
const zoom = (page) => page.$eval("#groups svg", (svg) => svg.getAttribute("viewBox"));

test("an open page follows what is saved in the same zoom, shows what is wrong, and that the server has ended", async () => {
  const file = join(at.folder, "followed.yaml");
  writeFileSync(file, scenario("First"));
  const {server, address} = await serve(file);
  const page = await open(address);
  await title(page, "First");
  await page.click("#go-in");
  const zoomed = await zoom(page);
  assert.notEqual(zoomed.split(" ")[2], "10000000");

  writeFileSync(file, scenario("Second"));
  await title(page, "Second");
  await page.waitForFunction((wanted) => document.querySelector("#groups svg").getAttribute("viewBox") === wanted, {}, zoomed);

  writeFileSync(file, scenario("Third", "<img/src=x/onerror=document.title='ran'>"));
  await notice(page, "<img/src=x");
  assert.equal(await page.$eval("h1", (element) => element.textContent), "Second");
  assert.equal(await page.$$eval("img", (all) => all.length), 0);
  assert.match(await page.title(), / – gdsim$/);
  assert.equal(await zoom(page), zoomed);
  writeFileSync(file, scenario("Fourth"));
  await title(page, "Fourth");
  await notice(page, "");
  assert.deepEqual(page.faults, []);

  server.kill("SIGINT");
  assert.deepEqual(await once(server, "exit"), [130, null]);
  await notice(page, "gdsim serve has ended");
  await page.close();
});

test("of several cases the one that was chosen stays, by its name", async () => {
  const file = join(at.folder, "cases.yaml");
  writeFileSync(file, cases("one"));
  const {server, address} = await serve(file);
  const page = await open(address);
  await page.waitForSelector("#cases a");
  const shown = () => page.$eval("#case", (element) => element.dataset.case);
  assert.equal(await shown(), "one");
  await Promise.all([page.waitForNavigation({waitUntil: "load"}), page.click("#cases tbody tr:nth-child(2) a")]).catch(() => {});
  await page.waitForFunction(() => document.getElementById("case")?.dataset.case === "two & <more>");
  await page.waitForSelector("#device canvas");
  writeFileSync(file, cases("another"));
  await page.waitForFunction(() => document.querySelector("#cases a")?.textContent === "another");
  await page.waitForFunction(() => document.getElementById("case")?.dataset.case === "two & <more>");
  await page.waitForFunction(() =>
    document.querySelector("#cases a[aria-current=page]")?.textContent === "two & <more>");
  assert.deepEqual(page.faults, []);
  server.kill("SIGINT");
  await once(server, "exit");
  await page.close();
});

test("connections that stay silent are closed within seconds, and shut no browser out for longer", async () => {
  const file = join(at.folder, "silent.yaml");
  writeFileSync(file, scenario("Silent"));
  const {server, address} = await serve(file);
  const {port} = new URL(address);
  const silent = Array.from({length: 64}, () => connect(Number(port), "127.0.0.1"));
  for (const socket of silent) socket.on("error", () => {});
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  try {
    const begun = Date.now();
    for (;;) {
      const status = await fetch(address, {signal: AbortSignal.timeout(1000)}).then((response) => response.status, () => 0);
      if (status === 200) break;
      assert.ok(Date.now() - begun < 15_000, "no other connection is answered");
      await new Promise((done) => setTimeout(done, 200));
    }
  } finally {
    for (const socket of silent) socket.destroy();
    server.kill("SIGINT");
    await once(server, "exit");
  }
});
