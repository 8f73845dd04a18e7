#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/calibrate/calibration.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/probe_logs.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/run/simulate.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Adds `arithmetic.KIND` for each kind that the table `arithmetic` measures and the family knows: operations per cycle
/// of a core, over its engines. The family's other kinds stay as they are. If the family's rate of a kind is not within
/// half to twice the measured one, that is a conflict, which is noted.
void add_arithmetic(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

/// Adds the latency and the banks of shared memory, the cost of a barrier by warps, and the rates of atomic accesses to
/// one address and to many. Problems of a table are added to `left_out`; then its values are the family's.
void add_core_costs(const ProbeLogs& logs, const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes,
                    std::vector<Diagnostic>& left_out);

/// The settings for fitting values of a device to a table of the probe.
struct FitSetting {
  const ReadOptions& read;
  const RunOptions& run;
  Jobs jobs;
};

/// The result of a fit, or the reason why there is none.
struct ModelFit {
  std::optional<Calibration> found;
  std::string problem;

  /// `the error is 0.31 % on 12 rows, 0.42 % on 5 that were held out`.
  std::string error_text() const;
};

/// Fits values of the device whose file is `device_yaml` by calibrate(): `workload` is the rest of the scenario,
/// `times` the table of measured times without launch costs, `ranges` as after --fit. Three of ten rows are held out.
ModelFit fit_model(const std::string& title, const std::string& device_yaml, const std::string& workload,
                   const std::string& times, const std::vector<std::string>& ranges, const FitSetting& setting);

/// Adds the bandwidth of memory behind the L2, by `calibrate`: of reads of one 8-byte element per thread, with one and
/// two blocks on a core. `device_yaml` is the file of the device as far as it is known, with a level DRAM whose
/// bandwidth is fitted. Runs are as long as 24 waves of blocks. Three of ten rows are held out. If the value cannot be
/// fitted, it is the family's, with the reason.
void add_bandwidth(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ValueList& values, std::vector<Diagnostic>& left_out);

/// Adds the latency of the L2, from rings of lines well inside it and well beyond the first level, and that of DRAM,
/// from rings at least four times as large as the L2. The latency of the first level becomes a note. The table's own
/// problems are added to `left_out`.
void add_latencies(const ProbeLogs& logs, ValueList& values, std::vector<std::string>& notes,
                   std::vector<Diagnostic>& left_out);

/// Refines both latencies, by `calibrate`, from rings beyond the first level that caches still hold in part. `device`
/// has both levels, its file is `device_yaml`, and the values are theirs. They stay as they are if the rings do not
/// determine them.
void fit_latencies(const ProbeLogs& logs, const DeviceSpec& device, const std::string& device_yaml,
                   const FitSetting& setting, ProbedValue& l2, ProbedValue& dram);

/// Adds the limits of residency: the number of cores, the clock, contexts, slots for blocks, shared memory. If the
/// runtime's figure contradicts the family in a way that the family's rules cannot follow, the family's value is kept,
/// with the conflict.
void add_limits(const ProbeFacts& facts, const DeviceSpec& family, const std::vector<ProbedRun>& runs,
                ValueList& values);

/// The maximum of blocks of each kind that a core held at once, in launches of at least a full wave, compared with the
/// runtime's report and the model's limit.
std::vector<ResidencyCheck> residency_checks(const std::vector<ProbedRun>& runs, const DeviceSpec& device);

/// Dense numbers for the cores of a log, whose hardware numbers may have holes; AMD's are ordered group by group.
class CoreNumbers {
 public:
  explicit CoreNumbers(const std::vector<ProbedRun>& runs);

  std::uint32_t number_of(const ProbedBlock& block) const;
  std::uint32_t count() const { return static_cast<std::uint32_t>(numbers_.size()); }
  /// The cores of each group, in order; none if there is one group.
  std::vector<std::uint32_t> group_sizes() const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> numbers_;  ///< group, core; ascending
};

/// Infers, by `infer`, the rules that placed the blocks, from launches that were alone on the device. Work-groups of a
/// launch are dispatched in the order of their numbers. So a start that precedes that of a lower number, by no more
/// than clocks may be off, is taken to be as late; and an end that precedes the reuse of its slot by a recovery, within
/// the same error, is taken to precede it exactly. Nothing if no launch has more than a core can hold, or if infer
/// cannot use the log: then the reason is among the notes.
std::optional<Inference> infer_dispatch(const std::vector<ProbedRun>& runs, const DeviceSpec& device, Jobs jobs,
                                        std::vector<std::string>& notes);

/// Adds the rules of dispatch and its times. If several rules fit, the family's are taken if they are among them.
void add_dispatch(const std::optional<Inference>& inference, const std::vector<ProbedRun>& runs,
                  const DeviceSpec& family, ValueList& values, std::vector<std::string>& notes);

/// The maximum error of aligned clocks of two cores, in thousandths of a cycle.
inline constexpr std::int64_t kClockNoise = 64'000;

/// Thousandths of cycles of one launch's dispatch; each may be empty.
struct DispatchSamples {
  std::vector<std::int64_t> interval;  ///< one per launch: mean time between blocks that start before any ends
  std::vector<std::int64_t> recovery;  ///< from a block's end to the start that takes its place on the core
};

/// The samples of launches alone on the device whose clocks are aligned. A recovery is counted where a core holds as
/// many blocks as it can: then the n-th end on it makes room for the n-th start after these blocks.
DispatchSamples dispatch_samples(const std::vector<ProbedRun>& runs);

/// Adds launch costs: the time between launches of a graph, and the event time of a warm launch less its blocks' span.
void add_launch_cost(const std::vector<ProbedRun>& gaps, const std::vector<ProbedRun>& launches, ValueList& values,
                     std::vector<std::string>& notes);

}  // namespace gdsim
