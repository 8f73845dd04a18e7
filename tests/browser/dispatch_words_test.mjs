import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import vm from "node:vm";

// What the animation of dispatch says of threads that wait, without a browser.

const script = readFileSync(new URL("../../sim/gdsim/page/html/live/dispatch_steps.js", import.meta.url), "utf8");
const steps = vm.runInNewContext(`${script}; gdsimDispatchSteps`);

/// A launch of one work-group whose two threads arrive, wait, and continue.
const captions = (exchanges) => {
  const changes = [
    [0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0],
    [1000, 1, 0, 0, 0, 2, 2, 0, 0, 0, 0],
    [2000, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0],
  ].flat();
  const words = {thread: "warp", work_group: "block", core: "SM"};
  const groups = {changes, names: ["all_reduce"], ports: null, exchanges};
  const data = {groups, heat: {cores: 1}, per_core: 8, start: 0, words};
  const run = steps.runOf(data, "");
  return [1, 2, 3].map((number) => steps.caption(run, number));
};

test("threads of a kernel wait at a barrier", () => {
  assert.deepEqual(captions(undefined).slice(1), [
    "Block 0 on SM 0: 2 warps wait at a barrier.",
    "Block 0 on SM 0: the barrier opens, and 2 warps go on.",
  ]);
});

test("threads of a collective wait for the exchange with other devices", () => {
  assert.deepEqual(captions([0]).slice(1), [
    "Block 0 on SM 0: 2 warps wait for the exchange with other devices.",
    "Block 0 on SM 0: the exchange ends, and 2 warps go on.",
  ]);
});
