#include <gdsim/fast_forward/slot_reuse.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

SlotReuse::SlotReuse(std::vector<Slot> slots, GroupDurations durations, std::uint64_t next, SimTime now)
    : slots_(std::move(slots)),
      durations_(std::move(durations)),
      next_(next),
      now_(static_cast<std::uint64_t>(now.count)),
      ends_(static_cast<std::uint32_t>(slots_.size())) {
  for (std::uint32_t i = 0; i < slots_.size(); ++i) ends_.put(slots_[i].end, i);
  for (const Slot& slot : slots_) numbers_.push_back(slot.number);
}

std::vector<Slot> SlotReuse::take_slots() {
  ends_.visit([&](const LadderQueue::Entry& entry) {
    Slot& slot = slots_[entry.member];
    if (slot.number == numbers_[entry.member]) return;
    slot.number = numbers_[entry.member];
    slot.end = entry.time;
    slot.since = slot.end - durations_.of_one(WorkGroupId{slot.number});
  });
  for (const Endless& endless : endless_) slots_[endless.slot].since = endless.since;
  return std::move(slots_);
}

/// Collects the slots that end at the same time as `first`, which has been removed from ends_.
void SlotReuse::gather(std::uint32_t first) {
  together_.assign(1, first);
  for (; ends_.has_more_at(now_); ends_.pop()) together_.push_back(ends_.first().member);
  std::sort(together_.begin(), together_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(slots_[a].core, a) < std::pair(slots_[b].core, b);
  });
  assigned_on_.assign(together_.size(), 0);
  assigned_ = 0;
}

/// Returns true if the slots of together_ are on several cores. The order of slots on one core is not visible.
bool SlotReuse::are_on_several_cores() const { return slots_[together_.front()].core != slots_[together_.back()].core; }

/// Returns a slot of together_ on this core that no work-group has taken yet.
std::uint32_t SlotReuse::next_together(CoreId core) {
  const auto first = std::lower_bound(together_.begin(), together_.end(), core,
                                      [&](std::uint32_t slot, CoreId before) { return slots_[slot].core < before; });
  const auto position = static_cast<std::size_t>(first - together_.begin());
  const std::size_t chosen = position < together_.size() ? position + assigned_on_[position]++ : position;
  GDSIM_CHECK(chosen < together_.size() && slots_[together_[chosen]].core == core,
              "a work-group was placed where none had ended");
  return together_[chosen];
}

}  // namespace gdsim
