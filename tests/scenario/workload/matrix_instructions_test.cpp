#include "support/scenarios.hpp"

#include <gdsim/scenario/workload/read_workload.hpp>

#include <catch2/catch.hpp>

// A matrix instruction adds as many multiply-adds to its kind as its thread does, all lanes together.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Returns 0 for what the vendor does not have.
std::uint64_t multiply_adds(const char* text, const char* vendor = "nvidia") {
  const auto found = matrix_instruction(text, vendor);
  return found ? found->multiply_adds : 0;
}

ReadText with_issue(const std::string& issue, const std::string& device = "h100-sxm") {
  return read_text("scenario: S\ndevice: " + device +
                   "\nkernels:\n  k: {global: 64, local: 64, sub_group: auto, program: [issue: " + issue +
                   "]}\nlaunches: [kernel: k]\n");
}

std::vector<InstructionCount> kinds_of(const std::string& issue) {
  const ReadText read = with_issue(issue);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  return std::get<IssueSlots>(read.scenario().workload.kernels[0].program[0]).by_kind;
}

}  // namespace

TEST_CASE("a warp does m x n x k multiply-adds with one instruction") {
  CHECK(multiply_adds("m16n8k16 bf16") == 16 * 8 * 16);
  CHECK(multiply_adds("m16n8k8 tf32") == 16 * 8 * 8);
  CHECK(multiply_adds("m16n8k32 fp8_fp16") == 16 * 8 * 32);
  CHECK(multiply_adds("m32n32k8 fp16", "amd") == 32 * 32 * 8);
  CHECK(multiply_adds("m8n16k16 bf16", "intel") == 8 * 16 * 16);
}

TEST_CASE("m8n8k4 of fp16 is four matrices, that of fp64 one") {
  CHECK(multiply_adds("m8n8k4 fp16") == 4 * 8 * 8 * 4);
  CHECK(multiply_adds("m8n8k4 fp64") == 8 * 8 * 4);
}

TEST_CASE("each of the four warps of a wgmma does a quarter of it") {
  CHECK(multiply_adds("m64n256k16 bf16") == 16 * 256 * 16);
  CHECK(multiply_adds("m64n8k32 fp8") == 16 * 8 * 32);
  CHECK(multiply_adds("m64n12k16 bf16") == 0);
  CHECK(multiply_adds("m64n264k16 bf16") == 0);
}

TEST_CASE("a shape belongs to types and to a vendor, and of an unknown vendor all are known") {
  CHECK(multiply_adds("m16n8k16 tf32") == 0);
  CHECK(multiply_adds("m16n8k16 bf16", "amd") == 0);
  CHECK(multiply_adds("m16n16k16 bf16", "nvidia") == 0);
  CHECK(multiply_adds("m16n8k16 bf16", "") == 2'048);
  CHECK(multiply_adds("m16n16k16 bf16", "someone") == 4'096);
}

TEST_CASE("what is no shape, blank and type is no matrix instruction") {
  for (const char* text : {"", "bf16", "m16n8k16", "m16n8k16 ", "m16n8k16  bf16", "m16n8k16x bf16", "m16n8 bf16",
                           "n8m16k16 bf16", "m16n8k16 fp", "m99999999999999999999n8k16 bf16"})
    CHECK_FALSE(matrix_instruction(text, "nvidia"));
}

TEST_CASE("what is known instead lists the shapes of the type, or the types") {
  CHECK(known_matrix_instructions("m1n2k3 tf32", "nvidia") ==
        "shapes for tf32: m16n8k4, m16n8k8, m64n(8 to 256 in steps of 8)k8");
  CHECK(known_matrix_instructions("m1n2k3 fp16", "intel") == "shapes for fp16: m(1 to 8)n(8 or 16)k16");
  CHECK(known_matrix_instructions("wmma", "intel") ==
        "a shape, a blank and a type are needed, as in `mma: m16n8k16 bf16`; types: bf16, fp16, int4, int8, tf32");
}

TEST_CASE("a step counts matrix instructions beside other kinds") {
  const std::vector<InstructionCount> kinds = kinds_of("{mma: m16n8k16 bf16, count: = 8 * 8, fp32: 7}");
  REQUIRE(kinds.size() == 2);
  CHECK(kinds[0].kind == "tensor_bf16");
  CHECK(kinds[0].count == 64 * 2'048);
  CHECK(kinds[0].is_by_shape);
  CHECK(kinds[1].count == 7);
  CHECK_FALSE(kinds[1].is_by_shape);
  CHECK(kinds_of("{mma: m16n8k16 bf16}")[0].count == 2'048);
}

TEST_CASE("a matrix instruction is refused with what there is") {
  CHECK_THAT(with_issue("{mma: m16n8k4 bf16}").problems,
             Catch::Contains("4:70: mma: is 'm16n8k4 bf16', no matrix instruction of this device; shapes for bf16: "
                             "m16n8k8, m16n8k16, m64n(8 to 256 in steps of 8)k16"));
  CHECK_THAT(with_issue("{count: 64, fp32: 1}").problems, Catch::Contains("count: counts what `mma` names, as in"));
  CHECK_THAT(with_issue("{mma: m16n8k16 bf16, tensor_bf16: 64}").problems,
             Catch::Contains("stands beside `tensor_bf16`, the same kind"));
  CHECK_THAT(with_issue("{mma: m16n8k16 bf16, count: 4294967296}").problems,
             Catch::Contains("does more than 1099511627776 multiply-adds in one step"));
  CHECK_THAT(with_issue("{mma: m16n8k16 bf16, count: 0}").problems, Catch::Contains("count"));
  CHECK_THAT(with_issue("{mma: m16n8k4 tf32}", "v100-sxm2-16gb").problems, Catch::Contains("tensor_tf32"));
}
