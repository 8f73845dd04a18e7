// Perfetto's Trace Processor, as its viewer runs it: the WebAssembly and the engine that fetch.sh brings.
import {readFileSync} from "node:fs";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import vm from "node:vm";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = join(root, "build/trace-processor");

/// The bundle is made for a worker of the viewer: it looks for one, and fetches its WebAssembly itself.
function bridge() {
  const edits = [
    ["this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;"],
    ["locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: globalThis.gdsimWasm,"],
    ["const wasmBridge = new wasm_bridge_1.WasmBridge();",
     "const wasmBridge = globalThis.gdsimBridge = new wasm_bridge_1.WasmBridge();"],
  ];
  let source = readFileSync(join(folder, "engine_bundle.node.js"), "utf8");
  for (const [from, to] of edits) {
    if (!source.includes(from)) throw new Error(`the bundle of the Trace Processor has changed: ${from}`);
    source = source.replace(from, to);
  }
  globalThis.self = globalThis;
  globalThis.WorkerGlobalScope ??= class {};
  globalThis.location ??= {href: pathToFileURL(folder).href + "/"};
  globalThis.gdsimWasm = new Uint8Array(readFileSync(join(folder, "trace_processor.wasm")));
  vm.runInThisContext(source, {filename: "engine_bundle.node.js"});
  return globalThis.gdsimBridge;
}

/// Loads a trace; `query(SQL)` gives rows as objects.
export async function load(file) {
  const {EngineBase} = await import(pathToFileURL(join(folder, "engine.mjs")).href);
  class Engine extends EngineBase {
    mode = "WASM";
    id = "gdsim";
    constructor(port) {
      super();
      this.port = port;
      port.onmessage = ({data}) => { if (data instanceof Uint8Array) this.onRpcResponseBytes(data); };
    }
    rpcSendRequestBytes(bytes) { this.port.postMessage(bytes); }
  }
  const channel = new MessageChannel();
  const processor = bridge();
  processor.initialize(channel.port1);
  while (processor.reqBufferAddr === 0) await new Promise((go) => setTimeout(go, 5));
  const engine = new Engine(channel.port2);
  const close = () => channel.port2.close();
  try {
    await engine.parse(new Uint8Array(readFileSync(file)));
    await engine.notifyEof();
  } catch (refused) {
    close();
    throw refused;
  }
  return {
    async query(sql) {
      const result = await engine.query(sql);
      if (result.error()) throw new Error(result.error());
      const rows = [];
      for (const row = result.iter({}); row.valid(); row.next())
        rows.push(Object.fromEntries(result.columns().map((name) => {
          const value = row.get(name);
          return [name, typeof value === "bigint" ? Number(value) : value];
        })));
      return rows;
    },
    close,
  };
}
