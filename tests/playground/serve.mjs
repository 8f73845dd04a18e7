// Serves the playground's folder as any static server does.
import {readFile} from "node:fs/promises";
import {createServer} from "node:http";
import {extname, join, normalize} from "node:path";
import {folder} from "./module.mjs";

const types = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm"};

/// The address, and how to end it.
export async function serve() {
  const server = createServer(async ({url}, response) => {
    const path = normalize(new URL(url, "http://localhost").pathname);
    try {
      const body = await readFile(join(folder, path === "/" ? "index.html" : path));
      response.writeHead(200, {"content-type": types[extname(path)] ?? "text/html"}).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return {address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close()};
}
