// Lists what the schemas allow at the caret.
"use strict";

const Completion = (() => {
  /// Lists a schema with all schemas that it combines, each with the file in which its references are resolved.
  function flatten({schema, file}, into = []) {
    if (typeof schema !== "object" || into.length > 200) return into;
    into.push({schema, file});
    if (schema.$ref) {
      const [path, pointer] = schema.$ref.split("#/definitions/");
      const other = path.includes("device.schema") ? "device" : path.includes("scenario.schema") ? "scenario" : file;
      flatten({schema: schemas[other].definitions[pointer], file: other}, into);
    }
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      flatten({schema: part, file}, into);
    return into;
  }

  /// Lists the schemas below a key, or, for null, of a list's items.
  function below(all, key) {
    const found = [];
    for (const {schema, file} of all) {
      if (key === null) {
        if (schema.items) flatten({schema: schema.items, file}, found);
        continue;
      }
      const pattern = Object.keys(schema.patternProperties ?? {}).find((one) => new RegExp(one).test(key));
      const part = schema.properties?.[key] ?? (pattern && schema.patternProperties[pattern]) ?? schema.additionalProperties;
      if (part) flatten({schema: part, file}, found);
    }
    return found;
  }

  const keyAtStart = /^("[^"]*"|[^\s#"'{}[\],][^#"'{}[\],:]*):(?=\s|$)/;

  /// Returns the path to the place after `text` (keys, and null for an entry of a list), the word begun there, and
  /// whether it is a value.
  function placeOf(text) {
    const lines = text.split("\n");
    const last = lines.pop();
    const stack = [];
    const put = (indent, part) => {
      while (stack.length > 0 && (stack.at(-1).indent > indent ||
                                  (stack.at(-1).indent === indent && !(part === null && stack.at(-1).part !== null))))
        stack.pop();
      stack.push({indent, part});
    };
    /// Reads a line after its dashes and first key.
    const read = (line) => {
      let indent = line.length - line.trimStart().length;
      let rest = line.slice(indent);
      for (let dash; (dash = /^-(\s+|$)/.exec(rest)); rest = rest.slice(dash[0].length), indent += dash[0].length)
        put(indent, null);
      const key = keyAtStart.exec(rest);
      if (!key) return {indent, rest};
      put(indent, key[1].replaceAll('"', ""));
      return {indent, rest: rest.slice(key[0].length), value: true};
    };
    for (const line of lines) if (/^\s*[^#\s]/.test(line)) read(line);
    let {indent, rest, value = false} = read(last);
    const isBeside = (one) => one.indent > indent || (one.indent === indent && one.part !== null);
    if (!value) while (stack.length > 0 && isBeside(stack.at(-1))) stack.pop();
    const path = stack.map(({part}) => part);
    // The open mappings and lists of the line.
    const open = [];
    for (let i = 0; i < rest.length; ++i) {
      if (rest[i] === "#" && (i === 0 || rest[i - 1] === " ")) return null;
      if (rest[i] === "{" || rest[i] === "[") open.push({mark: rest[i], length: path.length, from: i + 1});
      if (open.length > 0 && rest[i] === ",") {
        path.length = open.at(-1).length + (open.at(-1).mark === "[" ? 1 : 0);
        open.at(-1).from = i + 1;
      }
      if (rest[i] === "[") path.push(null);
      if (open.length > 0 && open.at(-1).mark === "{" && rest[i] === ":" && (rest[i + 1] ?? " ") === " ")
        path[open.at(-1).length] = rest.slice(open.at(-1).from, i).trim();
      if (open.length > 0 && (rest[i] === "}" || rest[i] === "]")) path.length = open.pop().length;
    }
    if (open.length > 0) {
      const {mark, from, length} = open.at(-1);
      rest = rest.slice(from);
      value = mark === "[" || path.length > length;
      if (mark === "{" && value) rest = rest.slice(rest.indexOf(":") + 1);
    } else if (/[}\]]/.test(rest)) {
      return null;
    }
    return {path, begun: rest.trimStart(), value};
  }

  /// Returns the names in a top-level mapping of the text.
  function namesBelow(text, key) {
    const names = [];
    let inside = false;
    for (const line of text.split("\n")) {
      if (/^[^\s#]/.test(line)) inside = line.startsWith(`${key}:`);
      const name = inside && /^ {1,4}([^\s#:][^:]*):/.exec(line);
      if (name) names.push(name[1]);
    }
    return names;
  }

  function valuesOf(all, path, text, devices) {
    const key = path.at(-1);
    if (key === "device" && path.length === 1) return devices.map(({id, name}) => ({text: id, note: name}));
    if (key === "kernel") return namesBelow(text, "kernels").map((name) => ({text: name, note: ""}));
    if (key === "queue") return namesBelow(text, "queues").map((name) => ({text: name, note: ""}));
    const words = all.flatMap(({schema}) => schema.enum ?? (schema.type === "boolean" ? [true, false] : []));
    return words.map((word) => ({text: String(word), note: ""}));
  }

  function keysOf(all) {
    return all.flatMap(({schema, file}) =>
      Object.entries(schema.properties ?? {}).map(([key, part]) => ({
        text: `${key}:`,
        note: flatten({schema: part, file}).map((one) => one.schema.description).find(Boolean) ?? "",
      })),
    );
  }

  /// Returns `begun`, the word to replace at the caret, and its `choices`; `text` is `all` up to the caret.
  function complete(text, all, devices) {
    const place = placeOf(text);
    if (place === null) return {begun: "", choices: []};
    let at = flatten({schema: schemas.scenario, file: "scenario"});
    for (const key of place.path) at = below(at, key);
    const isEntry = place.path.at(-1) === null;
    const offered = [
      ...(place.value || isEntry ? valuesOf(at, place.path, all, devices) : []),
      ...(!place.value || isEntry ? keysOf(at) : []),
    ];
    const known = new Set();
    const begun = place.begun.toLowerCase();
    const choices = offered.filter((one) => {
      const fits = one.text.toLowerCase().includes(begun) && one.text !== place.begun && !known.has(one.text);
      known.add(one.text);
      return fits;
    });
    choices.sort((a, b) => b.text.toLowerCase().startsWith(begun) - a.text.toLowerCase().startsWith(begun));
    return {begun: place.begun, choices};
  }

  return {complete};
})();
