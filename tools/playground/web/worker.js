// Runs scenarios in a worker: terminating the worker ends a run that does not end by itself.
importScripts("gdsim.js", "calls.js");

const ready = gdsim().then(callsOf);

addEventListener("message", async ({data: {id, kind, request}}) => {
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
