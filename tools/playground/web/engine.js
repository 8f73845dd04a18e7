// The worker that runs scenarios. It is restarted when a run takes too long.
"use strict";

/// The time limit of one request from when the worker begins it, in milliseconds.
const maxRun = 5000;

class Engine {
  constructor() {
    this.requests = []; // the worker executes the first
    this.nextId = 0;
    this.worker = null;
  }

  start() {
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({data}) => this.take(data);
    this.worker.onerror = (event) => this.restart(event.message || "the worker cannot be started");
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
