#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;
using Catch::Contains;

namespace {

std::string shown(const std::string& scenario, const std::vector<std::string>& more = {}) {
  const TemporaryFolder folder;
  std::vector<std::string> arguments{"run", folder.write("s.yaml", scenario)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(arguments);
  INFO(ran.err);
  CHECK(ran.status == 0);
  return ran.out;
}

/// A kernel that takes every register of an H100, and beside it one with these needs.
std::string beside_a_full_one(const std::string& needs) {
  return "scenario: S\ndevice: h100-sxm\nkernels:\n"
         "  full: {global: 135168, local: 1024, sub_group: 32, registers: 64, program: [compute: 5 ms]}\n"
         "  probe: {global: 128, local: 128, sub_group: 32, program: [compute: 10 us]" +
         needs +
         "}\nqueues: {a: {}, b: {}}\n"
         "launches: [{kernel: full, queue: a}, {kernel: probe, queue: b, at: 50 us}]\n";
}

}  // namespace

TEST_CASE("a kernel without registers beside one that takes them all is noted, with both answers") {
  const std::string text = shown(beside_a_full_one(""));
  CHECK_THAT(text,
             Contains("probe does not state its registers, so gdsim counts none") && Contains("State `registers`"));
  CHECK_THAT(text, Contains("From ready to end, probe takes 11."));
  CHECK_THAT(text, Contains("With the smallest amount that a warp can hold, the times are 4.96"));
  CHECK_THAT(shown(beside_a_full_one(", registers: 16")), !Contains("does not state its"));
  // Where there is room for both, the least changes nothing.
  CHECK_THAT(shown(beside_a_full_one(""), {"--set", "kernels.full.registers=32"}), !Contains("does not state its"));
}

TEST_CASE("products of matrices without a working set are noted where a cache would hold it, with both answers",
          "[figures]") {
  const auto product = [](const std::string& more) {
    return "scenario: S\ndevice: h100-sxm\nkernels:\n"
           "  product: {global: 135168, local: 256, sub_group: 32, registers: 128" +
           more +
           ", program: [{loop: {count: 64, body: [{memory: 4 KiB}, {issue: {tensor_bf16: 32768}}]}}]}\n"
           "launches: [{kernel: product}]\n";
  };
  const std::string text = shown(product(""));
  CHECK_THAT(text, Contains("product multiplies matrices and states no working set, so all that it loads comes from "
                            "HBM3: the run takes ") &&
                       Contains("State `shared_working_set`, the bytes of the matrices that blocks share."));
  CHECK_THAT(shown(product(", shared_working_set: 32 MiB")), !Contains("states no working set"));
  CHECK_THAT(shown(product(""), {"--set", "kernels.product.program.0.loop.body.1.issue.tensor_bf16=2097152"}),
             !Contains("states no working set"));
}

TEST_CASE("the note on a working set is on the cache that it names, and the run with that set takes the noted time") {
  const std::string product =
      "scenario: S\ndevice: mi300x\nkernels:\n"
      "  product: {global: 155648, local: 256, sub_group: 64, registers: 64, program: [{loop: {count: 16, body: "
      "[{memory: 4 KiB}, {issue: {tensor_bf16: 32768}}]}}]}\nlaunches: [{kernel: product}]\n";
  const std::string text = shown(product);
  const std::string before = "With `shared_working_set: 256 MiB`, all that Infinity Cache holds, the run would take ";
  CHECK_THAT(text, Contains("comes from HBM3: the run takes ") && Contains("the model then keeps stores there, too"));
  REQUIRE_THAT(text, Contains(before));
  const std::size_t begin = text.find(before) + before.size();
  const std::string time = text.substr(begin, text.find(';', begin) - begin);
  CHECK_THAT(shown(product, {"--set", "kernels.product.shared_working_set=256MiB"}),
             Contains("completed after " + time));
}

TEST_CASE("beside a placeholder no note has times, and all kernels of a note are named, eight at most") {
  const auto products = [](int count, const std::string& more = {}) {
    std::string kernels, launches;
    for (int i = 0; i < count; ++i) {
      const std::string name = "p" + std::to_string(i);
      kernels += "  " + name +
                 ": {global: 33792, local: 256, sub_group: 32, registers: 128, program: [{loop: {count: 8, body: "
                 "[{memory: 4 KiB}, {issue: {tensor_bf16: 32768}}]}}]}\n";
      launches += (i == 0 ? "kernel: " : ", kernel: ") + name;
    }
    return "scenario: S\ndevice: h100-sxm\nkernels:\n" + kernels + more + "launches: [" + launches +
           (more.empty() ? "]\n" : ", kernel: open]\n");
  };
  const std::string note = "states no working set";
  const std::string others = "The same holds for ";
  CHECK_THAT(shown(products(1)), Contains("p0 multiplies matrices and " + note) && !Contains(others));
  CHECK_THAT(shown(products(2)), Contains(others + "p1; the second time is with all of them changed."));
  CHECK_THAT(shown(products(8)), Contains(others + "p1, p2, p3, p4, p5, p6 and p7; "));
  CHECK_THAT(shown(products(10)), Contains(others + "p1, p2, p3, p4, p5, p6, p7 and 2 more; "));
  CHECK_THAT(
      shown(products(1, "  open: {global: 32, local: 32, sub_group: 32, registers: 16, program: placeholder}\n")),
      !Contains(note));
}

TEST_CASE("more multiply-adds than the loads of a product suggest are noted, with both answers", "[figures]") {
  const auto product = [](const std::string& amount) {
    return "scenario: S\ndevice: h100-sxm\nkernels:\n"
           "  product: {global: 135168, local: 256, sub_group: 32, registers: 128, shared_working_set: 32 MiB,\n"
           "    program: [{loop: {count: 64, body: [{memory: 4 KiB}, {issue: {" +
           amount + "}}]}}]}\nlaunches: [{kernel: product}]\n";
  };
  const std::string text = shown(product("tensor_bf16: 2097152"));
  CHECK_THAT(text,
             Contains("product does 1024 multiply-adds for each number that it loads. A product of matrices whose "
                      "results fill the registers of one SM does 128. The run takes ") &&
                 Contains("divide them by these (32): the run takes "));
  const std::string note = "multiply-adds for each number";
  CHECK_THAT(shown(product("tensor_bf16: 65536")), !Contains(note));
  CHECK_THAT(shown(product("mma: m16n8k16 bf16, count: 1024")), !Contains(note));
  // Instructions whose shape a file states are not in doubt, also beside amounts that are: these are 32 for each
  // number.
  CHECK_THAT(shown(product("tensor_bf16: 65536}}, {issue: {mma: m16n8k16 bf16, count: 1024")), !Contains(note));
}

TEST_CASE("what a product loads is what its blocks get, with all bodies of its tiles") {
  const auto product = [](const std::string& more, const std::string& program) {
    return shown(
        "scenario: S\ndevice: h100-sxm\nkernels:\n"
        "  product: {global: 135168, local: 256, sub_group: 32, registers: 128, shared_working_set: 32 MiB" +
        more + ", program: [{" + program + "}]}\nlaunches: [{kernel: product}]\n");
  };
  // A block gets all 4 KiB, or 2048 numbers, of a load that it shares with another.
  CHECK_THAT(
      product(", cluster: 2",
              "loop: {count: 64, body: [{memory: {bytes: 4 KiB, asynchronous: true, multicast: 2}}, wait_memory, "
              "{issue: {tensor_bf16: 2097152}}]}"),
      Contains("product does 1024 multiply-adds for each number that it loads."));
  // Tile 0 loads 4 KiB, the others load 8 KiB: 528 * 2097152 / (2048 + 527 * 4096) = 512.5.
  CHECK_THAT(product("",
                     "tiles: {list: l, count: 528, take: static, body: [{loop: {count: 16, body: [{memory: "
                     "\"= if(tile < 1, 4096, 8192) * 1 B\"}, {issue: {tensor_bf16: 2097152}}]}}]}"),
             Contains("product does 512 multiply-adds for each number that it loads."));
}

TEST_CASE("a kernel that waits for SMs to drain is noted, with the key that lets kernels share them") {
  const std::string scenario =
      "scenario: S\ndevice: h100-sxm\nkernels:\n"
      "  plain: {global: 135168, local: 256, sub_group: 32, registers: 16, program: [compute: 50 us]}\n"
      "  shared: {global: 128, local: 128, sub_group: 32, registers: 16, slm: 100 KiB, program: [compute: 10 us]}\n"
      "queues: {a: {}, b: {}}\nlaunches: [{kernel: plain, queue: a}, {kernel: shared, queue: b, at: 5 us}]\n";
  const std::string note = "for SMs to drain: SMs must be empty before their shared memory can change size";
  CHECK_THAT(shown(scenario), Contains("shared waited") && Contains(note) &&
                                  Contains("Kernels with the same `carveout_percent` can share SMs."));
  CHECK_THAT(
      shown(scenario, {"--set", "kernels.plain.carveout_percent=100", "--set", "kernels.shared.carveout_percent=100"}),
      !Contains(note));
  CHECK_THAT(shown(scenario, {"--set", "dispatch.slm_reconfiguration=free"}), !Contains(note));
}

TEST_CASE("run --timer says what a timer would show") {
  const std::string scenario =
      "scenario: S\ndevice: tiny\nkernels:\n  k: {global: 8, local: 8, sub_group: 8, program: [compute: 5 us]}\n"
      "launches: [kernel: k]\n";
  CHECK_THAT(shown(scenario, {"--timer", "cuda_events"}),
             Contains("a pair of events around one launch adds about 4 us to a kernel's duration (") &&
                 Contains("This timer would show: k 9 us; whole run 9 us."));
  CHECK_THAT(shown(scenario, {"--timer", "events"}), Contains("k 9 us"));
  CHECK_THAT(shown(scenario), !Contains("timer would show"));
  const TemporaryFolder folder;
  const Ran wrong = run_gdsim({"run", folder.write("s.yaml", scenario), "--timer", "watch"});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("--timer is 'watch'") && Contains("cuda_events"));
}

TEST_CASE("launches from a device of NVIDIA are 24 deep at most") {
  std::string deep =
      "scenario: S\ndevice: a100-80gb\nkernels:\n  k0: {global: 32, local: 32, sub_group: 32, "
      "registers: 16, program: [compute: 1 us]}\n";
  for (int i = 1; i <= 25; ++i)
    deep += "  k" + std::to_string(i) +
            ": {global: 32, local: 32, sub_group: 32, registers: 16, program: [compute: 1 ns, launch: {" + "kernel: k" +
            std::to_string(i - 1) + "}]}\n";
  const TemporaryFolder folder;
  const auto ran_from = [&](int first) {
    return run_gdsim({"run", folder.write("s.yaml", deep + "launches: [kernel: k" + std::to_string(first) + "]\n")});
  };
  const Ran refused = ran_from(25);
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("for 25 generations; at most 24 levels of launches from the device work in CUDA"));
}

TEST_CASE("points that differ in more than what is varied are noted, as costs of models") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.yaml",
                   "scenario: S\ndevice: max-1550-stack\nparameters: {lanes: 16}\nkernels:\n  k: {global: 4096, local: "
                   "64, sub_group: 16, program: [memory: 64 B]}\nlaunches: [kernel: k]\n");
  const auto notes = [&](const std::string& scenario, const std::string& vary) {
    const Ran ran = run_gdsim({"sweep", scenario, "--vary", vary});
    CHECK(ran.status == 0);
    return ran.out;
  };
  CHECK_THAT(notes(file, "local=64,128"), !Contains("are not ranked") && !Contains("Of these models"));
  const std::string scaled = folder.write("scaled.yaml",
                                          "scenario: S\ndevice: max-1550-stack\nparameters: {lanes: 16}\nkernels:\n  "
                                          "k: {global: 4096, local: 64, sub_group: "
                                          "= lanes, program: [memory: = lanes * 4 B]}\nlaunches: [kernel: k]\n");
  CHECK_THAT(notes(scaled, "lanes=16,32"), !Contains("are not ranked"));
  const std::string cuda =
      folder.write("cuda.yaml",
                   "scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: 4096, local: 64, sub_group: 32, program: "
                   "[compute: 1 us]}\nlaunches: [kernel: k]\n");
  CHECK_THAT(
      notes(cuda, "device=a100-80gb,max-1550"),
      Contains("Of these models, a100-80gb has a launch cost, a dispatch interval and a recovery; max-1550 has none: "
               "short runs look shorter there."));
  CHECK_THAT(notes(cuda, "device=a100-80gb,a100-40gb"), !Contains("Of these models"));
}

TEST_CASE("what a scenario declares for another device is noted where it means something else") {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("s.yaml",
                   "scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: 1024, local: 64, sub_group: 32, registers: "
                   "64, program: [compute: 1 us]}\nlaunches: [kernel: k]\n");
  const auto notes = [&](const std::string& device) {
    return run_gdsim({"run", file, "--set", "device=" + device}).out;
  };
  CHECK_THAT(notes("max-1550"),
             Contains("On max-1550, `registers` counts GRFs per thread") &&
                 Contains("Declared durations were written for a100-80gb and are not rescaled for max-1550."));
  CHECK_THAT(notes("h100-sxm"), !Contains("GRFs") && Contains("are not rescaled for h100-sxm."));
  CHECK_THAT(run_gdsim({"run", file}).out, !Contains("not rescaled") && !Contains("GRFs"));
}

TEST_CASE("a kernel that waits for a part of its loads is noted where that decides, with the other time") {
  const std::string scenario =
      "scenario: S\ndevice: a100-80gb\nkernels:\n"
      "  rows: {global: 27648, local: 256, sub_group: 32, in_flight: 256 B, program: [memory: 2 KiB]}\n"
      "launches: [{kernel: rows}]\n";
  CHECK_THAT(shown(scenario),
             Contains("A warp of rows requests 256 B at a time and waits for them, as `in_flight` of the "
                      "kernel says"));
  CHECK_THAT(shown(scenario, {"--set", "kernels.rows.in_flight=2KiB"}), !Contains("in_flight"));
}
