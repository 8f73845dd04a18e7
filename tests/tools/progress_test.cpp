#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>

using namespace gdsim::testing;

namespace {
/// More work than half a second holds: work-groups that end one by one.
std::string long_run(const TemporaryFolder& folder) {
  return folder.write("long.yaml",
                      "scenario: Long\ndevice: tiny\nkernels:\n  k:\n    global: 72000000\n    local: 24\n"
                      "    sub_group: 8\n    program: [compute: 10 us, barrier, compute: 1 us]\n"
                      "    variation: {distribution: normal, cv: 0.1, seed: 1}\nlaunches:\n  - kernel: k\n");
}
}  // namespace

TEST_CASE("a long run tells on a terminal how far it has come, and cleans up") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const TemporaryFolder folder;
  const Ran ran = run_gdsim_on_terminal({"run", long_run(folder), "--print", "phases"}, OnTerminal::out_and_err);
  CHECK(ran.status == 0);
  CHECK(std::regex_search(ran.out, std::regex("\r\x1b\\[K[0-9]+\\.[0-9] % of 3000000 work-groups  [0-9.]+ [kM]events/s"
                                              "  [0-9]+ s left")));
  const auto last = ran.out.rfind("\r\x1b[K");
  CHECK(ran.out.substr(last + 4).starts_with("phase,start_ns"));
}

TEST_CASE("where standard error is no terminal, there is no line of progress") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const TemporaryFolder folder;
  const std::string file = long_run(folder);
  CHECK(run_gdsim({"run", file, "--print", "phases"}).err.empty());
  CHECK(run_gdsim_on_terminal({"run", file, "--print", "phases"}, OnTerminal::out).err.empty());
  // A short run is over before there is anything to tell.
  const Ran ran = run_gdsim_on_terminal({"run", source_path("scenarios/vector_add4.yaml"), "--print", "phases"},
                                        OnTerminal::out_and_err);
  CHECK(ran.out.starts_with("phase,start_ns"));
}
