"""A scenario is read once, as long as its files are what they were, and runs from any thread."""

import inspect
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import gdsim
import pytest
from conftest import KERNEL, ROOT, SCENARIOS

LONG = KERNEL.replace("compute: 1 us", "compute: 1 us").replace("= tile * 8", "8000000").replace(
    "barrier]", "barrier], variation: {distribution: lognormal, cv: 0.2, seed: 1, per: thread}")


def test_a_path_a_text_a_dict_and_objects_are_the_same_scenario(tmp_path):
    file = tmp_path / "kernel.yaml"
    file.write_text(KERNEL)
    kernel = gdsim.Kernel("k", global_size="= tile * 8", local=8, sub_group=8, program=[gdsim.compute("1 us"), gdsim.barrier()])
    made = gdsim.Workload("one kernel", "tiny", [kernel], [gdsim.Launch(kernel)], parameters={"tile": 8})
    summaries = [gdsim.run(one).summary for one in (file, str(file), KERNEL, made, made.to_dict(), gdsim.load(made))]
    assert all(one == summaries[0] for one in summaries)


def test_the_builder_makes_every_step_and_order_that_a_file_can_have():
    inner = gdsim.Kernel("inner", global_size=32, local=32, sub_group=32, program=[gdsim.compute("1 us")])
    all_steps = gdsim.Kernel(
        "k", global_size=256, local=64, sub_group=32, registers=32, slm=4096, working_set=4096,
        program=[
            gdsim.loop(2, [gdsim.memory(512), gdsim.issue(fp32=64), gdsim.issue("16 cycles")]),
            gdsim.memory("1 KiB", asynchronous=True), gdsim.wait_memory(0), gdsim.wait_memory(), gdsim.fence(),
            gdsim.slm(accesses=8, stride=2), gdsim.atomic(4, 2), gdsim.atomic(4, 2, "slm"), gdsim.signal("s"), gdsim.wait("s"),
            gdsim.barrier("b"), gdsim.barrier(), gdsim.only("0", [gdsim.compute("10 cycles")]),
            gdsim.memory(elements=2, element="8 B"), gdsim.store("1 KiB", block=True), gdsim.grid_barrier(),
            gdsim.grid_barrier("1 us"), gdsim.wait_dependencies(), gdsim.trigger(), gdsim.launch(inner, wait=True),
            gdsim.tiles("work", 8, "static", [gdsim.compute("1 us")], per="thread")],
    )
    a = gdsim.Launch(all_steps, name="a", queue="q", writes=["x"])
    b = gdsim.Launch(all_steps, name="b", after=a)
    copy = gdsim.Copy(4096, "host_to_device", name="c", after=[a, b])
    run = gdsim.run(gdsim.Workload("all", gdsim.Device("a100-80gb", cores=4), [all_steps, inner], [a, b, copy],
                                   queues={"q": {"order": "in_order"}}))
    launched_by_the_host = [name for name in run.launches["launch"] if "/" not in name]
    assert run.outcome == "completed" and launched_by_the_host == ["a", "b", "c"]
    assert run.launches["first_dispatched_ns"][1] > run.launches["ended_ns"][0]
    assert run.summary["cores"] == 4
    for wrong in (lambda: gdsim.Workload("x", "tiny", [inner, inner], []).to_dict(), lambda: gdsim.issue(),
                  lambda: gdsim.Launch(inner, after=gdsim.Launch(inner)).to_dict()):
        with pytest.raises(gdsim.Error):
            wrong()
    with pytest.raises(gdsim.Error, match="did you mean 'registers'"):
        gdsim.run(gdsim.Workload("x", "tiny", [gdsim.Kernel("k", global_size=8, local=8, sub_group=8, program=[], registrs=1)], []))


def test_the_builder_has_a_function_for_every_step_of_the_schema_and_takes_its_keys():
    variants = json.loads((SCENARIOS / "scenario.schema.json").read_text())["definitions"]["step"]["anyOf"]
    steps = {name: part for variant in variants for name, part in variant.get("properties", {}).items()}
    steps.update({variant["const"]: {} for variant in variants if "const" in variant})
    assert len(steps) > 15
    implied = {"bytes", "scope"}  # an amount without a name, and what an index says
    for step, part in steps.items():
        keys = {key for form in [part, *part.get("anyOf", [])] for key in form.get("properties", {})}
        parameters = inspect.signature(getattr(gdsim, step)).parameters
        takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        assert takes_any or keys - implied <= set(parameters), step


def test_a_file_that_changes_is_read_again_and_so_is_its_model(tmp_path):
    models = tmp_path / "models"
    shutil.copytree(ROOT / "models", models)
    file = tmp_path / "kernel.yaml"
    file.write_text(KERNEL)
    assert gdsim.run(file, models=models).summary["work_groups_total"] == 8
    assert gdsim.load(file, models=models) is gdsim.load(file, models=models)
    file.write_text(KERNEL.replace("tile: 8", "tile: 24"))
    assert gdsim.run(file, models=models).summary["work_groups_total"] == 24
    cores = gdsim.run(file, models=models).summary["cores"]
    model = models / "tiny.yaml"
    model.write_text(model.read_text().replace("cores: 2\n", "cores: 3\n"))
    assert cores == 2 and gdsim.run(file, models=models).summary["cores"] == 3
    assert gdsim.occupancy("tiny", 8, 8, models=models)["status"] == "ok"
    os.remove(file)
    with pytest.raises(gdsim.Error):
        gdsim.run(file, models=models)


def test_what_a_run_was_not_asked_to_keep_is_the_same_when_it_is_made_later():
    text = LONG.replace("8000000", "8000")
    at_once = gdsim.run(text, keep=["timeline", "work_groups"])
    later = gdsim.run(text)
    assert (at_once.timeline.array == later.timeline.array).all()
    assert (at_once.work_groups.array["ended_ns"] == later.work_groups.array["ended_ns"]).all()
    assert later.duration_ps == at_once.duration_ps


def test_seeds_bounds_and_values_are_in_force_each_time():
    text = LONG.replace("8000000", "8000")
    scenario = gdsim.load(text)
    first = scenario.run().duration_ps
    assert scenario.run(seed=1).duration_ps != first
    assert scenario.run(max_time="2 us").outcome == "bounded"
    assert scenario.run({"device.cores": 1}).duration_ps > first
    assert scenario.run().duration_ps == first
    assert scenario.run(seed=1).duration_ps == gdsim.run(text, seed=1).duration_ps


def test_any_number_of_threads_run_one_scenario_with_the_same_results():
    scenario = gdsim.load(LONG.replace("8000000", "4000"))
    sizes = [size * 8 for size in range(1, 40)] * 2
    alone = [scenario.run({"kernels.k.global": size}).duration_ps for size in sizes]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda size: gdsim.load(scenario).run({"kernels.k.global": size}).duration_ps, sizes)) == alone


INTERRUPTED = """
import os, signal, threading, gdsim
signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in what begins in the background
text = open({file!r}).read()
def interrupt():
    {wait}
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=interrupt, daemon=True)
try:
    {prepare}
    thread.start()
    {call}
except {caught}:
    print("interrupted")
print("and", gdsim.run(text, set={{"kernels.k.global": 64}}).outcome)
"""
ENDLESS = "{'kernels.k.global': 8 * 10**11}"


@pytest.mark.parametrize(
    "call, prepare, caught",
    [
        (f"gdsim.run(text, set={ENDLESS})", "pass", "KeyboardInterrupt"),
        (f"gdsim.sweep(text, {{'tile': [1, 2, 3]}}, set={ENDLESS}, jobs=2)", "pass", "KeyboardInterrupt"),
        (f"gdsim.explain(text, {ENDLESS}, jobs=2)", "pass", "KeyboardInterrupt"),
        ("gdsim.load(text).durations({'kernels.k.global': [8 * 10**11] * 3})", "pass", "KeyboardInterrupt"),
        (f"gdsim.run(text, set={ENDLESS})", "signal.signal(signal.SIGINT, lambda *_: exec('raise ZeroDivisionError'))", "ZeroDivisionError"),
    ],
    ids=["run", "sweep", "explain", "durations", "a handler of one's own"],
)
# The thread that interrupts can do its work only because runs leave other threads of Python alone.
@pytest.mark.parametrize("wait", ["pass", "sum(one * one for one in range(10**6))"], ids=["at once", "after work"])
def test_control_c_ends_what_would_take_for_ever_and_other_threads_of_python_go_on(call, prepare, caught, wait, tmp_path):
    file = tmp_path / "long.yaml"
    file.write_text(LONG)
    script = INTERRUPTED.format(file=str(file), call=call, prepare=prepare, caught=caught, wait=wait)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(gdsim.__file__))})
    assert done.stdout == "interrupted\nand completed\n", done.stderr


def test_the_handler_of_signals_is_what_it_was_after_a_run():
    before = signal.default_int_handler  # not the one of tests that were started in the background
    signal.signal(signal.SIGINT, before)
    gdsim.run(LONG, set={"kernels.k.global": 80_000})
    assert signal.getsignal(signal.SIGINT) is before
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(10**7):
            pass


def test_every_shipped_scenario_of_one_case_runs():
    ran = 0
    for file in sorted(SCENARIOS.glob("vector_add*.yaml")):
        text = file.read_text()
        if "\ncases:" in text or "error:" in text:
            continue
        assert gdsim.run(file).outcome in ("completed", "stalled")
        ran += 1
    assert ran >= 3
