// A scenario in the fragment of an address, after the #, which browsers never send.
"use strict";

const Link = (() => {
  /// The maximum size of an unpacked link in bytes.
  const maxBytes = 2_000_000;

  async function through(stream, bytes) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
    const parts = [];
    let size = 0;
    for (let part; !(part = await reader.read()).done; parts.push(part.value)) {
      size += part.value.length;
      if (size > maxBytes) {
        await reader.cancel();
        throw new Error("the link holds too much");
      }
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }

  /// Returns `state` as a fragment with its `#`. Throws an Error if it is too long.
  async function write(state) {
    const plain = new TextEncoder().encode(JSON.stringify(state));
    if (plain.length > maxBytes) throw new Error("the scenario is too long for a link");
    const bytes = await through(new CompressionStream("deflate-raw"), plain);
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return `#s=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  }

  const isText = (value) => typeof value === "string";

  /// Returns the state of a fragment, or null if it holds none. Throws an Error if it is broken.
  async function read(fragment) {
    if (!fragment.startsWith("#s=")) return null;
    let state;
    try {
      const binary = atob(fragment.slice(3).replaceAll("-", "+").replaceAll("_", "/"));
      const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
      state = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
    } catch (error) {
      throw new Error(`this link is broken: ${error.message}`);
    }
    const {name, text, only_case, device, values} = state ?? {};
    const areTexts = [name, text, only_case, device].every(isText);
    if (!areTexts || !Array.isArray(values) || !values.every((one) => Array.isArray(one) && one.length === 2 && one.every(isText)))
      throw new Error("this link is broken: it holds no scenario");
    return {name, text, only_case, device, values};
  }

  return {write, read};
})();
