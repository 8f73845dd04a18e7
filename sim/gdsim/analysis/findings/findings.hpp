#pragma once

#include <gdsim/analysis/findings/answer.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

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
///  8. a limiter leaves cores partly empty, or a launch waits for cores to change the size of their SLM;
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
std::optional<Finding> roofline_finding(const RunReport& report, const SpeedOfLight& speed);
std::optional<Finding> empty_device_finding(const RunReport& report);
std::optional<Finding> small_finding(const RunReport& report);
/// A tail or an imbalance, if it is a part of what fits of at least 1 / `parts`.
std::optional<Finding> idle_finding(const RunReport& report, std::uint64_t parts);
std::optional<Finding> plateau_finding(const RunReport& report);
std::optional<Finding> limiter_finding(const RunReport& report);
/// A launch that waited a tenth of the run or more for cores to drain, because their SLM has another size.
std::optional<Finding> slm_pool_finding(const RunReport& report);
/// A barrier, if that is at least one part of `parts` of the threads' time.
std::optional<Finding> barrier_finding(const RunReport& report, std::int64_t parts);
std::optional<Finding> atomics_finding(const RunReport& report, const SpeedOfLight& speed);
/// The longest of all other waits, the latency of memory included.
std::optional<Finding> wait_finding(const RunReport& report, const SpeedOfLight& speed, std::int64_t parts);

}  // namespace gdsim
