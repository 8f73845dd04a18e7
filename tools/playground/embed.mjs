// Writes a script that holds WebAssembly and the texts of scripts: `moduleBytes`, deflated and in base64, and
// `workerTexts`.
//
//   node tools/playground/embed.mjs OUTPUT.js MODULE.wasm SCRIPT.js...
import {readFileSync, writeFileSync} from "node:fs";
import {deflateRawSync} from "node:zlib";

const [output, module, ...scripts] = process.argv.slice(2);
const bytes = deflateRawSync(readFileSync(module), {level: 9, memLevel: 9}).toString("base64");
const texts = scripts.map((file) => `${readFileSync(file, "utf8")}\n`);
writeFileSync(output, `// Made by embed.mjs. gdsim as WebAssembly, and the program of the worker that runs it.
"use strict";
const moduleBytes = "${bytes}";
const workerTexts = ${JSON.stringify(texts)};
`);
