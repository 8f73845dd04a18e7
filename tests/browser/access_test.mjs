// Pages pass an audit of their accessibility: axe-core finds nothing to complain of, light, dark and narrow.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {after, before, test} from "node:test";
import {gdsim, openBrowser, openPage, root} from "./pages.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const scenario = (name) => join(root, `scenarios/${name}.yaml`),
  local = (name) => join(root, `tests/browser/${name}.yaml`);
const pages = {
  vector_add4: ["report", scenario("vector_add4")],
  streams: ["report", local("streams")],
  many_groups: ["report", local("many_groups")],
  stuck: ["report", local("stuck")],
  two: ["report", scenario("vector_add3"), scenario("vector_add4")],
  explained: ["report", scenario("vector_add4"), "--explain"],
  sweep: ["sweep", scenario("vector_add4"), "--vary", "dispatch.ports=1,2,3"],
  explanation: ["explain", scenario("vector_add4")],
};

let at;
before(async () => {
  at = await openBrowser();
  for (const [name, words] of Object.entries(pages))
    try {
      execFileSync(gdsim, [...words, "-o", join(at.folder, `${name}.html`)], {stdio: "ignore"});
    } catch (error) {
      assert.equal(error.status, 3, `${name}: ${error.message}`);
    }
});
after(() => at?.close());

for (const name of Object.keys(pages))
  for (const [look, options] of Object.entries({light: {}, dark: {dark: true}, narrow: {width: 390}}))
    test(`an audit finds nothing on the page of ${name}: ${look}`, async () => {
      const page = await openPage(at.browser, join(at.folder, `${name}.html`), options);
      await page.evaluate(axe);
      const {violations, passes} = await page.evaluate(() => window.axe.run());
      assert.ok(passes.length > 10, "the audit ran");
      assert.deepEqual(
        violations.map(
          ({id, nodes}) =>
            `${id}: ${nodes
              .slice(0, 3)
              .map((node) => node.html.slice(0, 120))
              .join(" | ")}`,
        ),
        [],
      );
      await page.close();
    });
