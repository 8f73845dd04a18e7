// The worker that runs scenarios. It is restarted when a run takes too long.
"use strict";

/// The time limits of one request, by its kind, from when the worker begins it, in seconds.
const maxSeconds = {catalog: 60, import: 60, run: 5, file: 5};

class Engine {
  /// Unpacks and compiles the module, once for all workers.
  static async open() {
    const packed = Uint8Array.from(atob(moduleBytes), (one) => one.charCodeAt(0));
    const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Engine(await WebAssembly.compile(await new Response(bytes).arrayBuffer()));
  }

  constructor(module) {
    this.module = module;
    this.program = URL.createObjectURL(new Blob(workerTexts, {type: "text/javascript"}));
    this.requests = []; // the worker executes the first
    this.nextId = 0;
    this.worker = null;
  }

  start() {
    this.worker = new Worker(this.program);
    this.worker.onmessage = ({data}) => this.take(data);
    this.worker.onerror = (event) => this.restart(event.message || "the worker cannot be started");
    this.worker.postMessage({module: this.module});
  }

  /// Resolves to the answer of a request, or rejects with an Error. A later request of kind `run` replaces a waiting
  /// one, whose promise resolves to null.
  request(kind, request) {
    return new Promise((resolve, reject) => {
      const waiting = this.requests.findIndex((one, i) => i > 0 && one.kind === "run" && kind === "run");
      if (waiting > 0) this.requests.splice(waiting, 1)[0].resolve(null);
      this.requests.push({id: this.nextId++, kind, request, resolve, reject});
      if (this.requests.length === 1) this.send();
    });
  }

  send() {
    if (this.requests.length === 0) return;
    if (this.worker === null) this.start();
    const {id, kind, request} = this.requests[0];
    this.worker.postMessage({id, kind, request});
  }

  take({id, begins, answer, fault}) {
    const current = this.requests[0];
    if (current === undefined || current.id !== id) return;
    if (begins) {
      const seconds = maxSeconds[current.kind];
      const reason = `stopped after ${seconds} s: too much for a page; \`gdsim\` on the command line has no such limit`;
      this.timer = setTimeout(() => this.restart(reason), 1000 * seconds);
      return;
    }
    if (fault !== undefined) {
      this.restart(fault);
      return;
    }
    clearTimeout(this.timer);
    this.requests.shift();
    current.resolve(answer);
    this.send();
  }

  /// Abandons the current request and the worker, whose memory may be in any state.
  restart(reason) {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null; // only the next request starts it again: a worker that cannot start must not restart forever
    const current = this.requests.shift();
    if (current !== undefined) current.reject(new Error(reason));
    this.send();
  }
}
