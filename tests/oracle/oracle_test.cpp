#include "oracle/compare.hpp"
#include "oracle/scenario_yaml.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <sstream>
#include <string>

// The model against the oracle. GDSIM_ORACLE_SCENARIOS sets how many scenarios are drawn, GDSIM_ORACLE_SEED from which
// seed; what differs is shrunk, and printed as a scenario file.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// Empty if the property held for all scenarios, else why not.
template <class Property>
std::string check_scenarios(Property property) {
  rc::detail::TestParams params;
  params.maxSuccess = static_cast<int>(number_from_environment("GDSIM_ORACLE_SCENARIOS", 600));
  params.seed = number_from_environment("GDSIM_ORACLE_SEED", 1);
  const rc::detail::TestResult result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  if (result.template is<rc::detail::SuccessResult>()) return {};
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return text.str();
}

}  // namespace

TEST_CASE("the model writes what the oracle writes, in every table, fast-forwarding or not") {
  const std::string failure = check_scenarios([] {
    const RandomRun run = draw_run();
    const std::string difference = oracle::disagreement(run);
    if (!difference.empty()) RC_LOG(oracle::scenario_yaml(run) + difference);
    RC_ASSERT(difference.empty());
  });
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}
