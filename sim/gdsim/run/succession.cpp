#include <gdsim/run/succession.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {

Succession::Succession(std::vector<Place> places, LifeTimes lives, std::uint64_t next, Picoseconds now)
    : places_(std::move(places)),
      lives_(std::move(lives)),
      next_(next),
      now_(static_cast<std::uint64_t>(now.count)),
      ends_(static_cast<std::uint32_t>(places_.size())) {
  for (std::uint32_t i = 0; i < places_.size(); ++i) ends_.put(places_[i].end, i);
  for (const Place& place : places_) numbers_.push_back(place.number);
}

std::vector<Place> Succession::take_places() {
  ends_.visit([&](const HorizonQueue::Entry& entry) {
    Place& place = places_[entry.member];
    if (place.number == numbers_[entry.member]) return;
    place.number = numbers_[entry.member];
    place.end = entry.time;
    place.since = place.end - lives_.of_one(WorkGroupId{place.number});
  });
  for (const Endless& one : endless_) places_[one.place].since = one.since;
  return std::move(places_);
}

/// Others end at the same time as the first, who was taken out: they are together from now on.
void Succession::gather(std::uint32_t first) {
  together_.assign(1, first);
  for (; ends_.has_more_at(now_); ends_.pop()) together_.push_back(ends_.first().member);
  std::sort(together_.begin(), together_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(places_[a].core, a) < std::pair(places_[b].core, b);
  });
  given_on_.assign(together_.size(), 0);
  given_ = 0;
}

/// Those on one core can stay where they are: which of them comes first does not show.
bool Succession::are_apart() const { return places_[together_.front()].core != places_[together_.back()].core; }

void Succession::give(CoreId core) {
  const auto first = std::lower_bound(together_.begin(), together_.end(), core,
                                      [&](std::uint32_t place, CoreId before) { return places_[place].core < before; });
  const auto position = static_cast<std::size_t>(first - together_.begin());
  const std::size_t chosen = position < together_.size() ? position + given_on_[position]++ : position;
  GDSIM_CHECK(chosen < together_.size() && places_[together_[chosen]].core == core,
              "a work-group was placed where none had ended");
  hand_on(together_[chosen]);
  ++given_;
}

}  // namespace gdsim
