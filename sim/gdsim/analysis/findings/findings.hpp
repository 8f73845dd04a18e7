#pragma once

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
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
std::string rests_on_line(const RestsOn& one, Duration duration);

/// What a run answers after further runs of the same scenario.
struct Answer {
  Finding finding;
  /// Values that decide more than 2 % of the duration; nullopt: they were not tried.
  std::optional<std::vector<RestsOn>> rests_on;
};

/// Returns what may decide the duration of a completed run, the most likely first; never empty for such a run, empty
/// for others. In this order:
///
///  1. nothing but links is busy for half of the run;
///  2. a resource is at 80 % of its peak or more;
///  3. no thread is resident for half of the run: copies, the host, or the cost of launches;
///  4. a launch is less than half a wave;
///  5. a tenth of what fits is unused after the last placement, or a tenth of the time of cores;
///  6. barriers, or atomics, take half of the threads' time;
///  7. less than three quarters of what fits is resident though there are four waves: recovery, dispatch, placement;
///  8. a limiter leaves cores partly empty;
///  9. another wait, or the latency of memory, takes half of the threads' time;
/// 10. as 5 and 9, a twentieth;
/// 11. no cause is known.
std::vector<Finding> findings_of(const RunReport& report, const SpeedOfLight& speed);

/// Returns the finding of the report's answer, else the first of findings_of().
Finding first_finding(const RunReport& report);

/// Returns `part` in percent of `whole`, which is not 0.
inline Ratio percent_share(Int128 part, Int128 whole) {
  return {static_cast<UInt128>(part) * 100, static_cast<UInt128>(whole)};
}
inline Ratio percent_share(UInt128 part, UInt128 whole) { return {part * 100, whole}; }
/// `17.0 %`
inline std::string share_words(const Ratio& percent) { return to_fixed(percent, 1) + " %"; }

// The rules, one each. They return nothing where they do not apply.

std::optional<Finding> links_finding(const RunReport& report);
std::optional<Finding> roofline_finding(const SpeedOfLight& speed, const Terms& terms);
std::optional<Finding> empty_device_finding(const RunReport& report);
std::optional<Finding> small_finding(const RunReport& report);
/// A tail or an imbalance, if it is a part of what fits of at least 1 / `parts`.
std::optional<Finding> idle_finding(const RunReport& report, std::uint64_t parts);
std::optional<Finding> plateau_finding(const RunReport& report);
std::optional<Finding> limiter_finding(const RunReport& report);
/// A barrier, if that is at least one part of `parts` of the threads' time.
std::optional<Finding> barrier_finding(const RunReport& report, std::int64_t parts);
std::optional<Finding> atomics_finding(const RunReport& report, const SpeedOfLight& speed);
/// The longest of all other waits, the latency of memory included.
std::optional<Finding> wait_finding(const RunReport& report, const SpeedOfLight& speed, std::int64_t parts);

}  // namespace gdsim
