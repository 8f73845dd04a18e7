#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/launch_classes.hpp>
#include <gdsim/dispatch/shares/partitioning.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gdsim {

/// The launches that may place a work-group now: any that is ready (`yes`), or only begun ones and children (`no`).
enum class MayBegin : std::uint8_t { no, yes };

/// Holds launches that are ready and not yet placed, and chooses the one that may place its next work-group. It places
/// nothing: the caller does, and reports the result.
class KernelChooser {
 public:
  virtual ~KernelChooser() = default;

  virtual void arrive(LaunchId launch, SimTime ready) = 0;
  /// Begins the visit of a dispatcher: blocked launches may be named again.
  virtual void begin_visit() = 0;
  /// Names the launch that may place a work-group. Returns nullopt if there is no other in this visit.
  virtual std::optional<LaunchId> next(MayBegin may_begin) = 0;
  /// Must be called if the launch that next() named has begun, but can place nothing until on_prepared(). It is not
  /// named again in this visit.
  virtual void on_preparing(LaunchId launch) = 0;
  /// Must be called when the launch is prepared and can place work-groups.
  virtual void on_prepared(LaunchId) {}
  /// Must be called if the launch that next() named has begun and can place work-groups at once. next() continues to
  /// name it.
  virtual void on_begun(LaunchId launch) = 0;
  /// The launch that next() named placed a work-group, or some of its threads; `left` of its work-groups are not
  /// dispatched. This begins the launch, if nothing did before.
  virtual void on_placed(LaunchId launch, std::uint64_t left) = 0;
  /// The launch that next() named could place nothing: it is not named again in this visit.
  virtual void on_blocked(LaunchId launch) = 0;
  /// Must be called if the launch has no further work-group to begin and, if `filled`, no thread to place. Returns true
  /// if the chooser removes it.
  virtual bool on_exhausted(LaunchId launch, bool filled) = 0;
  /// Must be called, between turns, if cores belong to launches and the launch has lost its last core. From then on, it
  /// is equal to others of its kind.
  virtual void on_left_cores(LaunchId) {}
};

/// Returns, by launch, the number of its ancestors. Children go before their parents, which may wait for them.
std::vector<std::uint32_t> child_depths(const Workload& workload);

std::unique_ptr<KernelChooser> make_kernel_chooser(const DispatchRules& rules, const Workload& workload,
                                                   const CoreSelections& cores);

}  // namespace gdsim
