#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/nvidia/cubin.hpp>
#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>
#include "import/binaries.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

// What is counted in NVIDIA's machine code, and what an import with it says.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint64_t kFfma = 0x223;
constexpr std::uint64_t kImad = 0x224;
constexpr std::uint64_t kIadd = 0x210;
constexpr std::uint64_t kLoad = 0x981;
constexpr std::uint64_t kStore = 0x986;
constexpr std::uint64_t kBarrier = 0xb1d;
constexpr std::uint64_t kCall = 0x944;
constexpr std::uint64_t kBranch = 0x947;
constexpr std::uint64_t kExit = 0x94d;
constexpr std::uint64_t kAlways = 7;
const std::string kMachineCode = "sgemm.sm_86.cubin";

/// 16 bytes; under a predicate, but for kAlways.
std::string instruction(std::uint64_t opcode, std::uint64_t stall = 1, std::uint64_t predicate = kAlways,
                        std::uint64_t low = 0, std::uint64_t high = 0) {
  return bytes_of(opcode | predicate << 12 | low, 8) + bytes_of(high | stall << (105 - 64), 8);
}

/// A load or store; 6 stands for 16 bytes, 4 for 4.
std::string access(std::uint64_t opcode, std::uint64_t size) {
  return instruction(opcode, 1, kAlways, 0, size << (73 - 64));
}

/// As the architectures before 9.0 have it, and those from then on.
std::string branch(std::int64_t from, std::int64_t to, unsigned capability = 86) {
  const auto offset = static_cast<std::uint64_t>((to - from - 1) * 4);
  const std::uint64_t rest = capability >= 90 ? static_cast<std::uint64_t>((to - from - 1) * 4 >> 8) : offset;
  const std::uint64_t low_bits = capability >= 90 ? (offset & 0xff) << 16 : 0;
  return instruction(kBranch, 1, 0, low_bits | (rest & 0x3fff'ffff) << 34, rest >> 30 & 0x3'ffff);
}

MachineCode code_of(const std::string& bytes, unsigned capability = 86) {
  ReadBudget budget("code", bytes.size());
  return read_machine_code(ByteView(bytes, "code"), capability, budget);
}

std::uint64_t number_on(const MachineCounts& counts, MachinePipe pipe) {
  return counts.by_pipe[static_cast<std::size_t>(pipe)];
}

}  // namespace

TEST_CASE("instructions of machine code count on their pipes, and products of integers on that of fp32") {
  const MachineCode code = code_of(instruction(kFfma) + instruction(kImad) + instruction(kIadd) + access(kLoad, 4) +
                                   instruction(kBarrier) + instruction(0x918) + instruction(kExit));
  CHECK(number_on(code.counts, MachinePipe::fp32) == 2);
  CHECK(number_on(code.counts, MachinePipe::int32) == 1);
  CHECK(number_on(code.counts, MachinePipe::load_store) == 1);
  CHECK(number_on(code.counts, MachinePipe::other) == 2);
  CHECK(code.counts.instructions == 6);
  CHECK(code.counts.floats == 1);
  CHECK(code.counts.barriers == 1);
}

TEST_CASE("an instruction for a pair of halves counts once, and one for a pair of fp32 is a doubt") {
  const MachineCode code =
      code_of(instruction(0x231) + instruction(0x230) + instruction(0x235) + instruction(0x234) + instruction(kExit));
  CHECK(number_on(code.counts, MachinePipe::fp16) == 4);
  CHECK(code.counts.instructions == 5);
  CHECK(code.counts.doubts == 0);
  CHECK(number_on(code_of(instruction(0x235) + instruction(kExit), 120).counts, MachinePipe::int32) == 1);
  const MachineCode pair = code_of(instruction(0x249) + instruction(kExit), 100);
  CHECK(number_on(pair.counts, MachinePipe::fp32) == 1);
  CHECK(pair.counts.doubts == 1);
}

TEST_CASE("what follows the last EXIT of a kernel is not counted") {
  const MachineCode code =
      code_of(instruction(kExit) + branch(1, 1) + instruction(kFfma) + instruction(kFfma) + branch(4, 2));
  CHECK(code.counts.instructions == 1);
  CHECK(code.loops.empty());
}

TEST_CASE("accesses of machine code have the bytes that their instructions say") {
  const MachineCode code =
      code_of(access(kLoad, 6) + access(kLoad, 4) + access(kStore, 5) + access(0x388, 0) + access(0x984, 4) +
              instruction(0x38c) + instruction(0x9a8) + instruction(0x98e) + instruction(kExit));
  CHECK(code.counts.global_loaded == 20);
  CHECK(code.counts.global_stored == 8);
  CHECK(code.counts.shared_stored == 1);
  CHECK(code.counts.shared_loaded == 4);
  CHECK(code.counts.atomics == 3);
}

TEST_CASE("the cycles for which the compiler holds a warp back are added up, at least one for each instruction") {
  CHECK(code_of(instruction(kFfma, 4) + instruction(kFfma, 0) + instruction(kExit, 5)).counts.stalls == 10);
}

TEST_CASE("a warp waits for what it reads from shared memory, in a loop for what the iteration before has read") {
  constexpr std::uint64_t sets_second = 1ULL << (110 - 64) | 7ULL << (113 - 64);
  constexpr std::uint64_t awaits_second = 2ULL << (116 - 64);
  const std::string load = instruction(0x984, 2, kAlways, 0, sets_second);
  const std::string use = instruction(kFfma, 4, kAlways, 0, awaits_second);
  CHECK(code_of(load + use + instruction(kExit)).counts.stalls == 19 + 4 + 1);
  CHECK(code_of(load + instruction(kFfma, 15) + instruction(kFfma, 15) + use + instruction(kExit)).counts.stalls == 37);
  const MachineCode loop = code_of(use + load + branch(2, 0) + instruction(kExit));
  REQUIRE(loop.loops.size() == 1);
  CHECK(loop.loops.front().counts.stalls == 19 + 4);
  CHECK(loop.loops.front().counts.instructions == 3);
}

TEST_CASE("a loop of machine code lies between a branch and its target, whichever way the architecture writes it") {
  for (const unsigned capability : {75U, 86U, 90U, 120U}) {
    INFO(capability);
    const MachineCode code = code_of(
        instruction(kIadd) + instruction(kFfma) + instruction(kFfma) + branch(3, 1, capability) + instruction(kExit),
        capability);
    REQUIRE(code.loops.size() == 1);
    CHECK(code.loops.front().first == 1);
    CHECK(code.loops.front().last == 3);
    CHECK(code.loops.front().counts.floats == 2);
    CHECK(code.loops.front().counts.doubts == 0);
    CHECK(code.outside.instructions == 2);
  }
}

TEST_CASE("of nested loops of machine code only the innermost is one, and a branch to itself is none") {
  std::string text = instruction(kFfma) + instruction(kIadd) + branch(2, 1) + branch(3, 0) + branch(4, 4);
  const MachineCode code = code_of(text + instruction(kExit));
  REQUIRE(code.loops.size() == 1);
  CHECK(code.loops.front().first == 1);
  CHECK(code.loops.front().depth == 1);
  CHECK(code.outside.floats == 0);
}

TEST_CASE("a loop of machine code with two ways back is one loop up to the later one") {
  const MachineCode code =
      code_of(instruction(kFfma) + branch(1, 0) + instruction(kFfma) + branch(3, 0) + instruction(kExit));
  REQUIRE(code.loops.size() == 1);
  CHECK(code.loops.front().counts.floats == 2);
}

TEST_CASE("a loop of machine code with a branch within it, a call or a way to elsewhere is in doubt") {
  const auto doubts_of = [](const std::string& within) {
    const MachineCode code = code_of(within + instruction(kFfma) + branch(2, 0) + instruction(kFfma) +
                                     instruction(kExit) + instruction(kFfma));
    REQUIRE(code.loops.size() == 1);
    return code.loops.front().counts.doubts;
  };
  const auto call = [](std::int64_t to) {
    return instruction(kCall, 1, 0, static_cast<std::uint64_t>((to - 1) * 4) << 34);
  };
  CHECK(doubts_of(branch(0, 3)) == 0);
  CHECK(doubts_of(call(3)) == 0);
  CHECK(doubts_of(instruction(kExit, 1, 0)) == 0);
  CHECK(doubts_of(branch(0, 2)) == 1);
  CHECK(doubts_of(call(2)) == 1);
  CHECK(doubts_of(call(5)) == 1);
  CHECK(doubts_of(branch(0, 1'000)) == 1);
  CHECK(doubts_of(instruction(0x949)) == 1);
  CHECK(doubts_of(instruction(0x1ff)) == 1);
  CHECK(code_of(branch(0, 2) + instruction(kFfma) + instruction(kExit)).outside.doubts == 0);
}

TEST_CASE("opcodes that are in no table are counted and said") {
  const MachineCode code =
      code_of(instruction(0x1ff) + instruction(0x1ff) + branch(2, 1'000) + branch(3, -7) + instruction(kExit));
  CHECK(code.unknown == std::map<std::uint16_t, std::uint64_t>{{0x1ff, 2}});
  CHECK(code.loops.empty());
  CHECK(words_of(code) == "5 instructions: 5 other; opcodes that are not known: 0x1ff (2)");
}

TEST_CASE("machine code that is not whole instructions is refused with the offset of the rest") {
  CHECK_THROWS_WITH(code_of(instruction(kExit) + "rest"),
                    "code: error: at byte 16 (0x10): 4 bytes of machine code are left here; an instruction has 16");
  CHECK(code_of("").counts.instructions == 0);
}

TEST_CASE("a hundred thousand loops within each other take no longer than their instructions") {
  std::string text;
  constexpr std::int64_t loops = 100'000;
  for (std::int64_t i = 0; i < loops; ++i) text += instruction(kFfma);
  for (std::int64_t i = 0; i < loops; ++i) text += branch(loops + i, loops - 1 - i);
  CHECK(code_of(text + instruction(kExit)).loops.size() == 1);
}

TEST_CASE("the pipes of machine code begin with the devices' kinds") {
  CHECK(std::equal(kIssueKinds.begin(), kIssueKinds.end(), kMachinePipes.begin()));
}

TEST_CASE("machine code for 7.5 to 8.9 has no opcode that is not known, and clusters of 9.0 some that are said") {
  std::set<std::uint16_t> unknown;
  for (const std::string file : {"corpus.sm_75.cubin", "corpus.fatbin", "sgemm.sm_86.cubin"})
    for (const CompiledKernel& kernel : kernels_of(fixture(file))) {
      INFO(file << " " << kernel.symbol << " " << kernel.target);
      REQUIRE(kernel.code);
      CHECK(kernel.code->counts.instructions > 0);
      if (kernel.target <= "sm_89" && kernel.target >= "sm_75") CHECK(kernel.code->unknown.empty());
      if (kernel.target == "sm_90")
        for (const auto& [opcode, count] : kernel.code->unknown) unknown.insert(opcode);
    }
  CHECK(unknown == std::set<std::uint16_t>{0x2ca, 0x9c7, 0xdc7});
}

TEST_CASE("an import of a cubin says what its machine code is made of") {
  CHECK_THAT(gdsim_output({"import", fixture_path("sgemm.sm_86.cubin"), "--device", "rtx-a6000"}),
             Contains("# machine code, each instruction once: "));
}

TEST_CASE("with its cubin, a loop that ptxas has unrolled four times has the counts of a quarter of it") {
  const std::string text = gdsim_output(import_of_sgemm("coalesced", 32, 1024, kMachineCode));
  CHECK_THAT(text, Contains("# lines 185-206: counts are those of the machine code, 18.5 instructions for each "
                            "iteration, with at least 51 cycles from the first to the last one\n"));
  CHECK_THAT(text, Contains("                fp32: 8\n                int32: 2\n                load_store: 8\n"));
  std::vector<std::string> words = import_of_sgemm("coalesced", 32, 1024);
  CHECK_THAT(gdsim_output(words), Contains("                fp32: 4\n                int32: 16\n"));
}

TEST_CASE("what is in no loop has the counts of its machine code, too") {
  CHECK_THAT(gdsim_output(import_of_sgemm("tiled_1d", 32, 64, kMachineCode)),
             Contains("# outside of loops: counts are those of the machine code, 69 instructions, with at least 150 "
                      "cycles from the first to the last one\n") &&
                 Contains("- issue: {fp32: 8, int32: 30}  # lines 460-510\n"));
}

TEST_CASE("issue slots and accesses are bounds where the machine code is known, and about so where PTX alone is") {
  const std::string known = gdsim_output(import_of_sgemm("tiled_1d", 32, 64, kMachineCode));
  CHECK_THAT(known, Contains("# not below 0.001531 ms, 2755 cycles: load_store instructions\n") &&
                        Contains("# not below 0.0006919 ms, 1245 cycles: issue slots"));
  const std::string other = gdsim_output(import_of_sgemm("tiled_1d", 32, 64));
  CHECK_THAT(other, Contains("# ASSUMED: about 0.001531 ms, 2755 cycles: load_store instructions\n") &&
                        Contains("# ASSUMED: about 0.0006995 ms, 1259 cycles: issue slots") &&
                        !Contains("counts are those of"));
}

TEST_CASE("a loop of PTX to which no loop of the machine code is certain to belong keeps its counts, and says so") {
  const TemporaryFolder folder;
  std::string ptx = read_file(fixture_path("sgemm.ptx"));
  const std::size_t product = ptx.find("fma.rn.f32", ptx.find(".entry coalesced"));
  ptx.erase(product, ptx.find('\n', product) - product);
  std::vector<std::string> words = import_of_sgemm("coalesced", 32, 1024, kMachineCode);
  words[1] = folder.write("other.ptx", ptx);
  CHECK_THAT(gdsim_output(words),
             Contains("# counts are those of PTX in lines 185-206, for no loop of the machine code is certain to do "
                      "the same\n") &&
                 Contains("                fp32: 3\n                int32: 16\n") &&
                 Contains("# ASSUMED: about 0.0139 ms, 2.501e+04 cycles: load_store instructions\n"));
}
