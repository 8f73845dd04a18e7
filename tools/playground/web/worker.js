// Runs scenarios, away from the page: a run that does not end can be ended with its worker.
importScripts("gdsim.js", "calls.js");

const ready = gdsim().then(callsOf);

addEventListener("message", async ({data: {id, kind, request}}) => {
  try {
    const calls = await ready;
    postMessage({id, begins: true});
    postMessage({id, answer: calls[kind](request)});
  } catch (error) {
    postMessage({id, fault: String(error)});
  }
});
