#include "import/ptx/ptx_texts.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

// What work-groups do whose warps, work-items or neighbours differ.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// The scenario of kernel `k` with an argument of 8 bytes, 84 work-groups of 128.
std::string imported(const std::string& body, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("k.ptx", ptx_of(".param .u64 p", "ld.param.u64 %rd0, [p];\n" + body + "ret;\n"));
  std::vector<std::string> words{"import",  file,  "--program", "--device", "rtx-a6000",
                                 "--block", "128", "--arg",     "0=4096"};
  if (more.empty()) more = {"--grid", "84"};
  words.insert(words.end(), more.begin(), more.end());
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  CHECK(ran.status == 0);
  const Ran checked = run_gdsim({"check", folder.write("k.yaml", ran.out)});
  INFO(ran.out << checked.out << checked.err);
  CHECK(checked.status == 0);
  return ran.out;
}

const std::string kItem = "mov.u32 %t, %tid.x;\nmul.wide.u32 %rd1, %t, 4;\nadd.s64 %rd2, %rd0, %rd1;\n";

}  // namespace

TEST_CASE("what one warp does is a step of its threads alone, with all of its work") {
  const std::string text = imported(
      kItem + "setp.ge.u32 %p, %t, 32;\n@%p bra $out;\nld.global.f32 %f, [%rd2];\nadd.f32 %g, %f, %f;\n$out:\n");
  CHECK_THAT(text,
             Contains("      - only:\n          threads: 0\n          body:\n            - memory: 128 B  # lines ") &&
                 Contains("          threads: 1-3\n"));
}

TEST_CASE("a barrier at which not all warps arrive leaves no program, and the numbers are those of warps") {
  CHECK_THAT(
      imported(kItem + "setp.ge.u32 %p, %t, 64;\n@%p bra $out;\nbar.sync 0;\n$out:\n"),
      Contains("# NO PROGRAM: line 10 (bar.sync) is a barrier at which some warps arrive 0 times, others 1 times"));
}

TEST_CASE("a barrier at which all warps arrive equally often is not said to be one at which they do not") {
  // An inner loop of 1, 2 and 3 iterations: 6 arrivals of each warp, and no single count.
  const std::string text = imported(
      "mov.u32 %i, 0;\n$outer:\nadd.s32 %i, %i, 1;\nmov.u32 %j, 0;\n$inner:\nadd.s32 %j, %j, 1;\nbar.sync 0;\n"
      "setp.lt.s32 %p, %j, %i;\n@%p bra $inner;\nsetp.lt.s32 %q, %i, 4;\n@%q bra $outer;\n");
  CHECK_THAT(text, Contains("(bar.sync) is a barrier in a loop whose iterations differ in it or in number") &&
                       !Contains("some warps"));
}

TEST_CASE("atomic accesses of all work-groups to the same addresses, and of each to its own, are told apart") {
  const std::string same = imported(kItem + "red.global.add.u32 [%rd2], 1;\n");
  CHECK_THAT(same, Contains("- atomic: {accesses: 1, addresses: 128, space: global}  # line ") &&
                       Contains(": the same addresses in all of 84 work-groups followed\n"));
  const std::string own = imported(kItem +
                                   "mov.u32 %b, %ctaid.x;\nmul.wide.u32 %rd3, %b, 512;\nadd.s64 %rd4, %rd2, %rd3;\n"
                                   "red.global.add.u32 [%rd4], 1;\n");
  CHECK_THAT(own, Contains("- atomic: {accesses: 1, addresses: 10752, space: global}") &&
                      Contains(": each of 84 work-groups resident at once has 128 of its own\n"));
  CHECK_THAT(imported("red.global.add.u32 [%rd0], 1;\n"),
             Contains("- atomic: {accesses: 1, addresses: 1, space: global}"));
}

TEST_CASE("atomic accesses of one lane, or to some addresses more often, leave no program, with the reason") {
  CHECK_THAT(imported(kItem + "setp.ne.u32 %p, %t, 0;\n@%p bra $out;\nred.global.add.u32 [%rd0], 1;\n$out:\n"),
             Contains("(red.global.add.u32) is executed by 1 work-items in 1 requests, and a step `atomic` is one of "
                      "all 32 of a warp") &&
                 Contains("program: placeholder"));
  CHECK_THAT(imported(kItem + "min.u32 %m, %t, 3;\nmul.wide.u32 %rd5, %m, 4;\nadd.s64 %rd6, %rd0, %rd5;\n"
                              "red.global.add.u32 [%rd6], 1;\n"),
             Contains("has requests whose work-items do not go evenly to their addresses"));
}

TEST_CASE("a kernel that does nothing is a placeholder with a reason") {
  CHECK_THAT(imported(""), Contains("# NO PROGRAM: its warps execute nothing that takes time\n"));
}
