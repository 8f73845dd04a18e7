"""Pruning keeps the configurations that are fast, and none that the device refuses; tuners can call it."""

import json
import random
import sys

import gdsim
import pytest
from conftest import ROOT, program

sys.path.insert(0, str(ROOT / "tools/python/examples"))
import clblast_sgemm  # noqa: E402
import prune_sgemm  # noqa: E402

TILES = """scenario: tiles
device: a100-80gb
parameters: {tile: 8, lanes: 256, count: 32, stages: 2}
kernels:
  k:
    global: = 4096 / tile * lanes
    local: = lanes
    registers: = count
    slm: = tile * stages * 512 B
    program: [{compute: = tile * tile * 100 cycles}]
    variation: none
launches: [{kernel: k}]
"""
CUBIN = ROOT / "tests/import/fixtures/corpus.sm_90.cubin"
PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 a, .param .u32 n)
{
 .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<3>; .reg .pred %p<2>;
 ld.param.u64 %rd1, [a];
 mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
 mad.lo.u32 %r1, %r1, %r2, %r3;
 mul.wide.u32 %rd2, %r1, 4;
 add.u64 %rd3, %rd1, %rd2;
 ld.global.f32 %f1, [%rd3];
 add.f32 %f2, %f1, %f1;
 st.global.f32 [%rd3], %f2;
 ret;
}
"""


def ptxas(registers, name="scale"):
    return f"ptxas info    : Compiling entry function '{name}' for 'sm_80'\nptxas info    : Used {registers} registers\n"


def test_the_shortest_runs_are_kept_and_none_that_the_device_refuses():
    configs = [{"tile": tile, "count": registers} for tile in (8, 16, 32) for registers in (32, 64, 300)]
    kept = gdsim.prune(configs, TILES, "a100-80gb", keep=0.34)
    alone = {json.dumps(c): gdsim.run(TILES, set=c).duration_ns for c in configs if c["count"] != 300}
    shortest = sorted(alone.values())[:3]
    assert len(kept) == 3 and kept.durations_ns == pytest.approx(shortest)
    assert [alone[json.dumps(c)] for c in kept] == pytest.approx(shortest)
    assert [c["count"] for c, _ in kept.refused] == [300] * 3 and "registers" in kept.refused[0][1]
    assert len(kept) + len(kept.dropped) + len(kept.refused) == len(configs) and not kept.unranked


def test_too_much_shared_memory_is_refused_and_another_device_may_take_it():
    configs = [{"stages": 2}, {"stages": 50}]  # 200 KiB
    assert gdsim.prune(configs, TILES, "a100-80gb", keep=2) == [{"stages": 2}]
    assert len(gdsim.prune(configs, TILES, "h100-sxm", keep=2)) == 2
    with pytest.raises(gdsim.Error, match="refuses all 1 configurations"):
        gdsim.prune(configs[1:], TILES, "a100-80gb")


def test_what_no_scenario_has_and_what_keep_cannot_be_is_an_error():
    for keep in (0, -1, 0.0, 1.5, "all"):
        with pytest.raises(gdsim.Error, match="keep"):
            gdsim.prune([{"tile": 8}], TILES, "a100-80gb", keep=keep)
    with pytest.raises(gdsim.Error, match="tiel"):
        gdsim.prune([{"tiel": 8}], TILES, "a100-80gb")
    with pytest.raises(gdsim.Error, match="no dict"):
        gdsim.prune([8, 16], TILES, "a100-80gb")
    assert gdsim.prune([8, 16], TILES, "a100-80gb", keep=1, values=lambda tile: {"tile": tile}) == [8]


def test_a_kernel_of_ptx_takes_about_as_long_on_one_core_as_on_the_device(tmp_path):
    grid = 108 * 40
    pruned = gdsim.prune([256, (256, 1)], lambda block: gdsim.Compiled(PTX, ptxas(32), grid=grid, block=block), "a100-80gb", keep=2)
    assert pruned.durations_ns[1] == pruned.durations_ns[0] and not pruned.unranked
    ptx, registers = tmp_path / "k.ptx", tmp_path / "k.txt"
    ptx.write_text(PTX)
    registers.write_text(ptxas(32))
    text = program("import", "--program", ptx, "--cubin", registers, "--device", "a100-80gb", "--grid", grid, "--block", 256)
    assert pruned.durations_ns[0] == pytest.approx(gdsim.run(text).duration_ns, rel=0.1)


def test_one_core_waits_for_its_turn_at_the_dispatcher_as_on_the_device():
    # Blocks of one warp end sooner than 108 SMs of A100 get new ones, one in each clock.
    grid = 108 * 400
    pruned = gdsim.prune([0], lambda _: gdsim.Compiled(PTX, ptxas(16), grid=grid, block=32), "a100-80gb", keep=1)
    text = program("import", "--program", "-", "--device", "a100-80gb", "--grid", grid, "--block", 32, given=PTX)
    whole = gdsim.run(text)
    assert whole.duration_ns > grid / 1.41 > 0.7 * whole.duration_ns
    assert pruned.durations_ns[0] == pytest.approx(whole.duration_ns, rel=0.05)


def test_machine_code_that_cannot_be_read_leaves_its_configuration_unranked_and_kept(tmp_path):
    broken = tmp_path / "k.cubin"
    broken.write_bytes(CUBIN.read_bytes()[:200])
    cubins = [ptxas(16), broken, tmp_path / "none.cubin", ptxas(16, "other")]
    kept = gdsim.prune(range(4), lambda n: gdsim.Compiled(PTX, cubins[n], kernel="scale", grid=864), "a100-80gb", keep=4)
    assert kept == [0, 1, 2, 3] and [n for n, _ in kept.unranked] == [1, 2, 3] and all(why for _, why in kept.unranked)
    assert not kept.refused
    for device in ("b200", "h100-sxm", "rtx-3090"):
        assert gdsim.prune([0], lambda _: gdsim.Compiled(PTX, grid=864), device, keep=1) == [0]


def test_spilled_registers_take_the_time_of_their_way_to_memory_and_back():
    lines = "ptxas info    : Function properties for scale\n    64 bytes stack frame, 60 bytes spill stores, 68 bytes spill loads\n"
    spills = ptxas(32).replace("ptxas info    : Used", lines + "ptxas info    : Used")
    text = {0: ptxas(32), 1: spills}
    kept = gdsim.prune([0, 1], lambda n: gdsim.Compiled(PTX, text[n], grid=4320), "a100-80gb", keep=2)
    # 128 bytes of 4,320 x 256 work-items at 1,769 GB/s, and latencies.
    way = 128 * 4320 * 256 / 1769
    assert kept == [0, 1] and way < kept.durations_ns[1] - kept.durations_ns[0] < 1.05 * way


def test_compiled_kernels_are_refused_by_their_registers_and_kept_without_a_prediction():
    def kernel(config):
        registers, block, ptx = config
        return gdsim.Compiled(PTX if ptx else None, ptxas(registers), grid=864, block=block) if registers else None

    configs = [(128, 1024, True), (16, 256, True), (0, 256, True), (16, 2048, True), (16, 128, False)]
    kept = gdsim.prune(configs, kernel, "a100-80gb", keep=5)
    assert kept == [(16, 256, True), (16, 128, False)] and len(kept.durations_ns) == 1
    assert [config for config, _ in kept.refused] == [(128, 1024, True), (0, 256, True), (16, 2048, True)]
    assert kept.unranked[0][1] == "it has no PTX, from which a time is predicted"
    with pytest.raises(gdsim.Error, match="chooses one"):
        gdsim.prune([0], lambda _: gdsim.Compiled(cubin=CUBIN), "h100-sxm")
    bound = gdsim.prune([96, 128], lambda n: gdsim.Compiled(cubin=CUBIN, kernel="^bound_96", block=n), "h100-sxm")
    assert bound == [96] and "launch bound" in bound.refused[0][1]


class TritonConfig:
    """What triton.Config has: kwargs, num_warps and so on, and all_kwargs() (triton-lang/triton at 00940173)."""

    def __init__(self, kwargs, num_warps=4, num_stages=3, num_ctas=1):
        self.kwargs, self.num_warps, self.num_stages, self.num_ctas = kwargs, num_warps, num_stages, num_ctas

    def all_kwargs(self):
        return {**self.kwargs, "num_warps": self.num_warps, "num_ctas": self.num_ctas, "num_stages": self.num_stages}


def test_triton_is_given_its_own_configurations_back():
    configs = [TritonConfig({"tile": tile}, warps) for tile in (8, 16, 32) for warps in (4, 8)]
    by_parameters = gdsim.triton_pruner(TILES, "a100-80gb", keep=2)
    # Autotuner.prune_configs calls it so: self.early_config_prune(self.configs, self.nargs, **kwargs)
    kept = by_parameters["early_config_prune"](configs, {"x": object(), "n": 4096}, extra=1)
    assert all(any(one is config for config in configs) for one in kept) and [c.kwargs["tile"] for c in kept] == [8, 8]
    values = lambda all_values: {"tile": all_values["tile"], "lanes": 32 * all_values["num_warps"]}  # noqa: E731
    kept = gdsim.triton_pruner(TILES, "a100-80gb", keep=1, values=values)["early_config_prune"](configs, {})
    assert len(kept) == 1
    compiled = lambda v: gdsim.Compiled(PTX, ptxas(16), grid=v["n"] // v["tile"], block=32 * v["num_warps"])  # noqa: E731
    kept = gdsim.triton_pruner(compiled, "a100-80gb", keep=1)["early_config_prune"](configs, {"n": 32768}, m=3)
    assert kept[0].kwargs["tile"] == 32


PARAMS = {"tile": [8, 16, 32], "lanes": [128, 256], "count": [32, 300]}


def test_kernel_tuner_searches_only_what_is_kept():
    allows = gdsim.kernel_tuner_restrictions(PARAMS, TILES, "a100-80gb", keep=0.25, restrictions=["tile * lanes < 8000", lambda c: c["tile"] > 8])
    # Kernel Tuner calls it with a dict of all parameters.
    space = [{"tile": t, "lanes": n, "count": r} for t in PARAMS["tile"] for n in PARAMS["lanes"] for r in PARAMS["count"]]
    kept = [config for config in space if allows(config)]
    assert len(kept) == 1 and kept[0]["count"] == 32 and kept[0]["tile"] > 8


def test_the_cache_has_what_the_simulation_mode_of_kernel_tuner_reads(tmp_path):
    file = tmp_path / "cache.json"
    count = gdsim.kernel_tuner_cache(file, PARAMS, TILES, "a100-80gb", kernel_name="k", problem_size=4096)
    cache = json.loads(file.read_text())
    assert cache["tune_params_keys"] == list(PARAMS) and cache["kernel_name"] == "k" and cache["problem_size"] == 4096
    assert count == 6 and len(cache["cache"]) == 12
    row = cache["cache"]["16,128,32"]
    assert row["time"] == pytest.approx(gdsim.run(TILES, set={"tile": 16, "lanes": 128, "count": 32}).duration_ns / 1e6)
    assert cache["cache"]["16,128,300"]["time"] == "InvalidConfig"
    before = file.read_bytes()
    with pytest.raises(gdsim.Error, match="is there"):
        gdsim.kernel_tuner_cache(file, PARAMS, TILES, "a100-80gb", kernel_name="k", problem_size=4096)
    assert file.read_bytes() == before


def test_kernel_tuner_itself_takes_restrictions_and_cache(tmp_path):
    tuner = pytest.importorskip("kernel_tuner")
    file = str(tmp_path / "cache.json")
    restriction = gdsim.kernel_tuner_restrictions(PARAMS, TILES, "a100-80gb", keep=4)
    gdsim.kernel_tuner_cache(file, PARAMS, TILES, "a100-80gb", kernel_name="k", problem_size=4096)
    results, _ = tuner.tune_kernel("k", "__global__ void k() {}", 4096, [], PARAMS, restrictions=restriction, cache=file,
                                   simulation_mode=True, lang="CUDA", block_size_names=["lanes"], quiet=True)
    assert len(results) == 4
    best = min(results, key=lambda one: one["time"])
    assert best["time"] * 1e6 == pytest.approx(gdsim.prune([{"tile": 8}], TILES, "a100-80gb").durations_ns[0], rel=0.2)


@pytest.mark.parametrize("device, column", [("rtx-2080-ti", "rtx_2080_ti_ms"), ("rtx-3090", "rtx_3090_ms")])
def test_of_measured_configurations_the_best_one_is_kept_as_often_as_the_results_say(device, column):
    c, table = clblast_sgemm.table_of(ROOT / "tests/python/data/clblast_sgemm.csv")
    drawn = sorted(random.Random(1).sample(range(len(table)), 200))
    kept = prune_sgemm.pruned(device, c, drawn)
    assert len(kept) == 80 and not kept.refused
    assert table[column][list(kept)].min() <= table[column][drawn].min() * 1.025
