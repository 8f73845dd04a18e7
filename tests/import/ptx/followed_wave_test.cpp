#include <gdsim/import/ptx/access_shape.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/warp_run.hpp>
#include "import/binaries.hpp"
#include "import/ptx/ptx_texts.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <string>
#include <vector>

// Of work-groups whose addresses differ by slopes, a few are executed: what all load is that of executing each.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

struct Wave {
  std::uint64_t loaded = 0;
  std::uint64_t distinct = 0;
  std::uint64_t gathered = 0;
  std::uint64_t executed = 0;
};

Wave wave_of(const SourceText& source, const PtxKernel& kernel, const PtxLaunch& launch, WaveExecution execution,
             std::uint64_t first, std::uint64_t groups) {
  const PreparedKernel prepared = prepare(kernel, launch);
  constexpr std::size_t l1_sectors = 40;
  BlockLog log(prepared, widths_in_ptx(prepared), l1_sectors, 100'000'000, Followed::global);
  log.keeps_sectors = true;
  UnresolvedInputs unresolved(prepared, launch, source);
  Wave wave;
  constexpr std::uint64_t max_instructions = 2'000;
  wave.executed = follow_groups(prepared, launch, first, groups, max_instructions, execution, log, unresolved);
  wave.loaded = log.loaded_from_l2.count;
  wave.distinct = log.loaded_from_l2.distinct.size();
  wave.gathered = log.gathered_loads;
  return wave;
}

/// Checks that both ways count the same. Returns how many work-groups need to be executed.
std::uint64_t executed_of(const SourceText& source, const PtxKernel& kernel, const PtxLaunch& launch,
                          std::uint64_t first, std::uint64_t groups) {
  const Wave all = wave_of(source, kernel, launch, WaveExecution::all, first, groups);
  const Wave few = wave_of(source, kernel, launch, WaveExecution::representative, first, groups);
  CHECK(all.executed == groups);
  CHECK(few.loaded == all.loaded);
  CHECK(few.distinct == all.distinct);
  CHECK(few.gathered == all.gathered);
  return few.executed;
}

/// Loads what %r0 numbers, in elements of 4 bytes; %n is an argument with the value 1,000.
std::string loading(const std::string& body) {
  return ptx_of(
      ".param .u64 p, .param .u64 q, .param .u32 n",
      "ld.param.u64 %rd0, [p];\nld.param.u64 %rd4, [q];\nld.param.u32 %n, [n];\nmov.u32 %r1, %ctaid.x;\n"
      "mov.u32 %r2, %ctaid.y;\nmov.u32 %r3, %tid.x;\nmov.u32 %r4, %ntid.x;\n" +
          body + "\nmul.wide.s32 %rd1, %r0, 4;\nadd.s64 %rd2, %rd0, %rd1;\nld.global.u32 %r8, [%rd2];\nL_end:\nret;\n");
}

PtxLaunch launch_of(std::uint64_t x, std::uint64_t y, std::uint64_t items) {
  PtxLaunch launch;
  launch.grid = {x, y, 1};
  launch.block = {items, 1, 1};
  launch.arguments[{2, 0}] = 1'000;
  return launch;
}

std::uint64_t executed_of(const std::string& text, const PtxLaunch& launch, std::uint64_t first, std::uint64_t groups) {
  return executed_of(SourceText("k.ptx", text), ptx_kernel(text), launch, first, groups);
}

std::uint64_t executed_of(const std::string& body) { return executed_of(loading(body), launch_of(20, 5, 64), 7, 60); }

}  // namespace

TEST_CASE("one work-group of many with addresses of one slope is executed") {
  CHECK(executed_of("mad.lo.s32 %r0, %r1, %r4, %r3;") == 1);
  CHECK(executed_of("mul.lo.s32 %r5, %r2, %n;\nmad.lo.s32 %r0, %r1, 64, %r5;\nadd.s32 %r0, %r0, %r3;") == 1);
  CHECK(executed_of("shl.b32 %r5, %r1, 6;\nor.b32 %r0, %r5, %r3;") == 1);
  CHECK(executed_of("mov.u32 %r0, %r3;") == 1);
  CHECK(executed_of("bfi.b32 %r0, %r1, %r3, 6, 26;") == 1);
  CHECK(executed_of("shl.b32 %r5, %r1, 6;\nshr.u32 %r6, %r5, 3;\nadd.s32 %r0, %r6, %r3;") == 1);
  CHECK(executed_of("shl.b32 %r5, %r1, 6;\nadd.s32 %r5, %r5, %r3;\ndiv.s32 %r0, %r5, 4;") <= 2);
}

TEST_CASE("work-groups that a guard stops in part, or begin within a sector, are executed apart") {
  CHECK(executed_of("mad.lo.s32 %r0, %r1, %r4, %r3;\nsetp.ge.s32 %p, %r0, %n;\n@%p bra L_end;") == 3);
  CHECK(executed_of("mad.lo.s32 %r0, %r1, 2, %r3;") == 4);
  CHECK(executed_of("sub.s32 %r0, %r3, %r1;\nadd.s32 %r0, %r0, 2000;") == 8);
}

TEST_CASE("work-groups whose addresses have no slope are executed") {
  CHECK(executed_of("and.b32 %r5, %r1, 3;\nshl.b32 %r5, %r5, 7;\nadd.s32 %r0, %r5, %r3;") == 20);
  CHECK(executed_of("mul.lo.s32 %r0, %r1, %r3;") == 60);
  CHECK(executed_of("shl.b32 %r5, %r1, 6;\nmin.s32 %r0, %r5, 300;") == 60);
}

TEST_CASE("two slopes through one pointer hold as far as their sectors move together") {
  const std::string second = "shl.b32 %r0, %r2, 6;\nadd.s32 %r0, %r0, %r3;";
  const std::string first =
      "mad.lo.s32 %r5, %r1, 64, %r3;\nmul.wide.s32 %rd3, %r5, 4;\nadd.s64 %rd3, %rd0, %rd3;\nld.global.u32 %r8, "
      "[%rd3];\n";
  CHECK(executed_of(first + second) > 5);
  std::string other = first;
  other.replace(other.find("%rd0"), 4, "%rd4");
  CHECK(executed_of(other + second) == 1);
}

TEST_CASE("a number that leaves its type along the grid is not followed across") {
  CHECK(executed_of("shl.b32 %r0, %r1, 28;") >= 3);
  CHECK(executed_of("mul.lo.s32 %r5, %r1, 268435456;\nshr.u32 %r0, %r5, 20;") == 2);
}

TEST_CASE("random kernels load the same whether all work-groups are executed or a few", "[figures]") {
  const std::vector<std::string> operations{
      "add.s32 %{0}, %{1}, %{2};",
      "sub.s32 %{0}, %{1}, %{2};",
      "shl.b32 %{0}, %{1}, {3};",
      "shr.u32 %{0}, %{1}, {3};",
      "shr.s32 %{0}, %{1}, {3};",
      "mul.lo.s32 %{0}, %{1}, {3};",
      "mad.lo.s32 %{0}, %{1}, {3}, %{2};",
      "or.b32 %{0}, %{1}, %{2};",
      "xor.b32 %{0}, %{1}, {3};",
      "and.b32 %{0}, %{1}, -{4};",
      "and.b32 %{0}, %{1}, {3};",
      "div.u32 %{0}, %{1}, {4};",
      "rem.s32 %{0}, %{1}, {4};",
      "neg.s32 %{0}, %{1};",
      "not.b32 %{0}, %{1};",
      "mul.lo.s32 %{0}, %{1}, {4};",
      "shl.b32 %{0}, %{1}, 7;",
      "bfi.b32 %{0}, %{1}, %{2}, 5, 27;",
      "setp.ge.u32 %p, %{1}, {5};\n@%p bra L_end;",
      "setp.eq.s32 %p, %{1}, {5};\n@%p bra L_end;",
      "cvt.s64.s32 %rd5, %{1};\nshr.s64 %rd5, %rd5, {3};\ncvt.u32.u64 %{0}, %rd5;",
      "cvt.u64.u32 %rd5, %{1};\nshr.u64 %rd5, %rd5, {3};\ncvt.u32.u64 %{0}, %rd5;",
      "setp.gt.s32 %p, %{1}, {5};\nselp.b32 %{0}, %{1}, %{1}, %p;"};
  std::mt19937 numbers(68);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(numbers() % limit); };
  std::uint64_t executed = 0;
  constexpr std::uint64_t kernels = 1'500;
  constexpr std::uint64_t groups = 40;
  for (std::uint64_t i = 0; i < kernels; ++i) {
    std::string body;
    const std::uint32_t count = 1 + below(7);
    for (std::uint32_t k = 0; k < count; ++k) {
      const auto source = [&] { return fmt::format("r{}", below(2) == 0 ? 1 + below(4) : 10 + below(k + 1) - 1); };
      const std::string a = k == 0 ? "r1" : source();
      const std::string b = source();
      const std::string& operation = operations[below(static_cast<std::uint32_t>(operations.size()))];
      body += fmt::format(fmt::runtime(operation), fmt::format("r{}", 10 + k), a, b, below(7), 1U << below(8),
                          below(3000)) +
              "\n";
    }
    body = "mov.u32 %r9, 3;\n" + body + fmt::format("add.s32 %r0, %r{}, %r3;\n", 9 + count);
    if (below(2) == 0) body += "shl.b32 %r0, %r0, 3;\n";
    if (below(4) == 0) body += "and.b32 %r0, %r0, 65535;\n";
    INFO(body);
    executed += executed_of(loading(body), launch_of(1 + below(40), 3, 1 + below(70)), 0, 3);
    const PtxLaunch launch = launch_of(20, 5, 40);
    executed += executed_of(loading(body), launch, below(60), groups);
  }
  CHECK(executed < kernels * groups * 3 / 4);
}

TEST_CASE("a few work-groups of the matrix products among the fixtures are executed") {
  const SourceText source("sgemm.ptx", fixture("sgemm.ptx"));
  PtxLaunch launch;
  launch.grid = {16, 16, 1};
  launch.block = {16, 16, 1};
  for (std::uint32_t argument = 0; argument < 3; ++argument) launch.arguments[{argument, 0}] = 1'024;
  for (const PtxKernel& kernel : read_ptx(source).kernels) {
    INFO(kernel.symbol);
    launch.block = kernel.symbol == "naive" || kernel.symbol == "tiled" ? std::array<std::uint64_t, 3>{16, 16, 1}
                                                                        : std::array<std::uint64_t, 3>{256, 1, 1};
    CHECK(executed_of(source, kernel, launch, 10, 100) <= 4);
  }
}
