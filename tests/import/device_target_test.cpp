#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/compiled_kernel.hpp>
#include <gdsim/import/read_compiled.hpp>

#include <catch2/catch.hpp>

// Which machine code a device runs.

using namespace gdsim;
using Catch::Matchers::Contains;

namespace {

const WantedDevice kA100{"a100-80gb", "cc-8.0", "nvidia"};
const WantedDevice kA6000{"rtx-a6000", "cc-8.6", "nvidia"};
const WantedDevice kH100{"h100-sxm", "cc-9.0", "nvidia"};

CompiledKernel code(GpuVendor vendor, const std::string& target, const std::string& symbol = "k") {
  CompiledKernel kernel;
  kernel.symbol = symbol;
  kernel.name = symbol;
  kernel.vendor = vendor;
  kernel.target = target;
  return kernel;
}
CompiledKernel nvidia(const std::string& target, const std::string& symbol = "k") {
  return code(GpuVendor::nvidia, target, symbol);
}

}  // namespace

TEST_CASE("a target belongs to the model of its family") {
  CHECK(family_of_target(nvidia("sm_75")) == "cc-7.5");
  CHECK(family_of_target(nvidia("sm_90a")) == "cc-9.0");
  CHECK(family_of_target(nvidia("sm_120")) == "cc-12.0");
  CHECK(family_of_target(nvidia("")).empty());
  CHECK(family_of_target(code(GpuVendor::amd, "gfx90a:sramecc+:xnack-")) == "gfx90a");
  CHECK(family_of_target(code(GpuVendor::intel, "xe_hpc_pvc")) == "xe_hpc_pvc");
}

TEST_CASE("code for 8.0 runs on 8.6, and not the other way round, nor on 9.0") {
  CHECK(match_of(nvidia("sm_80"), kA6000));
  CHECK(match_of(nvidia("sm_86"), kA6000) > match_of(nvidia("sm_80"), kA6000));
  CHECK_FALSE(match_of(nvidia("sm_86"), kA100));
  CHECK_FALSE(match_of(nvidia("sm_80"), kH100));
  CHECK(match_of(nvidia("sm_90a"), kH100));
}

TEST_CASE("code for one vendor never runs on another's device") {
  CHECK_FALSE(match_of(code(GpuVendor::amd, "gfx90a"), kA100));
  CHECK_FALSE(match_of(nvidia("sm_80"), {"mi210", "gfx90a", "amd"}));
  CHECK(match_of(code(GpuVendor::amd, "gfx90a:xnack-"), {"mi210", "gfx90a", "amd"}));
  CHECK_FALSE(match_of(code(GpuVendor::amd, "gfx942"), {"mi210", "gfx90a", "amd"}));
}

TEST_CASE("of several architectures, each kernel is taken for the best that runs, once") {
  const NamedKernels all{"f",
                         {nvidia("sm_75"), nvidia("sm_80"), nvidia("sm_86"), nvidia("sm_86"), nvidia("sm_80", "b")}};
  const auto chosen = for_device(all, kA6000).kernels;
  REQUIRE(chosen.size() == 2);
  CHECK(chosen[0].target == "sm_86");
  CHECK(chosen[1].symbol == "b");
}

TEST_CASE("if nothing runs on a device, or none is named, all architectures are listed") {
  const NamedKernels all{"f", {nvidia("sm_75"), nvidia("sm_80"), nvidia("sm_80", "b")}};
  CHECK_THROWS_WITH(for_device(all, kH100),
                    "f: error: nothing in it runs on h100-sxm (cc-9.0); it is compiled for sm_75 (1 kernel), sm_80 (2 "
                    "kernels)");
  CHECK_THROWS_WITH(only_family(all), Contains("sm_75 (1 kernel), sm_80 (2 kernels); --device says which is meant"));
  CHECK(only_family({"f", {nvidia("sm_80")}}) == "cc-8.0");
}

TEST_CASE("kernels are chosen by a regular expression over both names") {
  CompiledKernel mangled = nvidia("sm_80", "_Z4gemmPf");
  mangled.name = "gemm(float*)";
  const NamedKernels all{"f", {mangled, nvidia("sm_80", "stencil_3d")}};
  CHECK(with_name(all, "gemm\\(").kernels.size() == 1);
  CHECK(with_name(all, "^_Z4").kernels.size() == 1);
  CHECK(with_name(all, "gemm|stencil").kernels.size() == 2);
  CHECK_THROWS_WITH(with_name(all, "fft"), Contains("no kernel matches --kernel 'fft'; there are 'gemm(float*)', "
                                                    "'stencil_3d'"));
  CHECK_THROWS_WITH(with_name(all, "("), Contains("which is no regular expression"));
}

TEST_CASE("an expression that would keep a matcher with backtracking busy for ever is answered at once") {
  // 2^10,000 ways to split the letters; the door is linear, so this test takes milliseconds or never ends.
  const NamedKernels all{"f", {nvidia("sm_80", std::string(10'000, 'a').c_str()), nvidia("sm_80", "aaab")}};
  CHECK(with_name(all, "(a*)*b").kernels.size() == 1);
  CHECK(with_name(all, "(a|aa)+$").kernels.size() == 1);
  CHECK_THROWS_WITH(with_name(all, "(a)\\1"), Contains("which is no regular expression: invalid escape sequence"));
}
