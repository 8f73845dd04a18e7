#include "import/binaries.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <catch2/catch.hpp>

#include <numeric>
#include <set>
#include <string>

// One kernel for each opcode of the PTX ISA that ptxas accepts, made by opcodes/derive.py: what becomes of it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Calls `use` with the first instruction of each kernel.
template <class Use>
std::size_t for_each_opcode(Use use) {
  std::size_t count = 0;
  for (const std::string name : {"opcodes.sm_90a.ptx", "opcodes.sm_100a.ptx"}) {
    const SourceText source(name, read_file(fixture_path(name)));
    for (const PtxKernel& kernel : read_ptx(source).kernels) {
      use(kernel.instructions.at(0));
      ++count;
    }
  }
  return count;
}

std::uint64_t total(const KindCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

KindCounts costs(const std::string& opcode, unsigned capability) {
  PtxInstruction instruction;
  instruction.opcode = opcode;
  return costs_of(instruction, capability);
}

}  // namespace

TEST_CASE("every opcode of PTX has a role, and those that no step stands for are these") {
  std::set<std::string> unsupported;
  const std::size_t count = for_each_opcode([&](const PtxInstruction& instruction) {
    INFO(instruction.opcode);
    const PtxClass traits = class_of(instruction);
    CHECK_FALSE(traits.is_unknown);
    if (traits.role == PtxRole::unsupported) unsupported.insert(instruction.opcode.substr(0, 20));
  });
  CHECK(count > 800);
  CHECK(unsupported == std::set<std::string>{"cp.async.bulk.global", "cp.async.bulk.tensor", "cp.reduce.async.bulk",
                                             "multimem.ld_reduce.g", "multimem.red.global.", "multimem.st.global.u",
                                             "st.async.shared::clu"});
}

TEST_CASE("every matrix instruction has multiply-adds of a kind") {
  std::size_t matrices = 0;
  for_each_opcode([&](const PtxInstruction& instruction) {
    if (class_of(instruction).role != PtxRole::matrix) return;
    INFO(instruction.opcode);
    const MatrixWork work = matrix_work_of(instruction);
    CHECK(work.kind.starts_with("tensor_"));
    CHECK(work.multiply_adds >= 256);
    ++matrices;
  });
  CHECK(matrices == 9);
}

TEST_CASE("a matrix instruction has the multiply-adds of its shape, of a sparse one half, of a warp group a quarter") {
  const auto work = [](const std::string& opcode) {
    PtxInstruction instruction;
    instruction.opcode = opcode;
    const MatrixWork found = matrix_work_of(instruction);
    return found.kind + " " + std::to_string(found.multiply_adds);
  };
  CHECK(work("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32") == "tensor_bf16 2048");
  CHECK(work("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16") == "tensor_fp16_fp16 2048");
  CHECK(work("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32") == "tensor_fp16 1024");
  CHECK(work("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32") == "tensor_fp16 2048");
  CHECK(work("mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e4m3.e5m2.f32") == "tensor_fp8 4096");
  CHECK(work("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32") == "tensor_fp16 4096");
  CHECK(work("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16") == "tensor_bf16 65536");
  CHECK(work("mma.sync.aligned.row.col.f32") == " 0");
}

TEST_CASE("every arithmetic opcode costs something, but moves between integers and predicates") {
  std::set<std::string> free;
  for_each_opcode([&](const PtxInstruction& instruction) {
    if (class_of(instruction).role != PtxRole::arithmetic) return;
    for (const unsigned capability : {75U, 80U, 86U, 90U, 100U, 120U}) {
      INFO(instruction.opcode << " of " << capability);
      const std::uint64_t instructions = total(costs_of(instruction, capability));
      CHECK(instructions <= 200);
      if (instructions == 0) free.insert(std::string(instruction.name()));
    }
  });
  CHECK(free == std::set<std::string>{"and", "cvt", "neg", "not", "or", "xor"});
}

TEST_CASE("exact divisions, of more bits, and other rounding cost more than approximations") {
  for (const unsigned capability : {75U, 86U, 90U, 120U}) {
    INFO(capability);
    const auto cost = [&](const std::string& opcode) { return total(costs(opcode, capability)); };
    CHECK(cost("add.s32") == 1);
    CHECK(cost("div.approx.ftz.f32") < cost("div.full.f32"));
    CHECK(cost("div.full.f32") < cost("div.rn.f32"));
    CHECK(cost("div.rn.f32") < cost("div.rz.f32"));
    CHECK(cost("rem.u32") < cost("rem.u64"));
    CHECK(cost("div.s32") < cost("div.s64"));
    CHECK(cost("sqrt.approx.ftz.f32") < cost("sqrt.rn.f32"));
  }
}

TEST_CASE("an opcode that is not listed costs what it does without its modifiers, or one instruction of its type") {
  CHECK(costs("setp.ge.and.s64", 86) == costs("setp.lt.s64", 86));
  CHECK(costs("add.rp.ftz.sat.f32", 86) == costs("add.f32", 86));
  CHECK(costs("vadd.u32.s32.u32.sat", 86) == costs("vadd.s32.s32.s32", 86));
  CHECK(total(costs("fma.rn.f64", 86)) == 1);
  CHECK(costs("min.s64", 86) != costs("min.s64", 120));  // 12.0 has an instruction for it
}

TEST_CASE("an instruction in no list is unknown, and counts as one") {
  PtxInstruction instruction;
  instruction.opcode = "frobnicate.b32";
  CHECK(class_of(instruction).is_unknown);
  CHECK(total(costs_of(instruction, 86)) == 1);
}
