// The worker that runs scenarios, started anew whenever it takes too long.
"use strict";

/// What one request may take once the worker has begun with it, in milliseconds.
const maxRun = 5000;

class Engine {
  constructor() {
    this.requests = []; // the first is what the worker is at
    this.nextId = 0;
    this.worker = null;
  }

  start() {
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({data}) => this.take(data);
    this.worker.onerror = (event) => this.restart(event.message || "the worker cannot be started");
  }

  /// The answer to a request, or an Error. Of requests of kind `run`, one that waits is dropped for a later one: its
  /// promise is answered with null.
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
      this.timer = setTimeout(() => this.restart(`stopped after ${maxRun / 1000} s: too much for a page`), maxRun);
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

  /// Gives up what the worker is at, and the worker, whose memory may be in any state.
  restart(reason) {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null; // one that cannot start is not started again and again, but for the next request
    const current = this.requests.shift();
    if (current !== undefined) current.reject(new Error(reason));
    this.send();
  }
}
