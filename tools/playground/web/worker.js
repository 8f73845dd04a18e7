// Runs in a worker, after the texts of gdsim.js and calls.js: terminating the worker ends a run that does not end by
// itself. The first message brings the compiled module, each other one a request.
let ready;

function begin(module) {
  const instantiateWasm = (imports, done) => {
    WebAssembly.instantiate(module, imports).then(done);
    return {};
  };
  return gdsim({instantiateWasm}).then(callsOf);
}

addEventListener("message", async ({data: {module, id, kind, request}}) => {
  if (module !== undefined) {
    ready = begin(module);
    return;
  }
  try {
    const calls = await ready;
    postMessage({id, begins: true});
    const answer = calls[kind](request);
    if (kind === "run") answer.page = calls.page();
    postMessage({id, answer});
  } catch (error) {
    postMessage({id, fault: String(error)});
  }
});
