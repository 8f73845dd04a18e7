#include <gdsim/import/nvidia/cubin.hpp>
#include <gdsim/import/ptx/kernel_profile.hpp>
#include "import/ptx/ptx_texts.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Which loop of the machine code is one of PTX, and what its instructions cost then. The machine code is made up.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// A loop of 16 iterations.
std::string loop_of(const std::string& label, const std::string& body) {
  return "mov.u32 %i, 0;\n$" + label + ":\n" + body + "add.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 16;\n@%q bra $" + label +
         ";\n";
}

const std::string kLoadLine = "ld.global.f32 %f, [%a];\n";
const std::string kAdd = "add.f32 %s, %s, %f;\n";
const std::string kSum = kLoadLine + kAdd;
const std::string kMultiply = "fma.rn.f32 %s, %f, %f, %s;\n";

/// Machine code that loads so many words from global memory and does so many sums of them, among other instructions.
MachineCounts summing(std::uint64_t loads, std::uint64_t sums, std::uint64_t others = 3) {
  MachineCounts counts;
  counts.global_loaded = 4 * loads;
  counts.floats = sums;
  counts.by_pipe[static_cast<std::size_t>(MachinePipe::fp32)] = sums;
  counts.by_pipe[static_cast<std::size_t>(MachinePipe::load_store)] = loads;
  counts.by_pipe[static_cast<std::size_t>(MachinePipe::other)] = others;
  counts.instructions = loads + sums + others;
  counts.stalls = 4 * counts.instructions;
  return counts;
}

MachineCode code_of(const std::vector<MachineCounts>& loops, const MachineCounts& outside = {},
                    std::uint32_t depth = 0) {
  MachineCode code;
  for (const MachineCounts& counts : loops) {
    const auto number = static_cast<std::uint32_t>(code.loops.size());
    code.loops.push_back({100 * number, 100 * number + 9, depth, counts});
  }
  code.outside = outside;
  return code;
}

/// A kernel of one warp whose counts are those of the machine code where it is certain.
struct WithMachineCode {
  Executed ptx;
  MachineCodeUse use;

  WithMachineCode(const std::string& body, const MachineCode& code, std::uint64_t n = 0) {
    PtxLaunch launch;
    launch.block = {32, 1, 1};
    launch.arguments[{1, 0}] = n;
    ptx = executed(
        ptx_of(".param .u64 p, .param .u32 n",
               ".shared .align 4 .b8 t[1024];\nld.param.u64 %a, [p];\nld.param.u32 %n, [n];\n" + body + "ret;\n"),
        launch);
    REQUIRE(ptx.unresolved.empty());
    use = use_machine_code(code, *ptx.log, *ptx.prepared);
  }

  /// The instructions of the blocks of this loop, each time.
  double instructions_in(std::uint32_t loop) const {
    double all = 0;
    for (const std::uint32_t block : ptx.prepared->flow.loops[loop].blocks)
      for (std::uint32_t i = ptx.prepared->flow.blocks[block].begin; i < ptx.prepared->flow.blocks[block].end; ++i) {
        const PreparedInstruction& instruction = ptx.prepared->instructions[i];
        for (const double cost : instruction.costs) all += cost * static_cast<double>(ptx.log->executions[block]);
        all += instruction.requests * static_cast<double>(ptx.log->accesses[i].requests);
      }
    return all / static_cast<double>(ptx.log->loops[loop].iterations);
  }

  bool is_replaced(std::uint32_t loop) const { return use.stalls.count(loop) > 0; }
};

}  // namespace

TEST_CASE("a loop has all instructions of its machine code, also of kinds that PTX lacks") {
  MachineCounts counts = summing(4, 4, 6);
  counts.by_pipe[static_cast<std::size_t>(MachinePipe::sfu)] = 5;
  counts.instructions += 5;
  counts.stalls += 20;
  const WithMachineCode all(loop_of("a", kSum), code_of({counts}));
  CHECK(all.instructions_in(0) == Approx(19.0 / 4));
  CHECK_THAT(all.use.notes.front(), Contains("counts are those of the machine code, 4.75 instructions for each"));
  CHECK(all.use.stalls.at(0) == Approx(19));  // of 76 cycles
}

TEST_CASE("a loop of the machine code that may be either of two loops of PTX is neither") {
  const std::string two = loop_of("a", kSum) + loop_of("b", kSum);
  for (const auto& loops : std::vector<std::vector<MachineCounts>>{
           {summing(8, 8)}, {summing(8, 8), summing(1, 1, 9)}, {summing(4, 4, 4), summing(4, 4, 8)}}) {
    INFO(loops.size());
    const WithMachineCode open(two, code_of(loops));
    CHECK_FALSE(open.is_replaced(0));
    CHECK_FALSE(open.is_replaced(1));
    CHECK_FALSE(open.use.is_complete);
    CHECK_THAT(open.use.notes.back(), Contains("for several loops of the machine code, or of PTX, are alike"));
  }
}

TEST_CASE("loops that do different things have each its own machine code") {
  const WithMachineCode both(loop_of("a", kSum) + loop_of("b", kLoadLine + kMultiply + kMultiply),
                             code_of({summing(4, 4), summing(2, 4)}));
  CHECK(both.instructions_in(0) == Approx(11.0 / 4));
  CHECK(both.instructions_in(1) == Approx(9.0 / 2));
}

TEST_CASE("a loop whose trips are no multiple of what the compiler has unrolled keeps its counts") {
  CHECK(WithMachineCode(loop_of("a", kSum), code_of({summing(16, 16)})).is_replaced(0));
  for (const std::uint64_t unrolled : {3U, 5U, 32U}) {
    const WithMachineCode rest(loop_of("a", kSum), code_of({summing(unrolled, unrolled)}));
    CHECK_FALSE(rest.is_replaced(0));
    CHECK_THAT(rest.use.notes.back(), Contains("for no loop of the machine code is certain to do the same"));
    // Some iterations are in the unrolled loop, some in that of the rest.
    CHECK_FALSE(
        WithMachineCode(loop_of("a", kSum), code_of({summing(unrolled, unrolled), summing(1, 1, 9)})).is_replaced(0));
  }
}

TEST_CASE("a loop that the compiler must not unroll is no loop of several iterations") {
  const std::string rest = ".pragma \"nounroll\";\n" + kSum;
  CHECK_FALSE(WithMachineCode(loop_of("a", rest), code_of({summing(4, 4)})).is_replaced(0));
  const WithMachineCode both(loop_of("a", kSum) + loop_of("b", rest), code_of({summing(4, 4), summing(1, 1, 9)}));
  CHECK(both.is_replaced(0));
  CHECK_FALSE(both.is_replaced(1));  // it may be what is left of the other one
}

TEST_CASE("a loop with doubts and one in other loops than that of PTX are not meant") {
  MachineCounts doubtful = summing(8, 8);
  doubtful.doubts = 1;
  CHECK_FALSE(WithMachineCode(loop_of("a", kSum), code_of({doubtful})).is_replaced(0));
  CHECK_FALSE(WithMachineCode(loop_of("a", kSum), code_of({summing(8, 8)}, {}, 1)).is_replaced(0));
}

TEST_CASE("of an unrolled loop and its rest the unrolled one is meant, and two versions of it leave it open") {
  CHECK(WithMachineCode(loop_of("a", kSum), code_of({summing(1, 1, 9), summing(8, 8)})).instructions_in(0) ==
        Approx(19.0 / 8));
  CHECK_FALSE(WithMachineCode(loop_of("a", kSum), code_of({summing(8, 8), summing(8, 8, 9)})).is_replaced(0));
}

TEST_CASE("a loop that this launch does not execute may be the one that the machine code has") {
  const std::string other = "setp.eq.u32 %p, %n, 0;\n@%p bra $skip;\n" + loop_of("b", kSum) + "$skip:\n";
  CHECK_FALSE(WithMachineCode(loop_of("a", kSum) + other, code_of({summing(8, 8)})).is_replaced(0));
  CHECK(WithMachineCode(loop_of("a", kSum), code_of({summing(8, 8)})).is_replaced(0));
}

TEST_CASE("loads from shared memory and atomic accesses tell loops apart") {
  const std::string shared = "ld.shared.f32 %g, [t];\nadd.f32 %s, %s, %g;\n";
  MachineCounts counts = summing(4, 4);
  const std::string both = loop_of("a", kLoadLine + shared);
  CHECK_FALSE(WithMachineCode(both, code_of({counts})).is_replaced(0));
  counts.shared_loaded = 16;
  CHECK(WithMachineCode(both, code_of({counts})).is_replaced(0));
  const std::string adds = loop_of("a", kSum + "red.global.add.u32 [%a], 1;\n");
  MachineCounts atomic = summing(4, 4);
  CHECK_FALSE(WithMachineCode(adds, code_of({atomic})).is_replaced(0));
  atomic.atomics = 4;
  CHECK(WithMachineCode(adds, code_of({atomic})).is_replaced(0));
}

TEST_CASE("an outer loop is meant where its inner one is unrolled as a whole, and the inner one where it is not") {
  const std::string inner =
      "mov.u32 %j, 0;\n$in:\n" + kSum + "add.u32 %j, %j, 1;\nsetp.lt.u32 %p, %j, 4;\n@%p bra $in;\n";
  const WithMachineCode whole(loop_of("a", inner + kMultiply), code_of({summing(4, 5)}));
  CHECK(whole.instructions_in(0) == Approx(12));
  CHECK(whole.use.stalls.at(1) == 0);
  const WithMachineCode part(loop_of("a", inner + kMultiply), code_of({summing(2, 2)}, {}, 1));
  CHECK_FALSE(part.is_replaced(0));
  CHECK(part.instructions_in(1) == Approx(7.0 / 2));
}

TEST_CASE("counts are complete if those outside of loops are those of the machine code, too") {
  const MachineCounts outside = summing(1, 0, 5);
  const std::string before = kLoadLine + "add.u32 %n, %n, 1;\n";
  const WithMachineCode all(before + loop_of("a", kSum), code_of({summing(4, 4)}, outside));
  CHECK(all.use.is_complete);
  const WithMachineCode loops(before + loop_of("a", kSum), code_of({summing(4, 4)}, summing(2, 0)));
  CHECK(loops.is_replaced(0));
  CHECK_FALSE(loops.use.is_complete);
  CHECK_THAT(loops.use.notes.back(), Contains("counts are those of PTX outside of loops"));
  // A second loop may have become a part of what is outside.
  const WithMachineCode gone(before + loop_of("a", kSum) + loop_of("b", ""), code_of({summing(4, 4)}, outside));
  CHECK(gone.is_replaced(0));
  CHECK(gone.use.stalls.count(std::nullopt) == 0);
}

TEST_CASE("a kernel without loops has the counts of its machine code, unless branches skip some of it") {
  const std::string plain = kSum + "mul.f32 %s, %s, %s;\n";
  CHECK(WithMachineCode(plain, code_of({}, summing(1, 2))).use.is_complete);
  const WithMachineCode other(plain, code_of({}, summing(1, 3)));
  CHECK_FALSE(other.use.is_complete);
  CHECK(other.use.stalls.empty());
  CHECK_THAT(other.use.notes.front(), Contains("counts are those of PTX outside of loops"));
  const std::string skipped = "setp.eq.u32 %p, %n, 0;\n@%p bra $skip;\nadd.u32 %i, %i, 1;\n$skip:\n";
  CHECK_FALSE(WithMachineCode(skipped + plain, code_of({}, summing(1, 2))).use.is_complete);
  CHECK(WithMachineCode(skipped + plain, code_of({}, summing(1, 2)), 1).use.is_complete);
}

TEST_CASE("machine code without a place among the instructions of PTX is not used") {
  CHECK_FALSE(WithMachineCode(kLoadLine, code_of({}, summing(1, 0))).use.is_complete);
}

TEST_CASE("machine code for pairs of halves has the count of the PTX that it is, and two single halves are a pair") {
  const std::string pair = "fma.rn.f16x2 %h, %h, %h, %h;\n";
  const auto halves_of = [](const WithMachineCode& counted) {
    double halves = 0;
    for (const PreparedInstruction& instruction : counted.ptx.prepared->instructions)
      halves += instruction.costs[kFp16Index];
    return halves;
  };
  MachineCounts counts = summing(4, 0);
  counts.by_pipe[static_cast<std::size_t>(MachinePipe::fp16)] = 4;
  const WithMachineCode known(loop_of("a", kLoadLine + pair), code_of({counts}));
  CHECK(known.is_replaced(0));
  CHECK(halves_of(known) == 1);
  CHECK(halves_of(WithMachineCode(loop_of("a", kLoadLine + pair), {})) == 1);
  CHECK(halves_of(WithMachineCode(loop_of("a", kLoadLine + "add.f16 %h, %h, %h;\nmul.f16 %k, %g, %h;\n"), {})) == 1);
}
