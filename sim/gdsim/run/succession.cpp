#include <gdsim/run/succession.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

std::uint64_t last_end(const std::vector<Place>& places) {
  std::uint64_t last = 0;
  for (const Place& place : places) last = std::max(last, place.end);
  return last;
}

}  // namespace

Succession::Succession(std::vector<Place> places, LifeTimes lives, std::uint64_t next, Picoseconds now)
    : places_(std::move(places)),
      lives_(std::move(lives)),
      next_(next),
      ends_(places_.size(), last_end(places_) - static_cast<std::uint64_t>(now.count)) {
  for (std::uint32_t i = 0; i < places_.size(); ++i) ends_.put(i, places_[i].end);
  for (const Place& place : places_) numbers_.push_back(place.number);
}

std::vector<Place> Succession::take_places() {
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (place.number == numbers_[i]) continue;
    place.number = numbers_[i];
    place.end = ends_.time_of(i);
    place.since = place.end - lives_.of_one(WorkGroupId{place.number});
  }
  for (const Endless& one : endless_) places_[one.place].since = one.since;
  return std::move(places_);
}

/// If so, they are together() from now on.
bool Succession::are_apart(std::span<const std::uint32_t> ending) {
  const CoreId core = places_[ending.front()].core;
  if (std::all_of(ending.begin(), ending.end(), [&](std::uint32_t place) { return places_[place].core == core; }))
    return false;
  together_.assign(ending.begin(), ending.end());
  return true;
}

void Succession::give(CoreId core) {
  const auto found = std::find_if(together_.begin(), together_.end(),
                                  [&](std::uint32_t place) { return places_[place].core == core; });
  GDSIM_CHECK(found != together_.end(), "a work-group was placed where none had ended");
  hand_on(*found);
  together_.erase(found);
}

}  // namespace gdsim
