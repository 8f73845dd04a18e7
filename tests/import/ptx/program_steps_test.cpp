#include "import/ptx/ptx_texts.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

// What work-groups do whose warps, work-items or neighbors differ.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// The scenario of kernel `k` with an argument of 8 bytes, 84 work-groups of 128.
std::string imported_steps(const std::string& body, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("k.ptx", ptx_of(".param .u64 p", "ld.param.u64 %rd0, [p];\n" + body + "ret;\n"));
  std::vector<std::string> words{"import", file, "--program", "--block", "128"};
  if (more.empty()) more = {"--grid", "84", "--arg", "0=4096"};
  if (std::find(more.begin(), more.end(), "--device") == more.end()) more.insert(more.end(), {"--device", "rtx-a6000"});
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  CHECK(ran.status == 0);
  const Ran checked = run_gdsim({"check", folder.write("k.yaml", ran.out)});
  INFO(ran.out << checked.out << checked.err);
  CHECK(checked.status == 0);
  return ran.out;
}

/// Of a kernel whose argument is a pointer.
const std::vector<std::string> kGrid{"--grid", "84"};
const std::string kItem = "mov.u32 %t, %tid.x;\nmul.wide.u32 %rd1, %t, 4;\nadd.s64 %rd2, %rd0, %rd1;\n";

}  // namespace

TEST_CASE("what one warp does is a step of its threads alone, with all of its work") {
  const std::string text = imported_steps(
      kItem + "setp.ge.u32 %p, %t, 32;\n@%p bra $out;\nld.global.f32 %f, [%rd2];\nadd.f32 %g, %f, %f;\n$out:\n");
  CHECK_THAT(text,
             Contains("      - only:\n          threads: 0\n          body:\n            - memory: 128 B  # lines ") &&
                 Contains("          threads: 1-3\n"));
}

TEST_CASE("products of 16 bits are added by the instruction that multiplies, and four neighbours are loaded by one") {
  const std::string loads =
      "ld.shared.u16 %h0, [%r];\nld.shared.u16 %h1, [%r+2];\nld.shared.u16 %h2, [%r+4];\nld.shared.u16 %h3, [%r+6];\n";
  const std::string sums =
      "mul.f16 %m0, %h0, %h1;\nadd.f16 %s0, %h2, %m0;\nmul.f16 %m1, %h1, %h3;\nsub.f16 %s1, %m1, %s0;\n";
  const std::string begin = ".shared .align 16 .b8 s[1024];\nmov.u32 %r, s;\n";
  const std::string store = "st.shared.u16 [%r], %s1;\n";
  CHECK_THAT(imported_steps(begin + loads + sums + store), Contains("fp16: 2\n") && Contains("load_store: 2\n"));
  // A product that is read twice is computed for itself.
  CHECK_THAT(imported_steps(begin + loads + sums + "add.f16 %s2, %m0, %s1;\n" + store), Contains("fp16: 4\n"));
}

TEST_CASE(
    "pairs of halves run at a device's peak: 64 results in an issue slot, or in as many cycles as their pipe takes") {
  std::string body = "mov.u32 %i, 0;\n$loop:\n";
  for (int i = 0; i < 64; ++i) body += "fma.rn.f16x2 %h" + std::to_string(i % 8) + ", %h, %h, %h;\n";
  body += "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 100;\n@%p bra $loop;\n";
  const auto imported_for = [&](const std::string& device) {
    return imported_steps(body, {"--grid", "108", "--device", device});
  };
  // 108 work-groups of 4 warps do 6,400 instructions each, on 528 engines.
  CHECK_THAT(imported_for("h100-sxm"), Contains("fp16: 64,") && Contains(" 5236 cycles: fp16 instructions"));
  CHECK_THAT(imported_for("rtx-a6000"), Contains("fp16: 128,") && Contains("cycles: fp16 instructions"));
}

TEST_CASE("a barrier at which only some warps arrive is one of these warps") {
  const std::string text = imported_steps(kItem + "setp.ge.u32 %p, %t, 64;\n@%p bra $out;\nbar.sync 0;\n$out:\n");
  CHECK_THAT(text, Contains("          threads: 0-1\n") && Contains("            - barrier: bar0  # line 11\n") &&
                       !Contains("NO PROGRAM"));
}

TEST_CASE("atomic accesses of all work-groups to the same addresses, and of each to its own, are told apart") {
  const std::string same = imported_steps(kItem + "red.global.add.u32 [%rd2], 1;\n");
  CHECK_THAT(same, Contains("- atomic: {accesses: 1, addresses: 128, space: global}  # line ") &&
                       Contains(": the same addresses in all of 84 work-groups followed\n"));
  const std::string own =
      imported_steps(kItem +
                     "mov.u32 %b, %ctaid.x;\nmul.wide.u32 %rd3, %b, 512;\nadd.s64 %rd4, %rd2, %rd3;\n"
                     "red.global.add.u32 [%rd4], 1;\n");
  CHECK_THAT(own, Contains("- atomic: {accesses: 1, addresses: 10752, space: global}") &&
                      Contains(": each of 84 work-groups resident at once has 128 of its own\n"));
  CHECK_THAT(imported_steps("red.global.add.u32 [%rd0], 1;\n", kGrid),
             Contains("- atomic: {accesses: 1, addresses: 1, space: global}"));
}

TEST_CASE("atomic accesses to some addresses more often count as so many that the busiest is as busy") {
  // 125 of 128 work-items go to one address: 4 requests of 32 lanes over 128 / 125 addresses.
  CHECK_THAT(imported_steps(kItem + "min.u32 %m, %t, 3;\nmul.wide.u32 %rd5, %m, 4;\nadd.s64 %rd6, %rd0, %rd5;\n"
                                    "red.global.add.u32 [%rd6], 1;\n",
                            kGrid),
             Contains("- atomic: {accesses: 1, addresses: 1, space: global}"));
}

TEST_CASE("a kernel that does nothing is a placeholder with a reason") {
  CHECK_THAT(imported_steps(""), Contains("# NO PROGRAM: its warps execute nothing that takes time\n"));
}

TEST_CASE("loops nested as deep as a scenario allows are written, deeper ones are a reason") {
  const auto nested = [](int depth) {
    std::string begin;
    std::string end;
    for (int i = 0; i < depth; ++i) {
      const std::string n = std::to_string(i);
      begin += "mov.u32 %i" + n + ", 0;\n$l" + n + ":\nadd.s32 %i" + n + ", %i" + n + ", 1;\n";
      end = "setp.lt.s32 %p" + n + ", %i" + n + ", 2;\n@%p" + n + " bra $l" + n + ";\n" + end;
    }
    return begin + end;
  };
  CHECK_THAT(imported_steps(nested(4)), Contains("    program:\n"));
  for (const int depth : {5, 9})
    CHECK_THAT(imported_steps(nested(depth)),
               Contains("# NO PROGRAM: line 20 (add.s32) begins a loop in 4 others; those of "
                        "a scenario are nested 4 deep at most"));
}

TEST_CASE("where the first work-group alone does more, the others are followed, and that is said") {
  const std::string text = imported_steps("mov.u32 %b, %ctaid.x;\nsetp.ne.u32 %p, %b, 0;\n@%p bra $out;\n" + kItem +
                                          "ld.global.f32 %f, [%rd2];\n$out:\n");
  CHECK_THAT(text, Contains("ASSUMED: all work-groups do what number 42 does, whose first and last warp execute ") &&
                       Contains("those of number 0 execute ") && !Contains("- memory: "));
}

TEST_CASE("what the first work-group alone leaves open is an error, and its answer is used") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "k.ptx", ptx_of(".param .u64 p",
                      "ld.param.u64 %rd0, [p];\nmov.u32 %b, %ctaid.x;\nsetp.ne.u32 %p, %b, 0;\n@%p bra $out;\n"
                      "ld.global.u32 %x, [%rd0];\nsetp.eq.u32 %q, %x, 1;\n@%q bra $out;\nst.global.u32 [%rd0], "
                      "%x;\n$out:\nret;\n"));
  std::vector<std::string> words{"import", file, "--program", "--device", "rtx-a6000", "--grid", "84"};
  const Ran refused = run_gdsim(words);
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("k.ptx:11:") && Contains("--branch 11=taken"));
  words.insert(words.end(), {"--branch", "11=skipped"});
  const Ran ran = run_gdsim(words);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Contains("# ASSUMED: --branch 11=skipped: always, whatever the data are\n"));
}

TEST_CASE("a program says how it was launched, which bounds are estimates, and nothing of L1 at stores") {
  const std::string text =
      imported_steps(kItem + "ld.global.f32 %f, [%rd2];\nst.global.f32 [%rd2], %f;\nadd.f32 %f, %f, %f;\n",
                     {"--grid", "8,4", "--arg", "0=4096"});
  CHECK_THAT(text, Contains("# launched with --grid 8,4,1 --block 128,1,1 --arg 0=4096\n") &&
                       Contains("# ASSUMED: about ") && Contains("# not below "));
  CHECK_THAT(text,
             Contains("line 9: ld.global.f32, 1 requests per warp: 4 sectors per request, at most 4, side by side "
                      "4; L1 holds 0.0 %\n") &&
                 Contains("line 10: st.global.f32, 1 requests per warp: 4 sectors per request, at most 4, side by "
                          "side 4\n") &&
                 Contains("B  # ASSUMED: the loads of the largest memory step"));
}

TEST_CASE("a program with fences says that they cost nothing, and in which lines they stand") {
  const std::string store = kItem + "st.global.f32 [%rd2], %f;\n";
  CHECK_THAT(imported_steps(store), !Contains("fences"));
  CHECK_THAT(imported_steps(store + "membar.gl;\n"), Contains("# ASSUMED: fences cost nothing: line 10\n"));
  CHECK_THAT(imported_steps(store + "membar.gl;\nfence.acq_rel.gpu;\n"),
             Contains("# ASSUMED: fences cost nothing: lines 10, 11\n"));
}
