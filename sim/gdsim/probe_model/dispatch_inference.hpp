#pragma once

#include <gdsim/base/in_order.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/infer/inference.hpp>
#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/probed_model.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Dense numbers for the cores of a log, whose hardware numbers may have holes; AMD's are ordered group by group.
class CoreNumbers {
 public:
  explicit CoreNumbers(const std::vector<ProbedRun>& runs);

  std::uint32_t of(const ProbedBlock& block) const;
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

}  // namespace gdsim
