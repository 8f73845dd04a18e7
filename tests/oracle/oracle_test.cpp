#include "oracle/compare.hpp"
#include "oracle/random_scenarios.hpp"
#include "oracle/scenario_yaml.hpp"
#include "support/builders.hpp"
#include "support/random_values.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/check/check_device.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

// The model against the oracle. GDSIM_ORACLE_SCENARIOS sets how many scenarios are drawn, GDSIM_ORACLE_SEED from which
// seed. What differs is shrunk and printed as a scenario file; GDSIM_ORACLE_KEEP names a file to write it to. Such
// files are kept in `cases/`, each with what was wrong; GDSIM_ORACLE_CASE names one to replay with them.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// Under sanitizers, an oracle that looks at everything takes ten times as long.
#ifdef GDSIM_UNDER_SANITIZERS
constexpr std::uint64_t kScenarios = 80;
#else
constexpr std::uint64_t kScenarios = 400;
#endif

/// Empty if the property held for all scenarios, else why not.
template <class Property>
std::string check_scenarios(Property property) {
  rc::detail::TestParams params;
  params.maxSuccess = static_cast<int>(number_from_environment("GDSIM_ORACLE_SCENARIOS", kScenarios));
  params.seed = number_from_environment("GDSIM_ORACLE_SEED", 1);
  const rc::detail::TestResult result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  if (result.template is<rc::detail::SuccessResult>()) return {};
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return text.str();
}

/// The oracle looks at every thread at every instant: its time grows with the square of their number. A scenario of
/// more than this is not judged; one of 20,000 threads took as long as 10,000 others.
constexpr std::uint64_t kMaxThreads = 5'000;

/// Scenario files that once disagreed.
std::vector<std::string> kept_cases() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/oracle/cases")))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  if (const char* file = std::getenv("GDSIM_ORACLE_CASE")) files.emplace_back(file);
  return files;
}

}  // namespace

TEST_CASE("the model writes what the oracle writes, in every table, fast-forwarding or not") {
  const std::string failure = check_scenarios([] {
    const int kind = one_of({0, 0, 1, 1, 2});
    const RandomRun run = kind == 0   ? draw_run()
                          : kind == 1 ? oracle::draw_any_run()
                                      : oracle::draw_chain_of_launches();
    if (threads_of(run.workload) > kMaxThreads) RC_DISCARD("too large");
    RC_ASSERT(check_device(run.device).empty());
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
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}

TEST_CASE("programs that differ by work-group are read from expressions as they are drawn") {
  const std::string failure = check_scenarios([] {
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
    REQUIRE(read.problems.empty());
    RandomRun run{read.scenario().device, read.scenario().workload};
    run.device.dispatch = read.scenario().dispatch;
    CHECK(oracle::disagreement(run) == "");
  }
}
