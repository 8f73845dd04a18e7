#include "support/scenarios.hpp"
#include <gdsim/counterfactual/counterfactual.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace gdsim;
using namespace gdsim::testing;

// Kernels whose cause is known beforehand: from a closed form that stands beside each, or from measurements.

namespace {

/// Each with one kernel `k`.
struct Known {
  std::string name;
  std::string device;
  std::string kernel;
  std::string launches;
  FindingKind cause;
};

const std::vector<Known>& all_known() {
  static const std::vector<Known> all{
      // 33.5 MB in 90 us is all of HBM3's bandwidth.
      {"a softmax that reads and writes rows", "h100-sxm",
       "global: 2097152, local: 256, sub_group: 32, registers: 40, program: [memory: 2 KiB, issue: {fp32: 64}, "
       "barrier, "
       "{store: 2 KiB}]",
       "", FindingKind::roofline},
      // 64 warps of an SM: 64 x 32 x 256 x 32 lanes / 64 per cycle.
      {"multiply-adds without data", "a100-80gb",
       "global: 4423680, local: 256, sub_group: 32, program: [memory: 128 B, {loop: {count: 32, body: [issue: {fp32: "
       "256}]}}]",
       "", FindingKind::roofline},
      // 8 MiB stay in L2; each byte is read 540 times.
      {"a tile that all blocks share", "a100-80gb",
       "global: 1105920, local: 256, sub_group: 32, shared_working_set: 8 MiB, program: [{loop: {count: 32, body: "
       "[memory: 4 "
       "KiB, issue: {fp32: 16}]}}]",
       "", FindingKind::roofline},
      // Two bytes of L2 for each multiply-add; warps that compute wait for those that load, which wait for L2.
      {"a product whose loads are too few for its tensor pipes", "h100-sxm",
       "global: 202752, local: 384, sub_group: 32, registers: 168, slm: 192 KiB, shared_working_set: 32 MiB, program: "
       "[{loop: "
       "{count: 64, body: [{only: {threads: 0-3, body: [memory: 12 KiB]}}, barrier, {only: {threads: 4-11, body: "
       "[{issue: "
       "{tensor_bf16: 8192}}]}}]}}]",
       "", FindingKind::roofline},
      // 32 lanes of one bank: 32 cycles for each access.
      {"a column of a matrix in shared memory", "a100-80gb",
       "global: 442368, local: 256, sub_group: 32, slm: 16 KiB, program: [{loop: {count: 64, body: [{slm: {accesses: "
       "8, "
       "stride: 32}}, issue: {fp32: 4}]}}]",
       "", FindingKind::roofline},
      // 64 warps x 8 SMs x 32 B every 391 ns are 42 GB/s of 1,769; each of 64 accesses waits for the one before.
      {"a list whose elements name the next one", "{base: a100-80gb, cores: 8}",
       "global: 65536, local: 256, sub_group: 32, program: [{loop: {count: 64, body: [memory: 32 B]}}]", "",
       FindingKind::latency},
      // One of 64 sequences is 64 times as long: 16 blocks for the last 77 % of the time.
      {"attention over sequences of unequal length", "a100-80gb",
       "global: 131072, local: 128, sub_group: 32, registers: 64, slm: 16 KiB, program: [{loop: {count: \"= "
       "if(mod(group, 64) "
       "== 0, 512, 8)\", body: [memory: 4 KiB]}}]",
       "", FindingKind::imbalance},
      // 33 blocks have four tiles of 80 us, 99 have four of 20.
      {"a persistent kernel with unequal tiles by number", "h100-sxm",
       "global: 33792, local: 256, sub_group: 32, slm: 200 KiB, program: [{tiles: {list: t, count: 528, take: static, "
       "body: "
       "[{compute: \"= if(mod(tile, 132) < 33, 80, 20) * 1 us\"}]}}]",
       "", FindingKind::imbalance},
      // Lustig 2018; Osama et al. (Stream-K, PPoPP 2023): one block more than a wave doubles the time.
      {"one block more than a wave", "{base: a100-80gb, cores: 66}",
       "global: 135424, local: 256, sub_group: 32, program: [compute: 10 us], variation: none", "", FindingKind::tail},
      {"sixteen blocks on 108 SMs", "a100-80gb",
       "global: 4096, local: 256, sub_group: 32, program: [{loop: {count: 64, body: [memory: 128 B]}}]", "",
       FindingKind::small},
      // RRZE-HPC/gpu-benches gpu-stream, init, one block of 64 threads per SM: 210 of 1,769 GB/s; nothing but recovery
      // lies between blocks.
      {"blocks that only store, one on each SM", "a100-80gb",
       "global: 2211840, local: 64, sub_group: 32, slm: 160 KiB, program: [store: 256 B]", "", FindingKind::recovery},
      // 131,072 blocks at 1.045 cycles each.
      {"blocks that do nothing", "h100-pcie", "global: 8388608, local: 64, sub_group: 32, program: [issue: {int32: 1}]",
       "", FindingKind::dispatch},
      // 2 of 16 blocks fit; with all, eight times as many accesses are under way.
      {"255 registers and long latencies", "a100-80gb",
       "global: 884736, local: 128, sub_group: 32, registers: 255, program: [{loop: {count: 64, body: [memory: 128 B, "
       "issue: "
       "{fp32: 16}]}}]",
       "", FindingKind::limiter},
      {"100 KiB of shared memory and long latencies", "h100-sxm",
       "global: 884736, local: 128, sub_group: 32, slm: 100 KiB, program: [{loop: {count: 64, body: [memory: 128 B, "
       "issue: "
       "{fp32: 16}]}}]",
       "", FindingKind::limiter},
      // 31 of 32 warps wait for the first, sixteen times.
      {"one warp that computes while its block waits", "a100-80gb",
       "global: 884736, local: 1024, sub_group: 32, program: [{loop: {count: 16, body: [{only: {threads: 0, body: "
       "[compute: 5 "
       "us]}}, barrier]}}]",
       "", FindingKind::barrier},
      // 4.4 M work-items, one address, one access per cycle or less.
      {"a counter that all threads add to", "a100-80gb",
       "global: 4423680, local: 256, sub_group: 32, program: [memory: 128 B, {atomic: {space: global, accesses: 1, "
       "addresses: "
       "1}}]",
       "", FindingKind::atomics},
      // The host takes 10 us for each launch of less than 1 us.
      {"a chain of short kernels", "{base: a100-80gb, submit_overhead: 10 us}",
       "global: 110592, local: 256, sub_group: 32, program: [memory: 128 B]", "{kernel: k, count: 50}",
       FindingKind::host},
      // 512 MiB over 25.5 GB/s take 21 ms, the kernel 20 us.
      {"a kernel behind a copy of its data", "a100-80gb",
       "global: 1105920, local: 256, sub_group: 32, program: [memory: 1 KiB]",
       "{name: in, copy: {bytes: 512 MiB, direction: host_to_device}}, {kernel: k, after: [in]}", FindingKind::copies},
      {"work-groups on half of the cores, by an assumption",
       "{base: tiny, cores: 8, dispatch: {placement: fill_first}, "
       "alternatives: {dispatch.placement: [round_robin]}}",
       "global: 16, local: 1, sub_group: 1, program: [issue: 1000 cycles], variation: none", "",
       FindingKind::assumption}};
  return all;
}

Answer answer_to(const Known& known) {
  const ReadText read = read_text("scenario: Known\ndevice: " + known.device + "\nkernels:\n  k: {" + known.kernel +
                                  "}\nlaunches: [" + (known.launches.empty() ? "kernel: k" : known.launches) + "]\n");
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  const KeptRun run(read.scenario(), compile_scenario(read.scenario()), {}, {});
  return answer_of(read.scenario(), run.report(), {});
}

enum class Causes { rates, others };

void check_findings(Causes causes) {
  for (const Known& known : all_known()) {
    if ((known.cause == FindingKind::roofline) != (causes == Causes::rates)) continue;
    const Answer answer = answer_to(known);
    INFO(known.name << ": " << finding_line(answer.finding));
    CHECK(name_of(answer.finding.kind) == name_of(known.cause));
  }
}

}  // namespace

TEST_CASE("of kernels that a rate of the device bounds, the finding names the rate first") {
  check_findings(Causes::rates);
}

TEST_CASE("of kernels with another known cause, the finding names the cause first") { check_findings(Causes::others); }

TEST_CASE("an assumed value that decides nothing is not named, and without alternatives none is tried") {
  Known known = all_known().back();
  known.device =
      "{base: tiny, cores: 8, dispatch: {placement: fill_first}, alternatives: {dispatch.placement: [fill_first]}}";
  CHECK(answer_to(known).rests_on.value().empty());
}

TEST_CASE("an assumed value that decides is named, with the durations of the others") {
  const Answer answer = answer_to(all_known().back());
  REQUIRE(answer.rests_on.value().size() == 1);
  const RestsOn& one = answer.rests_on->front();
  CHECK(one.key == "dispatch.placement");
  CHECK(one.value == "fill_first");
  REQUIRE(one.alternatives.size() == 1);
  CHECK(one.alternatives[0].value == "round_robin");
}
