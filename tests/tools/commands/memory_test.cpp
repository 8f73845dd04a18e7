#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

// A sanitizer takes terabytes of addresses for itself.
#ifndef GDSIM_UNDER_SANITIZERS

namespace {

/// Two million work-groups, each with a duration of its own: with 16 bytes kept of each, 40 MB were not enough.
std::string jittered_job(const TemporaryFolder& folder) {
  return folder.write("jittered.yaml",
                      "scenario: Jittered\ndevice: {base: tiny, cores: 132, engines_per_core: 1,\n"
                      "         contexts_per_engine: 64, sub_group_sizes: [1], work_groups_per_core: 8}\n"
                      "kernels:\n  k:\n    global: 16000000\n    local: 8\n    sub_group: 1\n"
                      "    program: [compute: 10 us]\n    variation: {distribution: uniform, cv: 0.1, seed: 1}\n"
                      "launches: [kernel: k]\n");
}

Ran run_in_40_megabytes(const std::string& words) { return run_shell("ulimit -v 40000; \"$GDSIM\" run " + words); }

}  // namespace

TEST_CASE("a run of which no rows are asked keeps nothing of its work-groups: 40 MB of addresses hold two million") {
  const TemporaryFolder folder;
  const std::string job = jittered_job(folder);
  CHECK(run_in_40_megabytes(job).status == 0);
  CHECK(run_in_40_megabytes(job + " --print work-groups").status != 0);  // the same with a row of each
}

#endif
