#include "import/binaries.hpp"

#include <catch2/catch.hpp>

// What tools print about kernels, read as text.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kOne =
    "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_86'\n"
    "ptxas info    : Function properties for _Z1kPf\n"
    "    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
    "ptxas info    : Used 40 registers, used 2 barriers, 8 bytes cumulative stack size, 1024 bytes smem, 368 bytes "
    "cmem[0]\n";

}  // namespace

TEST_CASE("a report of ptxas within the log of a build is found") {
  const auto kernels = kernels_of("[1/2] nvcc a.cu\r\nwarning: unused\n" + kOne + "[2/2] link\n");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "k(float*)");
  CHECK(kernels[0].target == "sm_86");
  CHECK(kernels[0].registers == 40U);
  CHECK(kernels[0].static_slm == 1024U);
  CHECK(kernels[0].barriers == 2U);
  CHECK(kernels[0].stack == 8U);
  CHECK(kernels[0].spill_stores == 12U);
  CHECK(kernels[0].spill_loads == 16U);
}

TEST_CASE("frames of functions that a kernel calls are not its own") {
  std::string text = kOne;
  text.insert(text.find("ptxas info    : Used"),
              "ptxas info    : Function properties for _Z6calledPf\n"
              "    64 bytes stack frame, 99 bytes spill stores, 99 bytes spill loads\n");
  CHECK(kernels_of(text)[0].spill_stores == 12U);
}

TEST_CASE("a report of ptxas that ends in the middle is refused with its line") {
  CHECK_THAT(refusal_of(kOne.substr(0, kOne.find("ptxas info    : Used"))),
             StartsWith("hostile:4:1: error: the kernel k(float*) has no line"));
  CHECK_THAT(refusal_of(kOne.substr(0, 60)), StartsWith("hostile:1:1: error: this line of ptxas is cut off"));
}

TEST_CASE(
    "a report of ptxas that a terminal's width has broken, at blanks or within words, is read as if it were whole") {
  for (std::size_t width = 24; width < 130; ++width)
    for (const bool keeps_blanks : {true, false}) {
      std::string broken;
      for (std::string_view rest = kOne; !rest.empty();) {
        std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(line.size() + 1);
        while (line.size() > width) {
          broken += std::string(line.substr(0, width)) + "\n";
          line.remove_prefix(width);
          while (!keeps_blanks && line.starts_with(' ')) line.remove_prefix(1);
        }
        broken += std::string(line) + "\n";
      }
      INFO(broken);
      // A line that does not say any more that it is one of ptxas is found by nobody.
      if (broken.find("Compiling entry function '") == std::string::npos || broken.find(": Used ") == std::string::npos)
        continue;
      if (broken.find("Function properties for ") == std::string::npos ||
          broken.find(" bytes stack frame") == std::string::npos)
        continue;
      const auto kernels = kernels_of(broken);
      REQUIRE(kernels.size() == 1);
      CHECK(kernels[0].registers == 40U);
      CHECK(kernels[0].static_slm == 1024U);
      CHECK(kernels[0].barriers == 2U);
      CHECK(kernels[0].stack == 8U);
      CHECK(kernels[0].spill_loads == 16U);
    }
  CHECK_THAT(refusal_of(kOne.substr(0, kOne.find(" 1024 bytes")) + "\n[2/2] link\n"),
             Contains("what follows its last comma is needed"));
}

TEST_CASE("ptxas before it printed barriers leaves them unknown, and no static shared memory is none") {
  const auto kernels = kernels_of(
      "ptxas info    : Compiling entry function 'k' for 'sm_70'\n"
      "ptxas info    : Used 16 registers, 368 bytes cmem[0]\n");
  REQUIRE(kernels.size() == 1);
  CHECK_FALSE(kernels[0].barriers);
  CHECK_FALSE(kernels[0].stack);
  CHECK(kernels[0].static_slm == 0U);
}

TEST_CASE("the resource usage that cuobjdump prints is read for each architecture") {
  const auto kernels = kernels_of(
      "\nFatbin elf code:\n================\narch = sm_90\ncode version = [1,7]\n\nResource usage:\n Common:\n  "
      "GLOBAL:0\n"
      " Function _Z1kPf:\n  REG:168 STACK:16 SHARED:1024 LOCAL:0 CONSTANT[0]:528 TEXTURE:0 SURFACE:0 SAMPLER:0\n");
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].target == "sm_90");
  CHECK(kernels[0].registers == 168U);
  CHECK(kernels[0].stack == 16U);
  CHECK(kernels[0].slm_may_hold_reserve);
}

TEST_CASE("resource usage without numbers is refused with its line") {
  CHECK_THAT(refusal_of("Resource usage:\n Function k:\n  REG:x STACK:0 SHARED:0\n"),
             StartsWith("hostile:3:1: error: REG:, STACK: and SHARED:"));
  CHECK_THAT(refusal_of("Resource usage: REG:\n Function k:\n"), Contains("was the text cut off?"));
}

TEST_CASE("files that hold no machine code are refused by what they are") {
  CHECK_THAT(refusal_of(".version 8.0\n.visible .entry k()\n"), Contains("this is PTX"));
  CHECK_THAT(refusal_of("BC\xc0\xde..."), Contains("LLVM bitcode"));
  CHECK_THAT(refusal_of(std::string("\x03\x02\x23\x07", 4) + "..."), Contains("SPIR-V"));
  CHECK_THAT(refusal_of("CTNI..."), Contains("patch tokens"));
  CHECK_THAT(refusal_of(""), Contains("is empty"));
  CHECK_THAT(refusal_of("scenario: S\nlaunches: []\n"),
             Contains("is a scenario, and a compiled kernel or a profile is needed") && Contains(": gdsim run ") &&
                 Contains("`limits`") && Contains(" --print summary"));
  CHECK_THAT(refusal_of("__global__ void k(float* p) {}"), Contains("is source") && Contains("nvcc -cubin"));
  CHECK_THAT(refusal_of("__kernel void k(global float* p) {}"), Contains("is source") && Contains("ocloc compile"));
  CHECK_THAT(refusal_of("hello"), Contains("is not in a format that gdsim reads, which are: an NVIDIA cubin"));
  CHECK_THAT(refusal_of(ElfBuilder(62).add(".text", 1, "x").build()), Contains("holds no code for a GPU"));
}
