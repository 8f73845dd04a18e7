#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <regex>

using namespace gdsim::testing;

// The line that shows the progress of a run. A slowed gdsim pauses for 0.6 s at its first instant, so that there is
// something to show on any machine.

namespace {

const std::vector<std::string> kPhases{"run", kVectorAdd4, "--print", "phases"};

}  // namespace

TEST_CASE("a long run shows on a terminal how far it has come, and cleans up") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const Ran ran = run_on_terminal(kSlowedGdsim, kPhases, OnTerminal::out_and_err);
  CHECK(ran.status == 0);
  CHECK(std::regex_search(ran.out, std::regex("\r\x1b\\[K[0-9]+\\.[0-9] % of 8 work-groups  [0-9.]+ [kM]?events/s")));
  const auto last = ran.out.rfind("\r\x1b[K");
  CHECK(ran.out.substr(last + 4).starts_with("phase,start_ns"));
}

TEST_CASE("a long run of copies alone shows events per second, and no share of work-groups") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  const TemporaryFolder folder;
  const std::string file =
      folder.write("copy.yaml",
                   "scenario: Copy\ndevice: {base: tiny, copy: {engines: 1, bandwidth: 1 GB/s, latency: 0 s}}\n"
                   "kernels: {k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}}\n"
                   "launches: [{name: in, copy: {bytes: 1 KiB, direction: host_to_device}}, "
                   "{name: out, copy: {bytes: 1 KiB, direction: device_to_host}}]\n");
  const Ran ran = run_on_terminal(kSlowedGdsim, {"run", file}, OnTerminal::out_and_err);
  INFO(ran.out);
  CHECK(ran.status == 0);
  CHECK(std::regex_search(ran.out, std::regex("\r\x1b\\[Kcopies only  [0-9.]+ [kM]?events/s")));
  CHECK_THAT(ran.out, !Catch::Contains("nan"));
}

TEST_CASE("a long sweep shows on a terminal how many points are done, and cleans up") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  // The first of its runs pauses.
  const Ran ran = run_on_terminal(
      kSlowedGdsim, {"sweep", kVectorAdd4, "--vary", "device.cores=1,2,3", "--jobs", "1", "--format", "csv"},
      OnTerminal::out_and_err);
  INFO(ran.out);
  CHECK(ran.status == 0);
  CHECK_THAT(ran.out, Catch::Contains("\r\x1b[K1 of 3 points  "));
  const auto last = ran.out.rfind("\r\x1b[K");
  CHECK(ran.out.substr(last + 4).starts_with("device.cores,status,"));
}

TEST_CASE("an explanation shows on a terminal how many runs are done, and cleans up") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  // The unchanged run pauses.
  const Ran ran = run_on_terminal(kSlowedGdsim, {"explain", kVectorAdd4, "--jobs", "1", "--format", "csv"},
                                  OnTerminal::out_and_err);
  INFO(ran.out);
  CHECK(ran.status == 0);
  CHECK(std::regex_search(ran.out, std::regex("\r\x1b\\[K1 of [0-9]+ runs  [^\r]*s left")));
  const auto last = ran.out.rfind("\r\x1b[K");
  CHECK(ran.out.substr(last + 4).starts_with("what,duration_ns,"));
}

TEST_CASE("where standard error is no terminal, there is no line of progress, however long the run") {
  if (!has_terminals()) {
    WARN("there are no pseudo-terminals here (/dev/pts): not tested");
    return;
  }
  CHECK(run_program({kSlowedGdsim, "run", kVectorAdd4, "--print", "phases"}).err.empty());
  CHECK(run_on_terminal(kSlowedGdsim, kPhases, OnTerminal::out).err.empty());
}
