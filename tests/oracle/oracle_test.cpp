#include "oracle/check_scenarios.hpp"
#include "oracle/compare.hpp"
#include "oracle/random_processes.hpp"
#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/check/checks.hpp>

#include <catch2/catch.hpp>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// The model against the oracle. GDSIM_ORACLE_SCENARIOS sets the number of drawn scenarios, GDSIM_ORACLE_SEED their
// seed. A disagreement is shrunk and printed as a scenario file; GDSIM_ORACLE_KEEP names a file to which it is written.
// Such files are kept in `cases/`, each with a description of the defect; GDSIM_ORACLE_CASE names one more to replay.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Scenario files that once disagreed.
std::vector<std::string> kept_cases() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/oracle/cases")))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  if (const char* file = std::getenv("GDSIM_ORACLE_CASE")) files.emplace_back(file);
  return files;
}

/// Fails if the model and the oracle disagree. Must be called in a property.
void require_agreement(const RandomRun& run) {
  if (threads_of(run.workload) > oracle::kMaxThreads) RC_DISCARD("too large");
  std::string difference;
  try {
    difference = oracle::disagreement(run);
  } catch (const InputError&) {
    RC_DISCARD("refused");
  } catch (const std::exception& error) {
    difference = error.what();
  }
  if (!difference.empty()) {
    RC_LOG(oracle::scenario_yaml(run) + difference);
    if (const char* file = std::getenv("GDSIM_ORACLE_KEEP")) std::ofstream(file) << oracle::scenario_yaml(run);
  }
  RC_ASSERT(difference.empty());
}

}  // namespace

TEST_CASE("the model writes what the oracle writes, in every table") {
  const std::string failure = oracle::check_scenarios([] {
    const int kind = one_of({0, 0, 1, 1, 2});
    const RandomRun run = kind == 0   ? draw_run()
                          : kind == 1 ? oracle::draw_any_run()
                                      : oracle::draw_chain_of_launches();
    RC_ASSERT(check_device(run.device).empty());
    require_agreement(run);
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("of processes that have the device one at a time, the model writes what the oracle writes, in every table") {
  const std::string failure = oracle::check_scenarios([] { require_agreement(oracle::draw_processes()); }, 150);
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("programs that differ by work-group are read from expressions as they are drawn") {
  const std::string failure = oracle::check_scenarios([] {
    const RandomRun run = oracle::draw_any_run();
    const std::vector<Kernel>& drawn = run.workload.kernels;
    if (std::none_of(drawn.begin(), drawn.end(), [](const Kernel& kernel) { return kernel.differs_by_group(); }))
      return;
    const ReadText read = read_text(oracle::scenario_yaml(run));
    if (!read.problems.empty() || !read.scenario().refusals.empty()) RC_DISCARD("refused");
    const std::vector<Kernel>& kernels = read.scenario().workload.kernels;
    for (std::size_t i = 0; i < drawn.size(); ++i)
      for (std::uint64_t group = 0; group < drawn[i].range.group_count(); ++group)
        RC_ASSERT(oracle::program_yaml(kernels[i], group, kernels) == oracle::program_yaml(drawn[i], group, drawn));
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("oracle and model agree where they once did not") {
  for (const std::string& file : kept_cases()) {
    INFO(file);
    const ReadText read = read_text(read_file(file));
    REQUIRE(read.problems == "");
    if (!read.scenario().devices.empty()) {
      CHECK(oracle::disagreement_of_devices(read.scenario()) == "");
      continue;
    }
    RandomRun run{read.scenario().device, read.scenario().workload};
    run.device.dispatch = read.scenario().dispatch;
    CHECK(oracle::disagreement(run) == "");
  }
}
