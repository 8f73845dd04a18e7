#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_visitor.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/placement/core_selections.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// The launches that may place a work-group now: only those that have begun, and children, or any that is ready.
enum class MayBegin : std::uint8_t { no, yes };

/// Holds launches that are ready and not yet placed, and chooses which of them may place its next work-group. A pure
/// choice: the caller reports whether the launch could.
class KernelChooser {
 public:
  virtual ~KernelChooser() = default;
  /// Another chooser that chooses from now on as this one does.
  virtual std::unique_ptr<KernelChooser> copy() const = 0;

  virtual void arrive(LaunchId launch, SimTime ready) = 0;
  /// A dispatcher visits: blocked launches may be named again.
  virtual void begin_visit() = 0;
  /// The launch that may place a work-group; nullopt: no other in this visit.
  virtual std::optional<LaunchId> next(MayBegin may_begin) = 0;
  /// The launch that next() named has begun, but can place nothing until prepared(): it is not named again in this
  /// visit.
  virtual void launch_setup_started(LaunchId launch) = 0;
  /// The launch is prepared: it can place work-groups.
  virtual void prepared(LaunchId) {}
  /// The launch that next() named has begun, and can place work-groups at once: next() continues to name it.
  virtual void begins(LaunchId launch) = 0;
  /// The launch that next() named placed a work-group. This begins the launch if it has not begun.
  virtual void placed(LaunchId launch) = 0;
  /// The launch that next() named could place nothing: it is not named again in this visit.
  virtual void blocked(LaunchId launch) = 0;
  /// The launch has no further work-group to begin; if `filled`, no thread to place either. Returns true if it leaves
  /// the choice.
  virtual bool exhausted(LaunchId launch, bool filled) = 0;
  /// Between turns, the launch has lost its last core, if cores belong to launches. From then on, it is equal to others
  /// of its kind.
  virtual void left_its_cores(LaunchId) {}
  /// Launches of this one's kind share its request: returns the one that next() would name, or nullopt if none waits.
  virtual std::optional<LaunchId> head_of_kind(LaunchId) const { return std::nullopt; }
  /// Visits, between turns, all state on which choices depend, except which launches wait, have begun and are
  /// exhausted: these stay the same while a run is fast-forwarded.
  virtual void visit_state(StateVisitor& visitor) = 0;
};

/// By launch: number of its ancestors. Children go before their parents, which may wait for them.
std::vector<std::uint32_t> child_depths(const Workload& workload);

/// Makes the chooser that the rules demand. Launches that share a request are refused together.
std::unique_ptr<KernelChooser> make_kernel_chooser(const DispatchRules& rules, const Workload& workload,
                                                   const CoreSelections& cores,
                                                   std::span<const std::uint32_t> shared = {});

}  // namespace gdsim
