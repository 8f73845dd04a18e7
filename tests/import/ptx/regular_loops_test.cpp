#include "import/ptx/ptx_texts.hpp"
#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/warp_run.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <vector>

// Iterations of regular loops are skipped: counts are those of all of them, and the work is that of a few.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Counted {
  std::uint64_t iterations = 0;
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t whole = 0;  ///< of `sectors`: written completely
  std::uint64_t instructions = 0;
  std::uint64_t steps = 0;  ///< of the budget: what was executed

  bool operator==(const Counted& other) const {
    return iterations == other.iterations && requests == other.requests && sectors == other.sectors &&
           whole == other.whole && instructions == other.instructions;
  }
};

/// Of a kernel with a loop, executed with or without skipping.
Counted counted(const std::string& body, std::uint64_t n, bool skips) {
  const SourceText source(
      "k.ptx", ptx_of(".param .u64 p, .param .u32 n",
                      "ld.param.u64 %rd0, [p];\nld.param.u32 %n, [n];\nmov.u32 %t, %tid.x;\n" + body + "ret;\n"));
  const PtxKernel kernel = read_ptx(source).kernels.at(0);
  PtxLaunch launch;
  launch.block = {64, 1, 1};
  launch.arguments[{1, 0}] = n;
  const PreparedKernel prepared = prepare(kernel, launch);
  BlockLog log(prepared, widths_in_ptx(prepared), 0, 100'000'000);
  log.keeps_warps = skips;
  UnresolvedInputs unresolved(prepared, launch, source);
  run_group(prepared, launch, {0, 0, 0}, log, unresolved);
  CHECK(unresolved.empty());
  Counted result;
  result.instructions = log.instructions;
  result.steps = prepared.budget->used(ReadCost::steps);
  for (const LoopCounts& loop : log.loops) result.iterations += loop.iterations;
  for (const AccessCounts& access : log.accesses) {
    result.requests += access.requests;
    result.sectors += access.sectors;
    result.whole += access.whole;
  }
  return result;
}

void check_skips(const std::string& body) {
  for (const std::uint64_t n : std::vector<std::uint64_t>{1, 31, 64, 65, 66, 97, 98, 99, 129, 1000, 1023, 1024, 4099}) {
    INFO(body << n);
    CHECK(counted(body, n, true) == counted(body, n, false));
  }
  CHECK(counted(body, 4096, true).steps < counted(body, 4096, false).steps / 20);
}

}  // namespace

TEST_CASE("a loop that counts up, down, by steps, or until it meets its end is counted without executing all of it") {
  const std::string address = "mul.wide.u32 %rd1, %i, 4;\nadd.s64 %rd2, %rd0, %rd1;\nld.global.f32 %f, [%rd2];\n";
  check_skips("mov.u32 %i, 0;\n$l:\n" + address + "add.s32 %i, %i, 1;\nsetp.lt.s32 %p, %i, %n;\n@%p bra $l;\n");
  check_skips("mov.u32 %i, %n;\n$l:\n" + address + "add.s32 %i, %i, -1;\nsetp.gt.s32 %p, %i, 0;\n@%p bra $l;\n");
  check_skips("mov.u32 %i, 0;\n$l:\n" + address + "add.s32 %i, %i, 1;\nsetp.ne.s32 %p, %i, %n;\n@%p bra $l;\n");
  check_skips("mov.u32 %i, 0;\n$l:\nsetp.ge.u32 %p, %i, %n;\n@%p bra $out;\n" + address +
              "add.s32 %i, %i, 1;\nbra.uni $l;\n$out:\n");
}

TEST_CASE("a pointer that a loop moves, and a counter that it copies, are skipped with it") {
  check_skips(
      "mul.wide.u32 %rd1, %t, 4;\nadd.s64 %rd2, %rd0, %rd1;\nmov.u32 %i, 0;\n$l:\nld.global.f32 %f, [%rd2];\n"
      "add.s64 %rd2, %rd2, 256;\nadd.s32 %j, %i, 1;\nmov.u32 %i, %j;\nsetp.lt.s32 %p, %j, %n;\n@%p bra $l;\n");
}

TEST_CASE("stores before a loop are credited with the sectors that its skipped iterations complete") {
  const auto halves = [](const std::string& name, const std::string& first) {
    return "mov.u32 %" + name + ", 0;\n$" + name + ":\nmul.wide.u32 %rd1, %" + name +
           ", 32;\nadd.s64 %rd2, %rd0, %rd1;\nst.global.v4.f32 [%rd2+" + first + "], {%f, %f, %f, %f};\nadd.s32 %" +
           name + ", %" + name + ", 1;\nsetp.lt.s32 %p, %" + name + ", %n;\n@%p bra $" + name + ";\n";
  };
  const std::string body = halves("i", "0") + halves("j", "16");
  const Counted skipped = counted(body, 1000, true);
  CHECK(skipped.whole == 2 * 2 * 1000);  // of two warps, by both stores
  CHECK(skipped == counted(body, 1000, false));
  CHECK(skipped.steps < counted(body, 1000, false).steps / 4);
}

TEST_CASE("a loop that looks at what changes otherwise is executed whole") {
  const std::string begin = "mov.u32 %i, 0;\n$l:\nadd.s32 %i, %i, 1;\n";
  const std::string end = "setp.lt.s32 %p, %i, %n;\n@%p bra $l;\n";
  for (const std::string odd :
       {"and.b32 %a, %i, 64;\nmul.wide.u32 %rd1, %a, 4;\nadd.s64 %rd2, %rd0, %rd1;\nld.global.f32 %f, [%rd2];\n",
        "setp.eq.s32 %q, %i, 500;\n@%q st.global.f32 [%rd0], %f;\n",
        "setp.ne.s32 %q, %i, 500;\n@%q bra $next;\nst.global.f32 [%rd0], %f;\n$next:\n"}) {
    INFO(odd);
    CHECK(counted(begin + odd + end, 1000, true) == counted(begin + odd + end, 1000, false));
    CHECK(counted(begin + odd + end, 1000, true).steps == counted(begin + odd + end, 1000, false).steps);
  }
}
