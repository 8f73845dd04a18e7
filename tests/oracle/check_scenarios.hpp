#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

namespace gdsim::oracle {

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// Returns an empty text if the property held for all scenarios, else the reason. Those that simulate much draw fewer.
template <class Property>
std::string check_scenarios(Property property, std::uint64_t scenarios = 400) {
  rc::detail::TestParams params;
  params.maxSuccess = static_cast<int>(number_from_environment("GDSIM_ORACLE_SCENARIOS", scenarios));
  params.seed = number_from_environment("GDSIM_ORACLE_SEED", 1);
  const rc::detail::TestResult result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  if (result.template is<rc::detail::SuccessResult>()) return {};
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return text.str();
}

/// The oracle visits every thread at every instant, so its time grows with the square of their number. A scenario of
/// more threads is not checked; one of 20,000 threads took as long as 10,000 other scenarios.
inline constexpr std::uint64_t kMaxThreads = 5'000;

}  // namespace gdsim::oracle
