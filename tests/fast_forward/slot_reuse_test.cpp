#include "support/builders.hpp"
#include "support/jittered_runs.hpp"
#include "support/random_values.hpp"

#include <gdsim/fast_forward/slot_reuse.hpp>

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The work-group `ended` made place for the next.
struct ReuseNote {
  std::uint32_t slot = 0;
  std::uint64_t time = 0;
  std::uint64_t ended = 0;

  friend bool operator==(const ReuseNote&, const ReuseNote&) = default;
};

/// Slots of which always the one that ends first is looked for, among all.
class LoopedSlots {
 public:
  LoopedSlots(std::vector<Slot> slots, GroupDurations durations, std::uint64_t next)
      : slots_(std::move(slots)), durations_(std::move(durations)), next_(next) {}

  /// False: several cores at once.
  bool advance(std::uint64_t bound, std::uint64_t max) {
    while (count() < max) {
      const auto first =
          std::min_element(slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.end < b.end; });
      if (first->end >= bound) break;
      now_ = first->end;
      together_.clear();
      for (std::uint32_t i = 0; i < slots_.size(); ++i)
        if (slots_[i].end == now_) together_.push_back(i);
      std::stable_sort(together_.begin(), together_.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return slots_[a].core < slots_[b].core; });
      if (slots_[together_.front()].core != slots_[together_.back()].core) return false;
      for (const std::uint32_t slot : together_) reuse(slot);
    }
    return true;
  }
  const std::vector<std::uint32_t>& together() const { return together_; }
  /// The first of those together on this core that is still to be reused.
  void assign(CoreId core) {
    for (const std::uint32_t slot : together_)
      if (slots_[slot].core == core && slots_[slot].end == now_) return reuse(slot);
    RC_FAIL("no slot is free on this core");
  }

  const std::vector<Slot>& slots() const { return slots_; }
  const std::vector<ReuseNote>& notes() const { return notes_; }
  std::uint64_t count() const { return notes_.size(); }
  std::uint64_t next() const { return next_; }

 private:
  void reuse(std::uint32_t index) {
    Slot& slot = slots_[index];
    notes_.push_back({index, now_, slot.number});
    slot.number = next_++;
    slot.since = now_;
    const std::uint64_t end = now_ + durations_.of_one(group(slot.number));
    slot.end = end <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ? end : kTimeOverflow;
  }

  std::vector<Slot> slots_;
  GroupDurations durations_;
  std::uint64_t next_;
  std::uint64_t now_ = 0;
  std::vector<std::uint32_t> together_;
  std::vector<ReuseNote> notes_;
};

}  // namespace

TEST_CASE("slots are reused by one work-group after the other, always the one that ends first") {
  rc::prop("as by a loop over all slots", [] {
    const ProgramPlan plan(kernel_of(1'000'000, 8, {compute(ps(between<std::int64_t>(5, 300)))}), small_device());
    const GroupDurations durations(plan, FactorDraw(draw_variation()), launch(0));
    const std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    const SimTime now =
        at(ps(between(0, 4) == 0 ? latest - between<std::int64_t>(300, 3'000) : between<std::int64_t>(0, 1'000)));
    const auto begin = static_cast<std::uint64_t>(now.count);
    std::vector<Slot> slots;
    const auto cores = between<std::uint32_t>(1, 4);
    for (std::uint64_t i = between<std::uint64_t>(1, 12); i > 0; --i)
      slots.push_back({GroupIndex{}, CohortIndex{}, core(between<std::uint32_t>(0, cores - 1)), 100 + i, begin,
                       begin + between<std::uint64_t>(1, 100)});
    const std::uint64_t next = between<std::uint64_t>(200, 300);
    LoopedSlots looped(slots, durations, next);
    SlotReuse reuse(slots, durations, next, now);
    std::vector<ReuseNote> notes;
    const auto note = [&](std::uint32_t slot, std::uint64_t time, std::uint64_t ended) {
      notes.push_back({slot, time, ended});
    };
    std::uint64_t bound = begin;
    std::uint64_t at_once = 0;
    for (int call = between(1, 8); call > 0; --call) {
      bound = std::min(bound + between<std::uint64_t>(0, 2'000), static_cast<std::uint64_t>(latest));
      const std::uint64_t max = reuse.count() + between<std::uint64_t>(0, 200);
      for (;;) {
        const bool is_done = reuse.advance(bound, max, note);
        RC_ASSERT(is_done == looped.advance(bound, max));
        RC_ASSERT(notes == looped.notes());
        if (is_done) break;
        // Somebody else says on which core each of the next is placed.
        std::vector<CoreId> places;
        for (const std::uint32_t slot : reuse.together()) places.push_back(reuse.slot(slot).core);
        RC_ASSERT(std::vector(reuse.together().begin(), reuse.together().end()) == looped.together());
        for (std::size_t assigned = 0; !places.empty(); ++assigned) {
          RC_ASSERT(reuse.assigned() == assigned);
          const auto place = places.begin() + between<std::ptrdiff_t>(0, std::ssize(places) - 1);
          reuse.assign(*place, note);
          looped.assign(*place);
          RC_ASSERT(reuse.last_core() == *place);
          places.erase(place);
          ++at_once;
        }
      }
      RC_ASSERT(reuse.count() == looped.count());
      RC_ASSERT(reuse.next() == looped.next());
      if (notes.empty()) continue;
      RC_ASSERT(static_cast<std::uint64_t>(reuse.now().count) == notes.back().time);
      RC_ASSERT(reuse.last_core() == slots[notes.back().slot].core);
    }
    const std::vector<Slot> taken = reuse.take_slots();
    RC_ASSERT(taken.size() == slots.size());
    bool are_endless = false;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const Slot& expected = looped.slots()[i];
      RC_ASSERT(taken[i].core == expected.core);
      RC_ASSERT(taken[i].number == expected.number);
      RC_ASSERT(taken[i].since == expected.since);
      const bool is_endless = expected.end == kTimeOverflow;
      RC_ASSERT((is_endless ? taken[i].end > kTimeOverflow / 2 : taken[i].end == expected.end));
      are_endless = are_endless || is_endless;
    }
    RC_CLASSIFY(at_once > 0, "at once on several cores");
    RC_CLASSIFY(looped.count() > 200, "many");
    RC_CLASSIFY(are_endless, "beyond the end of time");
  });
}
