#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/report/result_table.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// Whether clusters were asked about.
enum class AnswerClusters : std::uint8_t { no, yes };

/// `ok`, `refused`, `does_not_fit`.
std::string_view name_of(FitStatus status);

/// `threads+slm`.
std::string limiters_text(const std::vector<Resource>& limiters);

/// The columns that answer a row of a table; with clusters, one more at the right.
ResultColumns<Occupancy> answer_columns(AnswerClusters clusters);

/// The parameter that a curve varies.
enum class Varied : std::uint8_t { local, registers, slm };

/// The kernel's occupancy with one value of the varied parameter.
struct CurvePoint {
  std::uint64_t value = 0;  ///< work-items, registers per work-item, bytes
  std::uint64_t work_groups = 0;
  std::uint64_t threads = 0;
  Ratio percent;
  std::vector<Resource> limiters;
};

/// Curves with more points than this are refused.
inline constexpr std::uint64_t kMaxCurvePoints = 100'000;

/// Returns the occupancy for every value of the parameter that the device distinguishes. Throws InputError if there are
/// more than kMaxCurvePoints.
std::vector<CurvePoint> occupancy_curve(const Kernel& kernel, const DeviceSpec& device, Varied varied);

/// One row per point.
void write_curve_csv(const std::vector<CurvePoint>& curve, Varied varied, Sink& sink);
std::string curve_json(const std::vector<CurvePoint>& curve, Varied varied);
/// One row per range of values with the same answer, for a person, in the device's terms.
std::string curve_text(const std::vector<CurvePoint>& curve, Varied varied, const Terms& terms);
/// A plot in plain characters: the occupancy upwards, the parameter to the right.
std::string curve_plot(const std::vector<CurvePoint>& curve, Varied varied);

}  // namespace gdsim::cli
