// What tests of the page share: a browser, a server, and a page that is written into.
import {openBrowser, watchedPage} from "../browser/pages.mjs";
import {serve} from "./serve.mjs";

/// Both, until close() is called: `browser`, `folder` for files, `address` of the page, `own`: what its files begin with.
export async function openAll() {
  const [at, server] = await Promise.all([openBrowser(), serve()]);
  const close = async () => {
    await at.close();
    server.close();
  };
  return {...at, address: server.address, own: server.address, close};
}

/// Opens the playground. Complaints, requests elsewhere and dialogs are in `faults`.
export async function open(at, fragment = "", {isOffline = false} = {}) {
  const page = await watchedPage(at.browser, (request) =>
    [at.own, "blob:", "about:srcdoc"].some((one) => request.url().startsWith(one)));
  page.setDefaultTimeout(120_000);  // on a busy machine, the module takes a while to compile
  await page.setOfflineMode(isOffline);
  page.on("dialog", (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(at.address + fragment, {waitUntil: "load"});
  await page.waitForFunction(() => Number(document.body.dataset.shown) >= 1);
  return page;
}

/// Drops files `{name, bytes}` onto the page, or onto the report that it shows.
export async function drop(page, files, onto = page.mainFrame()) {
  const coded = files.map(({name, bytes}) => ({name, bytes: Buffer.from(bytes).toString("base64")}));
  await onto.evaluate((files) => {
    const dataTransfer = new DataTransfer();
    for (const {name, bytes} of files)
      dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name));
    document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
  }, coded);
}

/// Waits until the import is over, and returns how it ended and what it said.
export async function imported(page) {
  await page.waitForFunction(() => ["done", "wrong"].includes(document.getElementById("import").dataset.state));
  return page.$eval("#import", ({dataset, textContent}) => ({state: dataset.state, said: textContent}));
}

/// A trace as PyTorch's profiler writes it, made up: one kernel on an A100.
export const trace = (kernel = "vector_add(float*)") => JSON.stringify({
  schemaVersion: 1,
  deviceProperties: [{id: 0, name: "NVIDIA A100-SXM4-80GB", totalGlobalMem: 85_000_000_000, computeMajor: 8,
                      computeMinor: 0, numSms: 108, warpSize: 32}],
  traceEvents: [{ph: "X", cat: "kernel", name: kernel, pid: 0, tid: 7, ts: 1000.25, dur: 20.5,
                 args: {device: 0, stream: 7, correlation: 9, "registers per thread": 32, "shared memory": 4096,
                        grid: [512, 1, 1], block: [256, 1, 1]}}],
});

export const inReport = async (page, selector, read) =>
  (await (await page.$("iframe:not(.back)")).contentFrame()).$eval(selector, read);
export const title = (page) => inReport(page, "h1", (heading) => heading.textContent);

/// Does something, and waits until the report that follows from it is shown.
export async function redrawn(page, action) {
  const before = await page.evaluate(() => Number(document.body.dataset.shown));
  await action();
  await page.waitForFunction(
    (count) => Number(document.body.dataset.shown) > count && document.body.dataset.state === "done", {}, before);
}

/// Replaces the whole text, as if it were pasted.
export const paste = (page, text) =>
  page.evaluate((text) => {
    const area = document.getElementById("text");
    area.value = text;
    area.dispatchEvent(new Event("input"));
  }, text);

export const small = (title, more = "") => `scenario: ${title}
device: tiny
kernels:
  k:
    global: 64
    local: 16
    sub_group: 8
    program: [compute: 1 us]
${more}launches:
  - kernel: k
`;
