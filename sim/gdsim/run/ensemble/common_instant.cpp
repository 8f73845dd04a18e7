#include <gdsim/run/ensemble/common_instant.hpp>

#include <algorithm>

namespace gdsim {

void CommonInstant::take(SimTime now) {
  in_instant_.clear();
  for (const auto& one : members_)
    if (one->next() == now) begin(*one);
  for (std::size_t i = 0; i < in_instant_.size(); ++i) report_ends(*in_instant_[i], now);
  std::uint64_t events = 0;
  while (const auto place = lowest_place()) {
    if (members_.front()->gives_up(events)) break;
    // Devices that enter the instant meanwhile are appended.
    for (std::size_t i = 0; i < in_instant_.size(); ++i)
      if (Member& one = *in_instant_[i]; one.has_rank() && one.place() == *place) events += one.handle();
    for (std::size_t i = 0; i < in_instant_.size(); ++i) report_ends(*in_instant_[i], now);
  }
  const auto by_number = [](const Member* a, const Member* b) { return a->number() < b->number(); };
  std::sort(in_instant_.begin(), in_instant_.end(), by_number);
  for (Member* one : in_instant_) one->end();
}

void CommonInstant::begin(Member& member) {
  if (std::find(in_instant_.begin(), in_instant_.end(), &member) != in_instant_.end()) return;
  if (!member.is_in_instant()) member.begin();
  in_instant_.push_back(&member);
}

std::optional<std::size_t> CommonInstant::lowest_place() const {
  std::optional<std::size_t> lowest;
  for (Member* one : in_instant_)
    if (one->has_rank() && (!lowest || one->place() < *lowest)) lowest = one->place();
  return lowest;
}

void CommonInstant::report_ends(Member& member, SimTime now) {
  member.take_ends([&](LaunchId launch) {
    if (reported_.empty()) reported_.resize(owners_.count());
    reported_[index_of(launch)] = true;
    const LaunchRecord& record = member.model().state().launches.record(launch);
    const SimTime begun = record.begun ? *record.begun : *record.first_dispatched;
    for (const std::uint32_t device : owners_.waiting(launch)) {
      Member& other = *members_[device];
      if (other.is_done()) continue;
      other.model().schedule_remote_end(launch, begun, now);
      begin(other);
      other.catch_up_with(member);
    }
  });
}

}  // namespace gdsim
