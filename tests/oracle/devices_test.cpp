#include "oracle/check_scenarios.hpp"
#include "oracle/compare.hpp"
#include "oracle/random_devices.hpp"
#include "support/scenarios.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

// The model of several devices against the oracle; see oracle_test.cpp for the environment variables.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Reads a scenario, or discards one that is refused. Must be called in a property.
Scenario read_or_discarded(const std::string& text) {
  const ReadText read = read_text(text);
  if (!read.cases.empty() && read.scenario().refusals.empty()) return read.scenario();
  RC_DISCARD("refused");
}

}  // namespace

TEST_CASE("of several devices, the model writes what the oracle writes, in every table of each of them") {
  const std::string failure = oracle::check_scenarios(
      [] {
        const std::string text = oracle::draw_devices();
        const Scenario scenario = read_or_discarded(text);
        for (const Scenario& one : scenario.devices)
          if (threads_of(one.workload) > oracle::kMaxThreads) RC_DISCARD("too large");
        std::string difference;
        try {
          difference = oracle::disagreement_of_devices(scenario);
        } catch (const InputError&) {
          RC_DISCARD("refused");
        } catch (const std::exception& error) {
          difference = error.what();
        }
        if (!difference.empty()) {
          RC_LOG(text + difference);
          if (const char* file = std::getenv("GDSIM_ORACLE_KEEP")) std::ofstream(file) << text;
        }
        RC_ASSERT(difference.empty());
      },
      200);
  CHECK(failure.empty());
  if (!failure.empty()) FAIL(failure);
}
