#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/import/profiles/scenario/plan_devices.hpp>

#include <catch2/catch.hpp>

#include <string>

// A step that was measured on one device, on each of several; its collectives between them.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Contains;

namespace {

std::string kernel_event(const std::string& name, int stream, int start, int duration, const std::string& more = {}) {
  return R"({"ph": "X", "cat": "kernel", "name": ")" + name + R"(", "pid": 0, "tid": 7, "ts": )" +
         std::to_string(start) + R"(, "dur": )" + std::to_string(duration) + R"(, "args": {"device": 0, "stream": )" +
         std::to_string(stream) +
         R"(, "registers per thread": 32, "shared memory": 0, "grid": [16, 1, 1], "block": [128, 1, 1])" + more + "}}";
}

std::string all_reduce(const std::string& type) {
  return kernel_event("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgs)", 20, 305, 100,
                      R"(, "Collective name": "allreduce", "In msg nelems": 1048576, "Out msg nelems": 1048576, )"
                      R"("Group size": 8, "dtype": ")" +
                          type + "\"");
}

std::string step_with(const std::string& collective) {
  return R"({"deviceProperties": [{"id": 0, "name": "NVIDIA H100 80GB HBM3", "numSms": 132, "warpSize": 32, )"
         R"("computeMajor": 9, "computeMinor": 0}], "traceEvents": [)" +
         kernel_event("gemm", 7, 100, 200) + ", " + collective + ", " + kernel_event("gemm", 7, 510, 200) + "]}";
}

struct Imported {
  explicit Imported(const std::string& trace, const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "step.yaml").string();
    std::vector<std::string> words{"import", folder.write("step.json", trace), "-o", file};
    words.insert(words.end(), options.begin(), options.end());
    const Ran ran = run_gdsim(words);
    INFO(ran.err);
    REQUIRE(ran.status == 0);
    scenario = read_file(file);
    report = ran.err;
    check = run_gdsim({"check", file});
    launches = gdsim_output({"run", file, "--print", "launches"});
  }

  std::string scenario;
  std::string report;
  std::string launches;
  Ran check;
};

}  // namespace

TEST_CASE("kernels of NCCL and RCCL say by their names which collectives they are") {
  CHECK(collective_named("ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevKernelArgs)") == "AllReduce");
  CHECK(collective_named("ncclKernel_ReduceScatter_RING_LL_Sum_float(ncclDevComm*)") == "ReduceScatter");
  CHECK(collective_named("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*)") == "SendRecv");
  CHECK(collective_named("void ncclDevKernel_Generic<false>(ncclDevKernelArgs)") == "");
  CHECK(collective_named("rccl_main_kernel") == "");
  CHECK_FALSE(collective_named("all_reduce_sum"));
}

TEST_CASE("an imported step is launched on each device, and lasts on each as measured") {
  const Imported step(step_with(all_reduce("BFloat16")), {"--devices", "4"});
  CHECK_THAT(step.scenario, Contains("  gpu3: {base: \"h100-sxm\", dependency_gap: 0 ns}\n") && !Contains("links:"));
  CHECK_THAT(step.scenario, Contains("- {kernel: \"gemm\", device: each, queue: \"stream 7\"}"));
  CHECK_THAT(step.scenario, Contains("\"gemm.gpu0\": {begun: 0 s, duration: 200 us}"));
  CHECK_THAT(step.report, Contains("1 collective, without --link, are kernels of measured duration"));
  CHECK(step.check.status == 0);
  CHECK_THAT(step.launches, Contains("\ngemm#2.gpu3,") && Contains("\nncclDevKernel_AllReduce_Sum_bf16_RING_LL.gpu2,"));
}

TEST_CASE("with a link, collectives of known bytes exchange over it") {
  const Imported step(step_with(all_reduce("BFloat16")), {"--devices", "2", "--link", "100GB/s,2us"});
  CHECK_THAT(step.scenario, Contains("links: [{between: [gpu0, gpu1], bandwidth: 100 GB/s, latency: 2 us}]"));
  CHECK_THAT(step.scenario,
             Contains("collective: {kind: all_reduce, algorithm: ring, bytes: 2097152 B, work_groups: 16, "
                      "local: 128, registers: 32, slm: 0 B}"));
  CHECK_THAT(step.scenario, Contains("measured: 100 us") && !Contains("duration:"));
  CHECK_THAT(step.report, Contains("1 collective of known bytes exchange over `links`"));
  CHECK(step.check.status == 0);
}

TEST_CASE("a collective of which the trace does not say the bytes stays a kernel of measured duration") {
  const Imported step(step_with(all_reduce("Quaternion")), {"--devices", "2", "--link", "100GB/s,2us"});
  CHECK_THAT(step.scenario, !Contains("collective: {") && Contains("duration: 100 us"));
}

TEST_CASE("a collective that was measured among more devices than there are is said to be") {
  const Imported fewer(step_with(all_reduce("BFloat16")), {"--devices", "2", "--link", "100GB/s,2us"});
  CHECK_THAT(fewer.report, Contains("1 collective was measured among 8 devices and is among 2 here"));
  CHECK_THAT(fewer.scenario, Contains("# 1 collective was measured among 8 devices and is among 2 here"));
  const Imported alike(step_with(all_reduce("BFloat16")), {"--devices", "8", "--link", "100GB/s,2us"});
  CHECK_THAT(alike.report, !Contains("measured among"));
}

TEST_CASE("what --devices and --link cannot be is refused") {
  const TemporaryFolder folder;
  const std::string file = folder.write("step.json", step_with(all_reduce("Half")));
  CHECK_THAT(gdsim_refusal({"import", file, "--devices", "1"}), Contains("a scenario of several devices has 2 to 64"));
  CHECK_THAT(gdsim_refusal({"import", file, "--link", "1GB/s,1us"}), Contains("--link needs --devices N"));
  for (const std::string link : {"1GB/s", "1us,1GB/s", ""})
    CHECK_THAT(gdsim_refusal({"import", file, "--devices", "2", "--link", link}),
               Contains("a bandwidth and a latency are needed"));
}
