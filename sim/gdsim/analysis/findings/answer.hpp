#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// The causes that a finding may name, as `summary.json` writes them.
enum class FindingKind : std::uint8_t {
  roofline,    ///< a resource of the device is at 80 % of its peak or more
  imbalance,   ///< cores are idle while unequal work-groups are left on others
  tail,        ///< cores are idle while the last, partial wave of equal work-groups runs
  recovery,    ///< contexts wait until what has ended is released
  limiter,     ///< registers, SLM or slots let too few work-groups fit
  latency,     ///< threads wait for answers of the memory, which has bandwidth left
  barrier,     ///< threads wait for others of their work-group
  atomics,     ///< atomic accesses wait for each other
  dispatch,    ///< work-groups or launches wait for the dispatcher
  placement,   ///< work-groups wait although contexts are free, or lie on few cores
  host,        ///< the device waits for the host
  copies,      ///< the device waits for copies between host and device
  links,       ///< the device waits for transfers over links
  small,       ///< a launch has fewer work-groups than half of what fits
  empty,       ///< no cause is known
  assumption,  ///< a value of the model that is assumed decides the duration
};

inline constexpr std::size_t kFindingKindCount = static_cast<std::size_t>(FindingKind::assumption) + 1;

/// Returns the name in files: `roofline`, `tail`, ... Thread-safe.
std::string_view name_of(FindingKind kind);

/// What decides the duration of a run.
struct Finding {
  FindingKind kind = FindingKind::empty;
  std::string what;  ///< a sentence
  Ratio percent;     ///< the number of the sentence that says how much
  /// Names of counterfactual changes. If a run with all of them saves no more than chance, the finding is wrong. Empty:
  /// it needs no such run.
  std::vector<std::string> lifted_by = {};
};

/// Returns `Roofline: HBM3 delivers 2.90 TB/s, 96 % of its peak.`
std::string finding_line(const Finding& finding);

/// A value of the device's model that is assumed or in conflict, and how long the run takes with others.
struct RestsOn {
  struct Alternative {
    std::string value;
    Duration duration;
  };

  std::string key;  ///< `dispatch.placement`
  std::string value;
  std::vector<Alternative> alternatives;
};

/// Returns `Rests on: dispatch.placement is fill_first, which is assumed; with round_robin the run takes 50 us instead
/// of 100 us.`
std::string rests_on_line(const RestsOn& assumption, Duration duration);

/// What a run answers after further runs of the same scenario.
struct Answer {
  Finding finding;
  /// Values that decide more than 2 % of the duration; nullopt: they were not tried.
  std::optional<std::vector<RestsOn>> rests_on;
};

}  // namespace gdsim
