#include "import/binaries.hpp"

#include <catch2/catch.hpp>

#include <set>

// Machine code of NVIDIA. The measure is what ptxas printed when it made it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

const std::vector<std::string> kTargets{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};

std::vector<CompiledKernel> printed_for(const std::string& target) {
  return kernels_of(fixture("corpus." + target + ".ptxas.txt"));
}

std::vector<CompiledKernel> kernels_for(const std::vector<CompiledKernel>& all, const std::string& target) {
  std::vector<CompiledKernel> some;
  for (const CompiledKernel& kernel : all)
    if (kernel.target == target) some.push_back(kernel);
  return some;
}

}  // namespace

TEST_CASE(
    "registers, shared memory, barriers and stack of every kernel equal what ptxas printed, for seven architectures") {
  const auto all = kernels_of(fixture("corpus.fatbin"));
  std::size_t compared = 0;
  for (const std::string& target : kTargets) {
    const auto printed = printed_for(target);
    const auto read = kernels_for(all, target);
    INFO(target);
    CHECK(printed.size() >= 40);
    CHECK(read.size() == printed.size());
    for (const CompiledKernel& expected : printed) {
      const CompiledKernel& found = find_kernel(read, expected.symbol, target);
      INFO(expected.symbol);
      CHECK(found.registers == expected.registers);
      CHECK(found.static_slm == expected.static_slm);
      CHECK(found.barriers == expected.barriers);
      CHECK(found.name == expected.name);
      ++compared;
    }
  }
  CHECK(compared >= 280);
}

TEST_CASE("the stack of a kernel is what ptxas printed, where it knows it") {
  const auto all = kernels_of(fixture("corpus.fatbin"));
  for (const std::string& target : kTargets)
    for (const CompiledKernel& expected : printed_for(target)) {
      if (expected.symbol == "_Z9recursivePi") continue;  // its stack grows without a bound that the compiler knows
      INFO(target << " " << expected.symbol);
      CHECK(find_kernel(all, expected.symbol, target).stack == expected.stack);
    }
}

TEST_CASE("a cubin that stands alone says the same as one in a container") {
  const auto all = kernels_of(fixture("corpus.fatbin"));
  for (const std::string target : {"sm_75", "sm_90"})
    for (const CompiledKernel& kernel : kernels_of(fixture("corpus." + target + ".cubin"))) {
      INFO(target << " " << kernel.symbol);
      const CompiledKernel& other = find_kernel(all, kernel.symbol, target);
      CHECK(kernel.registers == other.registers);
      CHECK(kernel.static_slm == other.static_slm);
    }
}

TEST_CASE("launch bounds and sizes that a kernel was compiled for are read") {
  const auto kernels = kernels_of(fixture("corpus.sm_90.cubin"));
  CHECK(find_kernel(kernels, "_Z8bound_32Pf").max_group_size == 32U);
  CHECK(find_kernel(kernels, "_Z8bound_96Pf").max_group_size == 96U);
  CHECK(find_kernel(kernels, "_Z10bound_1024Pf").max_group_size == 1024U);
  CHECK(find_kernel(kernels, "_Z11bounded_dotILi128EEvPfPKfS2_").max_group_size == 128U);
  CHECK_FALSE(find_kernel(kernels, "c_linkage").max_group_size);
  using Extent3 = std::array<std::uint64_t, 3>;
  CHECK(find_kernel(kernels, "_Z12block_of_128Pi").required_group == Extent3{128, 1, 1});
}

TEST_CASE("clusters are read with their dimensions, and one that is given at launch is not known") {
  const auto kernels = kernels_of(fixture("corpus.sm_90.cubin"));
  using Extent3 = std::array<std::uint64_t, 3>;
  CHECK(find_kernel(kernels, "_Z12cluster_of_4Pi").cluster == Extent3{4, 1, 1});
  CHECK(find_kernel(kernels, "_Z17cluster_of_2_by_2Pi").cluster == Extent3{2, 2, 1});
  CHECK_FALSE(find_kernel(kernels, "_Z17cluster_at_launchPi").cluster);
}

TEST_CASE("the kibibyte that is reserved from 9.0 on is no shared memory of the kernel") {
  for (const std::string target : {"sm_75", "sm_90"}) {
    const auto kernels = kernels_of(fixture("corpus." + target + ".cubin"));
    INFO(target);
    CHECK(find_kernel(kernels, "c_linkage").static_slm == 0U);
    CHECK(find_kernel(kernels, "_Z21dynamic_beside_staticPf").static_slm == 400U);
    CHECK(find_kernel(kernels, "_Z8tile_sumIiLi12288EEvPT_PKS0_").static_slm == 49152U);
  }
}

TEST_CASE("kernels in an anonymous namespace, with functions as arguments and with C linkage have readable names") {
  std::set<std::string> names;
  for (const CompiledKernel& kernel : kernels_of(fixture("corpus.sm_75.cubin"))) names.insert(kernel.name);
  CHECK(names.contains("void scale<4>(float*, float const*)"));
  CHECK(names.contains("(anonymous namespace)::in_anonymous_namespace(int*)"));
  CHECK(
      names.contains("void outer::inner::apply<outer::inner::Plus, &outer::inner::is_odd>(int*, outer::inner::Plus)"));
  CHECK(names.contains("c_linkage"));
}

TEST_CASE("a container is read whether it is compressed by zstd, by LZ4 or not, and so is an object of the host") {
  for (const std::string name : {"small.plain.fatbin", "small.size.fatbin", "small.speed.fatbin", "small.host.o"}) {
    INFO(name);
    const auto kernels = kernels_of(fixture(name));
    REQUIRE(kernels.size() == 2);
    for (const CompiledKernel& kernel : kernels) {
      CHECK(kernel.name == "small(float*)");
      CHECK(kernel.static_slm == 256U);
      CHECK(kernel.max_group_size == 128U);
      CHECK(kernel.barriers == 1U);
    }
    CHECK(kernels[0].target == "sm_80");
    CHECK(kernels[1].target == "sm_90");
  }
}

TEST_CASE(
    "code that is to be linked yet has no kernel, and what was linked has the shared memory of all that it calls") {
  CHECK_THAT(refusal_of(fixture("to_be_linked.host.o")),
             Catch::Contains("holds no kernel") && Catch::Contains("sm_86 is relocatable device code (-rdc=true)"));
  const auto kernels = kernels_of(fixture("linked.sm_86.cubin"));
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].static_slm == 348U);  // as nvlink -v prints: 308 and 40
  CHECK(kernels[0].registers == 24U);
}

TEST_CASE("spilled bytes are what ptxas printed") {
  const auto kernels = printed_for("sm_90");
  const CompiledKernel& spills = find_kernel(kernels, "_Z9spills_24Pf");
  CHECK(spills.spill_stores > 0U);
  CHECK(spills.spill_loads > 0U);
  CHECK(find_kernel(kernels, "_Z9unspilledPf").spill_stores == 0U);
  CHECK(find_kernel(kernels, "_Z9unspilledPf").spill_loads == 0U);
}
