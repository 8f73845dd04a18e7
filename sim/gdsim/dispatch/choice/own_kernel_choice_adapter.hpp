#pragma once

#include <gdsim/dispatch/choice/kernel_chooser.hpp>
#include <gdsim/dispatch/choice/turn_position.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Adapts a caller's OwnKernelChoice to KernelChooser. Launches leave the choice with their last work-group.
class OwnKernelChoiceAdapter : public KernelChooser {
 public:
  /// `workload` must outlive this.
  OwnKernelChoiceAdapter(const OwnKernelChoice& own, const Workload& workload);

  void arrive(LaunchId launch, SimTime ready) override;
  void begin_visit() override { ++visit_; }
  /// Names launches without a further work-group first, so that they leave the choice, without calling the policy.
  /// Throws InputError if the position is none of those that are offered.
  std::optional<LaunchId> next(MayBegin may_begin) override;
  void on_preparing(LaunchId launch) override;
  void on_prepared(LaunchId launch) override { entry_of(launch).is_prepared = true; }
  void on_begun(LaunchId launch) override { entry_of(launch).has_begun = true; }
  void on_placed(LaunchId launch, std::uint64_t left) override;
  void on_blocked(LaunchId launch) override;
  bool on_exhausted(LaunchId launch, bool filled) override;

 private:
  /// A launch that waits.
  struct Entry {
    TurnPosition position;
    std::uint64_t left = 0;        ///< work-groups that are not dispatched
    std::uint64_t blocked_in = 0;  ///< the visit
    bool has_begun = false;
    bool is_prepared = true;  ///< its launch cost is paid, or does not run
  };

  Entry& entry_of(LaunchId launch);
  bool may_be_chosen(const Entry& entry, MayBegin may_begin) const;
  WaitingLaunch view_of(const Entry& entry) const;

  std::string name_;
  std::unique_ptr<OwnKernelChoice::Policy> policy_;
  const Workload* workload_;
  std::vector<Entry> waiting_;          ///< by (ready time, order in the file)
  std::uint64_t visit_ = 0;             ///< counts visits
  std::vector<WaitingLaunch> offered_;  ///< of next()
};

}  // namespace gdsim
