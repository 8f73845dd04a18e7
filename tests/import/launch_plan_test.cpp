#include <gdsim/import/imported_scenario.hpp>

#include <catch2/catch.hpp>

// How a kernel is launched, as far as its file decides.

using namespace gdsim;
using Catch::Matchers::Contains;

namespace {

LaunchPlan planned(const CompiledKernel& kernel, const LaunchRequest& request) {
  Diagnostics problems;
  const LaunchPlan plan = plan_launch(kernel, request, problems);
  problems.throw_if_any();
  return plan;
}

CompiledKernel kernel_named(const std::string& name) {
  CompiledKernel kernel;
  kernel.name = name;
  return kernel;
}

}  // namespace

TEST_CASE("a block has 256 work-items unless the kernel's bound is less, or it has one size only") {
  CompiledKernel kernel = kernel_named("k");
  CHECK(planned(kernel, {}).block == 256);
  kernel.max_group_size = 96;
  CHECK(planned(kernel, {}).block == 96);
  kernel.max_group_size = 1024;
  CHECK(planned(kernel, {}).block == 256);
  kernel.required_group = {64, 4, 2};
  CHECK(planned(kernel, {}).block == 512);
  CHECK(planned(kernel, {}).largest == "512, and no other: it was compiled for 64 x 4 x 2");
}

TEST_CASE("a block that a kernel was not compiled for is refused, never made smaller") {
  CompiledKernel bound = kernel_named("bound"), exact = kernel_named("exact");
  bound.max_group_size = 96;
  exact.required_group = {64, 1, 1};
  Diagnostics problems;
  static_cast<void>(plan_launch(bound, {128, {}, false}, problems));
  static_cast<void>(plan_launch(exact, {32, {}, false}, problems));
  REQUIRE(problems.size() == 2);
  CHECK(problems.problems()[0].message == "bound: --block 128 cannot be launched; allowed: 96, its launch bound");
  CHECK_THAT(problems.problems()[1].message,
             Contains("exact: --block 32 cannot be launched; allowed: 64, and no other"));
}

TEST_CASE("shared memory is what the file holds and what is given at launch") {
  CompiledKernel kernel = kernel_named("k");
  kernel.static_slm = 2048;
  const LaunchPlan plan = planned(kernel, {64, Bytes{4096}, true});
  CHECK(plan.static_slm == 2048);
  CHECK(plan.dynamic_slm == 4096);
}

TEST_CASE("what cuobjdump prints includes the reserved kibibyte only for devices that reserve it") {
  CompiledKernel kernel = kernel_named("k");
  kernel.static_slm = 1536;
  kernel.slm_may_hold_reserve = true;
  CHECK(planned(kernel, {64, {}, true}).static_slm == 512);
  CHECK(planned(kernel, {64, {}, false}).static_slm == 1536);
}

TEST_CASE("256 general registers are the large register file, and a number that no model knows is refused") {
  CompiledKernel kernel = kernel_named("k");
  kernel.grf_count = 256;
  CHECK(planned(kernel, {}).large_grf);
  kernel.grf_count = 128;
  CHECK_FALSE(planned(kernel, {}).large_grf);
  kernel.grf_count = 96;
  CHECK_THROWS_WITH(planned(kernel, {}), Contains("k: its threads have 96 general registers; models know 128 and 256"));
}

TEST_CASE("spills are reported with their traffic, and stack with its size") {
  CompiledKernel kernel = kernel_named("k");
  CHECK(spill_words(kernel, 256).empty());
  kernel.spill_stores = 12;
  kernel.spill_loads = 20;
  CHECK_THAT(spill_words(kernel, 256), Contains("12 B stored and 20 B loaded per work-item, 8192 B of traffic"));
  kernel.stack = 16;
  CHECK_THAT(spill_words(kernel, 256), Contains("a stack of 16 B per work-item, 4096 B per work-group of 256"));
  CompiledKernel amd = kernel_named("amd");
  amd.spilled_registers = 20;
  CHECK_THAT(spill_words(amd, 64), Contains("20 vector registers are spilled: 80 B per work-item"));
}
