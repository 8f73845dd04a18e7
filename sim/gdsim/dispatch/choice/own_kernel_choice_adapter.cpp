#include <gdsim/dispatch/choice/own_kernel_choice_adapter.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/printable.hpp>

#include <algorithm>

namespace gdsim {

OwnKernelChoiceAdapter::OwnKernelChoiceAdapter(const OwnKernelChoice& own, const Workload& workload)
    : name_(own.name()), policy_(own.policy().copy()), workload_(&workload) {}

void OwnKernelChoiceAdapter::arrive(LaunchId launch, SimTime ready) {
  Entry entry;
  entry.position = {ready, launch};
  entry.left = workload_->kernel_of(workload_->launches[index_of(launch)]).range.group_count();
  const auto before = [](const Entry& a, const Entry& b) { return a.position < b.position; };
  waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), entry, before), entry);
}

/// Children may always begin: their parents, which count for them, may wait for them.
bool OwnKernelChoiceAdapter::may_be_chosen(const Entry& entry, MayBegin may_begin) const {
  if (entry.blocked_in == visit_ || !entry.is_prepared) return false;
  const Launch& launch = workload_->launches[index_of(entry.position.second)];
  return may_begin == MayBegin::yes || entry.has_begun || launch.parent() != nullptr;
}

WaitingLaunch OwnKernelChoiceAdapter::view_of(const Entry& entry) const {
  const Launch& launch = workload_->launches[index_of(entry.position.second)];
  return {entry.position.second,
          launch.as_kernel().kernel,
          workload_->priority_of(launch),
          entry.position.first,
          entry.left,
          entry.has_begun};
}

std::optional<LaunchId> OwnKernelChoiceAdapter::next(MayBegin may_begin) {
  for (const Entry& entry : waiting_)
    if (entry.left == 0) return entry.position.second;
  offered_.clear();
  for (const Entry& entry : waiting_)
    if (may_be_chosen(entry, may_begin)) offered_.push_back(view_of(entry));
  if (offered_.empty()) return std::nullopt;
  const std::optional<std::size_t> chosen = policy_->choose(offered_);
  if (!chosen) return std::nullopt;
  if (*chosen >= offered_.size())
    throw InputError("dispatch.kernel_choice: " + in_quotes(name_) + " chose position " + std::to_string(*chosen) +
                     " of " + std::to_string(offered_.size()) + " launches, numbered from 0");
  return offered_[*chosen].launch;
}

OwnKernelChoiceAdapter::Entry& OwnKernelChoiceAdapter::entry_of(LaunchId launch) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [launch](const Entry& entry) { return entry.position.second == launch; });
  GDSIM_CHECK(found != waiting_.end(), "a kernel choice was notified of a launch that does not wait");
  return *found;
}

void OwnKernelChoiceAdapter::on_preparing(LaunchId launch) {
  Entry& entry = entry_of(launch);
  entry.has_begun = true;
  entry.is_prepared = false;
}

void OwnKernelChoiceAdapter::on_placed(LaunchId launch, std::uint64_t left) {
  Entry& entry = entry_of(launch);
  entry.has_begun = true;
  entry.left = left;
}

/// A spread work-group may be the last of its launch, which waits no longer.
void OwnKernelChoiceAdapter::on_blocked(LaunchId launch) {
  for (Entry& entry : waiting_)
    if (entry.position.second == launch) entry.blocked_in = visit_;
}

bool OwnKernelChoiceAdapter::on_exhausted(LaunchId launch, bool) {
  std::erase_if(waiting_, [launch](const Entry& entry) { return entry.position.second == launch; });
  return true;
}

}  // namespace gdsim
