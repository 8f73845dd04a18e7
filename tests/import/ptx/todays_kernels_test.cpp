#include "import/ptx/ptx_texts.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>

// Copies to shared memory, matrix instructions, barriers of some warps, local memory, gathers: what steps they become.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// The scenario of kernel `k` with a pointer, and what `check` and `run` say of it.
std::string imported_kernel(const std::string& body, const std::string& device = "rtx-a6000",
                            std::vector<std::string> more = {"--grid", "84"}) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("k.ptx", ptx_of(".param .u64 p", "ld.param.u64 %rd0, [p];\n" + body + "ret;\n"));
  std::vector<std::string> words{"import", file, "--program", "--device", device, "--block", "128"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  CHECK(ran.status == 0);
  const Ran checked = run_gdsim({"check", folder.write("k.yaml", ran.out)});
  INFO(ran.out << checked.out << checked.err);
  CHECK(checked.status == 0);
  return ran.out;
}

double duration_ns(const std::string& scenario) {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"run", folder.write("k.yaml", scenario), "--print", "summary"});
  std::smatch match;
  REQUIRE(std::regex_search(ran.out, match, std::regex("\"duration_ns\": ([0-9.]+)")));
  return std::stod(match[1]);
}

const std::string kItemOf16 = "mov.u32 %t, %tid.x;\nmul.wide.u32 %rd1, %t, 16;\nadd.s64 %rd2, %rd0, %rd1;\n";
const std::string kSharedArray =
    ".shared .align 128 .b8 s[16384];\nmov.u32 %s, s;\nshl.b32 %s4, %t, 4;\nadd.s32 %s5, %s, %s4;\n";
const std::string kLoopBegin = "mov.u32 %i, 0;\n$loop:\nadd.s32 %i, %i, 1;\n";
const std::string kAgain = "setp.lt.s32 %again, %i, 16;\n@%again bra $loop;\n";

}  // namespace

TEST_CASE("a group of copies to shared memory is an asynchronous load, and a wait leaves as many groups as it says") {
  const std::string text = imported_kernel(kItemOf16 + kSharedArray + kLoopBegin +
                                           "cp.async.cg.shared.global [%s5], [%rd2], 16;\n"
                                           "cp.async.cg.shared.global [%s5+2048], [%rd2+2048], 16;\n"
                                           "cp.async.commit_group;\ncp.async.wait_group 1;\nbar.sync 0;\n"
                                           "ld.shared.f32 %f, [%s5];\n" +
                                           kAgain);
  CHECK_THAT(text, Contains("- memory: {bytes: 1024 B, asynchronous: true}  # copies to shared memory\n"));
  CHECK_THAT(text, Contains("- wait_memory: {outstanding: 1}"));
  CHECK_THAT(text, Contains("    program:\n") && !Contains("NO PROGRAM"));
}

TEST_CASE("copies that are waited for at once take longer than those of which one group stays outstanding") {
  const auto with_wait = [](const std::string& wait) {
    return duration_ns(imported_kernel(kItemOf16 + kSharedArray + kLoopBegin +
                                       "cp.async.cg.shared.global [%s5], [%rd2], 16;\ncp.async.commit_group;\n" + wait +
                                       "\nbar.sync 0;\n" + kAgain));
  };
  CHECK(with_wait("cp.async.wait_group 2;") < 0.8 * with_wait("cp.async.wait_all;"));
}

TEST_CASE("matrix instructions are multiply-adds of their kind, and rows for them are loaded without conflicts") {
  const std::string text = imported_kernel(
      kItemOf16 + kSharedArray +
      "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%s5];\n"
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
      "{%f1, %f2, %f3, %f4};\nst.global.f32 [%rd2], %f1;\n");
  CHECK_THAT(text, Contains("tensor_bf16: 2048\n"));
  CHECK_THAT(text, Contains("instruction: ldmatrix.sync.aligned.m8n8.x4.shared.b16, lines: 4}"));
}

TEST_CASE("rows of a matrix that lie in the same banks are loaded one after the other") {
  const std::string text = imported_kernel(kItemOf16 +
                                           ".shared .align 128 .b8 s[16384];\nmov.u32 %s, s;\nand.b32 %l, %t, 31;\n"
                                           "mad.lo.u32 %s5, %l, 128, %s;\n"
                                           "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%s5];\n"
                                           "st.global.f32 [%rd2], %f1;\n");
  CHECK_THAT(text, Contains("instruction: ldmatrix.sync.aligned.m8n8.x4.shared.b16, lines: 32, coalesced: 4}"));
}

TEST_CASE("a bulk copy of one lane has the bytes that its barrier expects, and the warps wait for it") {
  const std::string text = imported_kernel(
      kItemOf16 + kSharedArray +
          "setp.ne.u32 %p, %t, 0;\n@%p bra $wait;\n"
          "mbarrier.arrive.expect_tx.shared.b64 %rd9, [%s], 8192;\n"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+128], [%rd0], 8192, [%s];\n"
          "$wait:\nmbarrier.try_wait.parity.shared.b64 %q, [%s], 0;\n@!%q bra $wait;\n"
          "ld.shared.f32 %f, [%s5];\nst.global.f32 [%rd2], %f;\n",
      "h100-sxm", {"--grid", "132"});
  CHECK_THAT(text, Contains("- memory: {bytes: 8192 B, asynchronous: true}"));
  CHECK_THAT(text, Contains("- wait_memory: {outstanding: 0}"));
  CHECK_THAT(text, Contains("- barrier: mbarrier"));
  CHECK_THAT(text, !Contains("NO PROGRAM"));
}

TEST_CASE("an atomic access of one lane takes its address as long as one access") {
  const auto text = [](const std::string& guard) {
    return imported_kernel(kItemOf16 + guard + "red.global.add.u32 [%rd0], 1;\n$out:\n");
  };
  CHECK_THAT(text("setp.ne.u32 %p, %t, 0;\n@%p bra $out;\n"),
             Contains("- atomic: {accesses: 1, addresses: 32, space: global}"));
  CHECK_THAT(text("and.b32 %l, %t, 31;\nsetp.ge.u32 %p, %l, 8;\n@%p bra $out;\n"),
             Contains("- atomic: {accesses: 1, addresses: 4, space: global}"));
}

TEST_CASE("warps that wait at a barrier of their own have a program of their own") {
  const std::string text = imported_kernel(kItemOf16 +
                                           "setp.ge.u32 %p, %t, 64;\n@%p bra $rest;\n"
                                           "ld.global.f32 %f, [%rd2];\nbar.sync 1, 64;\nbra.uni $out;\n"
                                           "$rest:\nadd.f32 %g, %g, %g;\n$out:\nst.global.f32 [%rd2], %f;\n");
  CHECK_THAT(text, Contains("- only:\n          threads: 0-1\n") && Contains("- barrier: bar1") &&
                       Contains("- only:\n          threads: 2-3\n") && !Contains("NO PROGRAM"));
}

TEST_CASE("a barrier that stands in both branches is one barrier") {
  const std::string text =
      imported_kernel(kItemOf16 +
                      "setp.ge.u32 %p, %t, 64;\n@%p bra $rest;\n"
                      "ld.global.f32 %f, [%rd2];\nbar.sync 0;\nbra.uni $out;\n"
                      "$rest:\nadd.f32 %g, %g, %g;\nbar.sync 0;\n$out:\nst.global.f32 [%rd2], %f;\n");
  CHECK_THAT(text, Contains("            - barrier  # line") && !Contains("NO PROGRAM"));
}

TEST_CASE("an arrival without waiting is a signal of its barrier") {
  const std::string text = imported_kernel(kItemOf16 +
                                           "setp.ge.u32 %p, %t, 64;\n@%p bra $rest;\n"
                                           "ld.global.f32 %f, [%rd2];\nbar.arrive 1, 128;\nbra.uni $out;\n"
                                           "$rest:\nbar.sync 1, 128;\n$out:\nst.global.f32 [%rd2], %f;\n");
  CHECK_THAT(text, Contains("- signal: bar1") && Contains("- barrier: bar1") && !Contains("NO PROGRAM"));
}

TEST_CASE("warps that arrive at one barrier for ever unequally leave no program") {
  CHECK_THAT(imported_kernel(kItemOf16 + "setp.ge.u32 %p, %t, 64;\n@%p bra $rest;\nbar.sync 0;\n$rest:\nbar.sync 0;\n"),
             Contains("is a barrier at which some warps arrive 1 times, others 2 times"));
}

TEST_CASE("a loop whose inner iterations differ and wait at a barrier is one loop with all of them") {
  const std::string text = imported_kernel(
      "mov.u32 %i, 0;\n$outer:\nadd.s32 %i, %i, 1;\nmov.u32 %j, 0;\n$inner:\nadd.s32 %j, %j, 1;\nbar.sync 0;\n"
      "setp.lt.s32 %p, %j, %i;\n@%p bra $inner;\nsetp.lt.s32 %q, %i, 4;\n@%q bra $outer;\n");
  CHECK_THAT(text, Contains("count: 10\n") && Contains("ASSUMED: the loops of lines 8 and 11 are one"));
}

TEST_CASE("a loop with a barrier in some iterations is one of those with it, and one of those without") {
  const std::string text =
      imported_kernel(kItemOf16 + kLoopBegin + "add.f32 %f1, %f1, %f2;\nsetp.eq.s32 %last, %i, 16;\n" +
                      "@%last bra $end;\nld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd2];\nbar.sync 0;\n$end:\n" +
                      "add.s64 %rd2, %rd2, 2048;\n" + kAgain);
  const std::size_t others = text.find("count: 1\n");
  REQUIRE(others != std::string::npos);
  CHECK_THAT(text.substr(0, others), Contains("count: 15\n") && Contains("memory: 512 B") && Contains("- barrier"));
  CHECK_THAT(text.substr(others), !Contains("memory: ") && !Contains("- barrier") && Contains("fp32: 1,"));
  CHECK_THAT(text, Contains("ASSUMED: of 16 iterations of the loop of line 11, the 15 with the barrier of line 16"));
}

TEST_CASE("a loop with a barrier that only some warps enter is one of these warps") {
  const std::string text =
      imported_kernel(kItemOf16 + "setp.ge.u32 %w, %t, 64;\n@%w bra $out;\n" + kLoopBegin +
                      "add.f32 %f1, %f1, %f2;\nbar.sync 1, 64;\n" + kAgain + "$out:\nst.global.f32 [%rd2], %f1;\n");
  CHECK_THAT(text, Contains("threads: 0-1\n") && Contains("count: 16\n") && !Contains("count: 0\n"));
}

TEST_CASE("a loop within the iterations that have a barrier stays within these") {
  const std::string text = imported_kernel(kItemOf16 + kLoopBegin +
                                           "add.f32 %f1, %f1, %f2;\nsetp.gt.s32 %rest, %i, 15;\n@%rest bra $end;\n" +
                                           "bar.sync 0;\nmov.u32 %j, 0;\n$inner:\nadd.s32 %j, %j, 1;\nbar.sync 0;\n" +
                                           "setp.lt.s32 %more, %j, 4;\n@%more bra $inner;\n$end:\n" + kAgain);
  const std::size_t others = text.find("count: 1\n");
  REQUIRE(others != std::string::npos);
  CHECK_THAT(text.substr(0, others), Contains("count: 15\n") && Contains("count: 4\n"));
  CHECK_THAT(text.substr(others), !Contains("- barrier"));
}

TEST_CASE("of two branches that are taken equally often, each is in the iterations that take it") {
  const std::string text = imported_kernel(
      kItemOf16 + kLoopBegin + "and.b32 %odd, %i, 1;\nsetp.eq.s32 %p1, %odd, 0;\n@%p1 bra $else;\nbar.sync 0;\n" +
      "bra $end;\n$else:\nld.global.v4.f32 {%f2, %f3, %f4, %f5}, [%rd2];\n$end:\nadd.s64 %rd2, %rd2, 2048;\n" + kAgain);
  const std::size_t others = text.rfind("count: 8\n");
  REQUIRE(others != text.find("count: 8\n"));
  CHECK_THAT(text.substr(0, others), Contains("- barrier") && !Contains("memory: "));
  CHECK_THAT(text.substr(others), Contains("memory: ") && !Contains("- barrier"));
}

TEST_CASE("what a loop with a barrier in some iterations adds atomically is neither lost nor doubled") {
  const std::string text = imported_kernel(
      kItemOf16 + kLoopBegin + "setp.eq.s32 %last, %i, 16;\n@%last bra $end;\nbar.sync 0;\n$end:\n" +
          "and.b32 %odd, %i, 1;\nsetp.eq.s32 %p1, %odd, 1;\n@%p1 bra $next;\nred.global.add.u32 [%rd0], 1;\n$next:\n" +
          kAgain,
      "rtx-a6000", {"--grid", "84"});
  std::uint64_t accesses = 0;
  const std::regex atomic("atomic: \\{accesses: ([0-9]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), atomic), end; at != end; ++at)
    accesses += std::stoul((*at)[1]);
  CHECK(accesses == 8);
}

TEST_CASE("trips that follow the work-group's place are not made numbers where a loop is split") {
  CHECK_THAT(imported_kernel("mov.u32 %b, %ctaid.x;\nadd.s32 %n, %b, 200;\n" + kItemOf16 + kLoopBegin +
                             "and.b32 %odd, %i, 1;\nsetp.eq.s32 %p1, %odd, 0;\n@%p1 bra $end;\nbar.sync 0;\n$end:\n" +
                             "setp.lt.s32 %again, %i, %n;\n@%again bra $loop;\n"),
             Contains("NO PROGRAM") && Contains("work-groups differ in how often they repeat it"));
}

TEST_CASE("copies to shared memory belong to the iterations in which their groups end") {
  const std::string text =
      imported_kernel(kItemOf16 + kSharedArray + kLoopBegin +
                      "cp.async.cg.shared.global [%s5], [%rd2], 16;\nadd.s64 %rd2, %rd2, 2048;\n" +
                      "and.b32 %rest, %i, 3;\nsetp.ne.s32 %p1, %rest, 0;\n@%p1 bra $end;\ncp.async.commit_group;\n" +
                      "cp.async.wait_group 0;\nbar.sync 0;\n$end:\n" + kAgain);
  CHECK_THAT(text, Contains("- memory: {bytes: 2048 B, asynchronous: true}") && Contains("in_flight: 2048 B"));
}

TEST_CASE("an array in local memory has lines of L1, one for each word of a warp, and L1 holds what is written") {
  const std::string array = ".local .align 16 .b8 a[64];\nmov.u64 %rd7, a;\n";
  const std::string text =
      imported_kernel(kItemOf16 + array +
                      "st.local.v4.f32 [%rd7], {%f1, %f2, %f3, %f4};\nld.local.f32 %f5, [%rd7+8];\n"
                      "st.global.f32 [%rd2], %f5;\n");
  CHECK_THAT(text, Contains("instruction: st.local.v4.f32, lines: 4, sectors: 16}"));
  CHECK_THAT(text, Contains("instruction: ld.local.f32, lines: 1, sectors: 4}"));
  CHECK_THAT(text, Contains("arrays of work-items lie in local memory") && !Contains("- memory: "));
}

TEST_CASE("addresses that depend on data give a time, which grows with the sectors and with their range") {
  const std::string gather =
      kItemOf16 + "ld.global.u32 %x, [%rd2];\nmul.wide.u32 %rd4, %x, 4;\nadd.s64 %rd5, %rd0, %rd4;\n" + kLoopBegin +
      "ld.global.f32 %f1, [%rd5];\nadd.f32 %f2, %f2, %f1;\n" + kAgain + "st.global.f32 [%rd2], %f2;\n";
  const auto text = [&](const std::string& sectors) {
    return imported_kernel(gather, "rtx-a6000", {"--grid", "840", "--gather", sectors});
  };
  const std::string whole = text("32");
  CHECK_THAT(whole, Contains("ASSUMED: --gather 32: so many sectors") && !Contains("NO PROGRAM"));
  CHECK(duration_ns(text("4:1GiB")) < duration_ns(text("32:1GiB")));
  CHECK(duration_ns(text("32:64KiB")) < duration_ns(whole));
  CHECK_THAT(text("32:1GiB"), Contains("L1 holds 0.0 %, ASSUMED by --gather"));
  CHECK_THAT(text("32:4KiB"), Contains("L1 holds 93.8 %, ASSUMED by --gather"));  // 2,048 requests of 128 sectors
}

TEST_CASE("a range of gathers changes neither accesses with known addresses nor those that skip L1") {
  const auto text = [](const std::string& body, const std::string& range) {
    return imported_kernel(kItemOf16 +
                               "ld.global.u32 %x, [%rd2];\nmul.wide.u32 %rd4, %x, 4;\nadd.s64 %rd5, %rd0, %rd4;\n" +
                               kLoopBegin + body + kAgain,
                           "rtx-a6000", {"--grid", "840", "--gather", range});
  };
  CHECK_THAT(text("ld.global.f32 %f1, [%rd5];\nmov.u64 %rd5, %rd2;\n", "32:1GiB"),
             Contains("L1 holds 88.2 %, ASSUMED by --gather"));
  CHECK_THAT(text("ld.global.cg.f32 %f1, [%rd5];\n", "32:4KiB"), Contains("L1 holds 0.0 %, ASSUMED by --gather"));
}

TEST_CASE("trip counts that grow with the work-group's place are expressions of it") {
  const std::string text = imported_kernel("mov.u32 %b, %ctaid.x;\nadd.s32 %n, %b, 4;\n" + kItemOf16 +
                                               "mov.u32 %i, 0;\n$loop:\nadd.s32 %i, %i, 1;\nld.global.f32 %f, [%rd2];\n"
                                               "setp.lt.s32 %again, %i, %n;\n@%again bra $loop;\n",
                                           "rtx-a6000", {"--grid", "84"});
  CHECK_THAT(text, Contains("count: = max(0, group_x + 4)") && !Contains("NO PROGRAM"));
}

TEST_CASE("work-groups that differ otherwise leave no program, and the reason names two of them") {
  CHECK_THAT(imported_kernel("mov.u32 %b, %ctaid.x;\nmul.lo.u32 %n, %b, %b;\n" + kItemOf16 +
                                 "mov.u32 %i, 0;\n$loop:\nadd.s32 %i, %i, 1;\nld.global.f32 %f, [%rd2];\n"
                                 "setp.lt.s32 %again, %i, %n;\n@%again bra $loop;\n",
                             "rtx-a6000", {"--grid", "84"}),
             Contains("# NO PROGRAM: its work-groups differ: the first and the last warp of number ") &&
                 Contains("program: placeholder"));
}

TEST_CASE("work-groups at a border of the grid may do less, if they are few") {
  const std::string unless_at_border = "mov.u32 %b, %ctaid.x;\nsetp.eq.s32 %border, %b, 28;\n@%border bra $end;\n";
  CHECK_THAT(imported_kernel(kItemOf16 + kLoopBegin + "add.f32 %f1, %f1, %f2;\n" + kAgain + unless_at_border +
                                 "ld.global.f32 %f3, [%rd2];\nadd.f32 %f1, %f1, %f3;\nadd.f32 %f1, %f1, %f3;\n$end:\n"
                                 "st.global.f32 [%rd2], %f1;\n",
                             "rtx-a6000", {"--grid", "29,410"}),
             Contains("ASSUMED: all work-groups do what number ") && !Contains("NO PROGRAM"));
}

TEST_CASE("a warm cache serves what fits into it") {
  const std::string loads = "mov.u32 %b, %ctaid.x;\nmul.wide.u32 %rd8, %b, 2048;\n" + kItemOf16 +
                            "add.s64 %rd3, %rd2, %rd8;\nld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];\n"
                            "add.f32 %f, %f1, %f2;\n";
  const std::string cold = imported_kernel(loads, "rtx-a6000", {"--grid", "840"});
  const std::string warm = imported_kernel(loads, "rtx-a6000", {"--grid", "840", "--warm"});
  CHECK_THAT(warm, Contains("ASSUMED: --warm") && Contains("is there before the launch (--warm)"));
  CHECK(duration_ns(warm) < duration_ns(cold));
}

TEST_CASE("the name of a kernel wins over those in which it is found") {
  const TemporaryFolder folder;
  const std::string entry = "(.param .u64 p) {\nld.param.u64 %rd0, [p];\nst.global.f32 [%rd0], %f1;\nret;\n}\n";
  const std::string file =
      folder.write("k.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry gemm_tiled" + entry +
                                ".visible .entry gemm" + entry);
  const Ran ran = run_gdsim({"import", file, "--program", "--kernel", "gemm", "--device", "rtx-a6000"});
  INFO(ran.err);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("# gemm\n") && !Contains("gemm_tiled"));
}
