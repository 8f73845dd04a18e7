// Eleven states of pages look as they did when a person last looked at them: GDSIM_APPROVE=1 keeps them as references.
//
// A reference is a picture of an eighth of the size, so that fonts which are drawn a little otherwise do not matter.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";
import {gdsim, openBrowser, openPage, root, screenshots} from "./pages.mjs";

const references = join(dirname(fileURLToPath(import.meta.url)), "references");
const local = (name) => join(root, `tests/browser/${name}.yaml`);
const pages = {
  streams: local("streams"),
  many_groups: local("many_groups"),
  stuck: local("stuck"),
  launch_graph: local("launch_graph"),
  vector_add4: join(root, "scenarios/vector_add4.yaml"),
};
const states = {
  top: {page: "streams", at: "body"},
  lanes: {page: "streams", at: "section:has(#lanes)"},
  "lanes-dark-critical": {
    page: "streams",
    at: "section:has(#lanes)",
    dark: true,
    click: ["#lanes-critical", "#lanes-waits"],
  },
  "lanes-narrow": {page: "streams", at: "section:has(#lanes)", width: 390},
  "lanes-folded": {page: "streams", at: "section:has(#lanes)", click: ["#lanes-fold"]},
  "groups-far": {page: "many_groups", at: "#groups-section"},
  "groups-near-dark": {
    page: "many_groups",
    at: "#groups-section",
    dark: true,
    focus: "#group-singles .area",
    keys: ["ArrowRight", "Enter"],
  },
  stalled: {page: "stuck", at: "body"},
  "rows-narrow-dark": {page: "launch_graph", at: "#launches", width: 390, dark: true},
  "work-groups": {page: "vector_add4", at: "#groups-section"},
  "dispatch-beside": {page: "two", at: "#dispatch-title", click: Array(7).fill("#dispatch-next")},
};

let at;
before(async () => {
  at = await openBrowser();
  const two = ["vector_add3", "vector_add4"].map((name) => join(root, `scenarios/${name}.yaml`));
  execFileSync(gdsim, ["report", ...two, "-o", join(at.folder, "two.html")]);
  for (const [name, file] of Object.entries(pages))
    try {
      execFileSync(gdsim, ["report", file, "-o", join(at.folder, `${name}.html`)], {stdio: "ignore"});
    } catch (error) {
      assert.equal(error.status, 3, `${name}: ${error.message}`);
    }
});
after(() => at?.close());

/// An eighth of a picture, and how it differs from another: the mean difference of a channel, and the share of pixels in
/// which one differs by more than 48 of 255.
const compare = (page, picture, reference) =>
  page.evaluate(
    async (picture, reference) => {
      const load = async (base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        return image;
      };
      const whole = await load(picture);
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(whole.width / 8);
      canvas.height = Math.round(whole.height / 8);
      const context = canvas.getContext("2d", {willReadFrequently: true});
      context.imageSmoothingQuality = "high";
      context.drawImage(whole, 0, 0, canvas.width, canvas.height);
      const small = canvas.toDataURL("image/png").split(",")[1];
      if (!reference) return {small};
      const found = context.getImageData(0, 0, canvas.width, canvas.height).data;
      const kept = await load(reference);
      if (kept.width !== canvas.width || kept.height !== canvas.height) return {small, mean: 255, apart: 1};
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(kept, 0, 0);
      const wanted = context.getImageData(0, 0, canvas.width, canvas.height).data;
      let sum = 0,
        apart = 0;
      for (let i = 0; i < found.length; i += 4) {
        const differences = [0, 1, 2].map((channel) => Math.abs(found[i + channel] - wanted[i + channel]));
        sum += differences.reduce((a, b) => a + b, 0) / 3;
        if (Math.max(...differences) > 48) ++apart;
      }
      return {small, mean: sum / (found.length / 4), apart: apart / (found.length / 4)};
    },
    picture,
    reference,
  );

for (const [name, state] of Object.entries(states))
  test(`looks as it was approved: ${name}`, async () => {
    const page = await openPage(at.browser, join(at.folder, `${state.page}.html`), {
      width: state.width,
      dark: state.dark,
    });
    for (const selector of state.click ?? []) await page.click(selector);
    if (state.focus) await page.focus(state.focus);
    for (const key of state.keys ?? []) await page.keyboard.press(key);
    await page.mouse.move(0, 0);
    const width = state.width ?? 1200;
    const top = await page.$eval(state.at, (element) => element.getBoundingClientRect().top + scrollY);
    const picture = await page.screenshot({
      clip: {x: 0, y: Math.max(Math.round(top), 0), width, height: 720},
      captureBeyondViewport: true,
      encoding: "base64",
    });
    writeFileSync(join(screenshots, `reference-${name}.png`), Buffer.from(picture, "base64"));
    const file = join(references, `${name}.png`);
    const blank = await at.browser.newPage();
    const kept = existsSync(file) ? readFileSync(file).toString("base64") : null;
    const {small, mean, apart} = await compare(blank, picture, kept);
    if (process.env.GDSIM_APPROVE) {
      mkdirSync(references, {recursive: true});
      writeFileSync(file, Buffer.from(small, "base64"));
    } else {
      assert.ok(kept, `there is no ${file}; look at ${screenshots}, then keep it with GDSIM_APPROVE=1`);
      assert.ok(
        mean <= 4 && apart <= 0.02,
        `it differs: by ${mean.toFixed(2)} on average, ${(100 * apart).toFixed(1)} % of it clearly`,
      );
    }
    await blank.close();
    await page.close();
  });
