// The playground's module in Node.js, and the program that it is compared with.
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const gdsim = resolve(process.env.GDSIM ?? join(root, "build/release/tools/gdsim"));
export const folder = resolve(process.env.PLAYGROUND ?? join(root, "build/wasm/playground"));

/// The calls of web/calls.js into a fresh module.
export async function freshCalls() {
  const make = createRequire(import.meta.url)(join(folder, "gdsim.js"));
  const module = await make({wasmBinary: readFileSync(join(folder, "gdsim.wasm"))});
  const callsOf = new Function(`${readFileSync(join(folder, "calls.js"), "utf8")}; return callsOf;`)();
  return callsOf(module);
}
