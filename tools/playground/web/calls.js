// The functions of exports.cpp, for JavaScript.
"use strict";

/// Calls into a module that Emscripten made.
function callsOf(module) {
  /// The bytes of an answer to texts or bytes. They are valid until the next call.
  function bytes(name, ...all) {
    for (const one of all) {
      const given = typeof one === "string" ? new TextEncoder().encode(one) : one;
      const address = module._malloc(given.length || 1);
      module.HEAPU8.set(given, address);
      module._gdsim_argument(address, given.length);
      module._free(address);
    }
    const address = module[`_gdsim_${name}`]() >>> 0;
    return module.HEAPU8.subarray(address, address + (module._gdsim_size() >>> 0));
  }
  const text = (...call) => new TextDecoder().decode(bytes(...call));

  return {
    catalog: () => JSON.parse(text("catalog")),
    /// The answer of answer_json().
    run: ({name, text: scenario, only_case, overrides}) =>
      JSON.parse(text("run", name, scenario, only_case, ...overrides.flat())),
    /// The answer of import_json() to files of a name and bytes.
    import: ({files, words}) =>
      JSON.parse(text("import", String(files.length), ...files.flatMap(({name, bytes}) => [name, bytes]), ...words)),
    /// The page of the last run; empty if the run was refused.
    page: () => text("page"),
    /// A file of the last run; null if the run was refused or has no such file. No file is empty.
    file: ({file}) => text("file", file) || null,
  };
}
