#include "support/scenarios.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a step that a factor makes 0 is numbered from 1, in loops and divergent parts, too") {
  const auto problems = [](const std::string& program) {
    return read_text(
               "scenario: s\ndevice: tiny\nlaunches: [{kernel: k}]\nkernels:\n  k: {global: 32, local: 32, "
               "sub_group: 8, program: " +
               program + ", variation: {work_groups: {0: 0.4}}}\n")
        .problems;
  };
  const std::string step = "with this factor, the duration of step ";
  CHECK_THAT(problems("[compute: 1 us, compute: 1 ps]"), Catch::Contains(step + "2 of the program rounds to 0 ps"));
  CHECK_THAT(problems("[compute: 1 us, loop: {count: 2, body: [compute: 1 ps]}]"),
             Catch::Contains(step + "2.1 of the program rounds to 0 ps"));
  CHECK_THAT(problems("[loop: {count: 2, body: [compute: 1 us, only: {threads: 0, body: [barrier: x, compute: 1 us, "
                      "issue: 1 ps]}]}]"),
             Catch::Contains(step + "1.2.3 of the program rounds to 0 ps"));
}
