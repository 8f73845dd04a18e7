// The playground's module in Node.js, and the program that it is compared with.
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";
import {inflateRawSync} from "node:zlib";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
export const gdsim = resolve(process.env.GDSIM ?? join(root, "build/release/tools/gdsim"));
export const folder = join(root, "build/wasm/playground");

/// The calls of web/calls.js into a fresh module, as module.js holds both.
export async function freshCalls() {
  const text = readFileSync(join(folder, "module.js"), "utf8");
  const {bytes, texts} = new Function(`${text}; return {bytes: moduleBytes, texts: workerTexts};`)();
  const parts = new Function("require", "__dirname", "__filename", `${texts[0]}${texts[1]}; return {gdsim, callsOf};`);
  const {gdsim: make, callsOf} = parts(createRequire(import.meta.url), folder, join(folder, "gdsim.js"));
  return callsOf(await make({wasmBinary: inflateRawSync(Buffer.from(bytes, "base64"))}));
}
