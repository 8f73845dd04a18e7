#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/probe_model/probe_logs.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Samples of one figure, in thousandths of its unit: their number, their median, and the range of the middle half.
struct SampleSummary {
  std::uint64_t count = 0;
  std::int64_t low = 0;  ///< a quarter of the samples are below
  std::int64_t median = 0;
  std::int64_t high = 0;  ///< a quarter of the samples are above
};

/// Returns nullopt if there are no samples.
std::optional<SampleSummary> summary_of(std::vector<std::int64_t> samples);

/// `468`, `1.19`: thousandths as a decimal number, rounded to `digits` significant digits.
std::string rounded_thousandths(std::int64_t thousandths, int digits);

/// The origin of a value of a probed model.
enum class ValueOrigin : std::uint8_t {
  measured,  ///< by the probe
  reported,  ///< by the runtime of the device
  assumed,   ///< by neither, nor the family: a declared assumption
  family     ///< the family's value, since the probe's tables do not show the device's own
};

/// `measured`, `reported`, `assumed`, `family`.
std::string_view name_of(ValueOrigin origin);

/// One value of the device's file.
struct ProbedValue {
  std::string path;   ///< `dispatch.recovery`; levels of memory by name: `memory.levels.L2.latency`
  std::string value;  ///< as in the file; empty if it is the family's
  ValueOrigin origin = ValueOrigin::measured;
  std::uint64_t samples = 0;
  std::string low;  ///< the middle half of the samples is from `low` to `high`; empty without such a spread
  std::string high;
  std::string how;  ///< the data used, and the assumptions; for a value of the family: why it is not measured
};

/// The number of blocks of one kind that were on a core at once.
struct ResidencyCheck {
  std::string run;
  std::uint32_t threads = 0;
  std::optional<std::uint32_t> registers;
  std::int64_t shared_bytes = 0;
  std::uint32_t seen = 0;       ///< the maximum on any core
  std::uint32_t reported = 0;   ///< by the runtime
  std::uint64_t simulated = 0;  ///< by `gdsim occupancy`; 0: a core of the model holds none

  /// Whether all three numbers agree.
  bool agrees() const { return seen == reported && simulated == seen; }
};

/// Blocks that were resident on the whole device, from a point in time on.
struct ResidentStep {
  std::int64_t at = 0;  ///< picoseconds after the first start
  std::uint64_t blocks = 0;
};

/// A run as measured, and as the model runs it with blocks of the measured lengths.
struct RunComparison {
  std::string experiment;
  std::string run;
  bool is_held_out = false;  ///< no value was taken from this repetition
  std::uint64_t blocks = 0;
  std::int64_t measured_ps = 0;   ///< from the first start to the last end
  std::int64_t simulated_ps = 0;  ///< from the first start to the last end
  std::uint64_t on_core = 0;      ///< blocks that are on the measured core
  std::vector<ResidentStep> measured;
  std::vector<ResidentStep> simulated;
  std::string problem;  ///< why it could not be simulated; empty if it was

  /// |simulated / measured - 1|, in hundredths of a percent.
  std::uint64_t error() const;
  /// The share of blocks on their measured core, in hundredths of a percent.
  std::uint64_t on_core_share() const { return share_of(on_core, blocks); }
  static std::uint64_t share_of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : part * 10'000 / whole;
  }
};

/// A device model made from the probe's tables, and the data on which it is based.
struct ProbedModel {
  std::string id;
  ProbeFacts facts;
  std::string family;
  std::vector<ProbedValue> values;
  std::vector<ResidencyCheck> residencies;
  std::optional<Inference> inference;  ///< of the order in which blocks were placed
  std::vector<RunComparison> runs;
  std::vector<std::string> notes;
  std::vector<Diagnostic> left_out;  ///< tables, or parts of them, that could not be used
  std::string yaml;                  ///< the device's file
};

/// Collects the values of a probed model.
class ValueList {
 public:
  explicit ValueList(std::vector<ProbedValue>& values) : values_(values) {}

  /// Adds a value of samples: their median, rounded to four digits, with its unit (`cycles`).
  void add_measured(std::string path, const SampleSummary& samples, const std::string& unit, std::string how) {
    const auto text = [&](std::int64_t thousandths) {
      return rounded_thousandths(thousandths, 4) + (unit.empty() ? "" : " " + unit);
    };
    values_.push_back({std::move(path), text(samples.median), ValueOrigin::measured, samples.count, text(samples.low),
                       text(samples.high), std::move(how)});
  }
  /// Adds a value that is not a median of samples.
  void add_measured(std::string path, std::string value, std::uint64_t samples, std::string how) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::measured, samples, "", "", std::move(how)});
  }
  void add_reported(std::string path, std::string value, std::string how) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::reported, 0, "", "", std::move(how)});
  }
  void add_assumed(std::string path, std::string value, std::string why) {
    values_.push_back({std::move(path), std::move(value), ValueOrigin::assumed, 0, "", "", std::move(why)});
  }
  /// Keeps the family's value, because the tables do not show the device's own; `why` says why they do not.
  void add_unknown(std::string path, std::string why) {
    values_.push_back({std::move(path), "", ValueOrigin::family, 0, "", "", std::move(why)});
  }

 private:
  std::vector<ProbedValue>& values_;
};

/// The origin of a value, as in `sources:`: `measured by the probe on 2026-11-25, 132 samples, half of them from 512
/// cycles to 530 cycles: ...`.
std::string source_of(const ProbedValue& value, const ProbeFacts& facts);

/// The device's file: a product of the family, its values with their sources, and a comment on the family's values.
std::string model_yaml(const ProbedModel& model);

}  // namespace gdsim
