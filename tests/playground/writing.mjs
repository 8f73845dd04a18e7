// What tests of the page share: a browser, a server, and a page that is written into.
import {openBrowser} from "../browser/pages.mjs";
import {serve} from "./serve.mjs";

/// Both, until close() is called: `browser`, `folder` for files, `address`.
export async function openAll() {
  const [at, server] = await Promise.all([openBrowser(), serve()]);
  const close = async () => {
    await at.close();
    server.close();
  };
  return {...at, address: server.address, close};
}

/// Opens the playground. Complaints, requests elsewhere and dialogs are in `faults`.
export async function open(at, fragment = "") {
  const page = await at.browser.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) page.faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => page.faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    page.faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const own = [at.address, "data:", "blob:", "about:srcdoc"].some((one) => request.url().startsWith(one));
    if (!own) page.faults.push(request.url());
  });
  await page.goto(at.address + fragment, {waitUntil: "load"});
  await page.waitForFunction(() => Number(document.body.dataset.shown) >= 1);
  return page;
}

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
