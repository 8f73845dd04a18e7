#include <gdsim/fit/core.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {
namespace {

/// The least of floor(free / need) over all pools, a need of 0 ignored.
std::uint64_t by_pools(const Footprint& footprint, const Amounts& held) {
  std::int64_t count = std::numeric_limits<std::int64_t>::max();
  for (const Pool p : kPools)
    if (footprint.whole[p] > 0) count = std::min(count, (footprint.capacity[p] - held[p]) / footprint.whole[p]);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
}

}  // namespace

Core::Core(const DeviceSpec& device, EngineDetail detail) {
  if (detail == EngineDetail::each) engines_.emplace(device);
}

bool Core::fits_group(const Footprint& footprint) const { return !scarce_pool(footprint); }

std::optional<Pool> Core::scarce_pool(const Footprint& footprint) const {
  const auto scarce = std::find_if(kPools.begin(), kPools.end(), [&](Pool p) {
    return footprint.work_group[p] != 0 && held_[p] + footprint.work_group[p] > footprint.capacity[p];
  });
  if (scarce == kPools.end()) return std::nullopt;
  return *scarce;
}

std::uint64_t Core::context_room(const Footprint& footprint) const {
  return static_cast<std::uint64_t>(footprint.capacity[Pool::contexts] - held_[Pool::contexts]) /
         footprint.thread.contexts;
}

bool Core::fits_whole(const Footprint& footprint) const {
  return fits_group(footprint) && thread_room(footprint) >= footprint.threads;
}

std::uint32_t Core::thread_room(const Footprint& footprint) const {
  std::uint64_t room = context_room(footprint);
  if (engines_) room = std::min(room, engines_->room(footprint.thread));
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(room, footprint.threads));
}

std::uint64_t most_on_empty_core(const Footprint& footprint) { return by_pools(footprint, Amounts{}); }

std::uint64_t Core::how_many_more(const Footprint& footprint) const {
  const std::uint64_t count = by_pools(footprint, held_);
  return engines_ ? std::min(count, engines_->room(footprint.thread) / footprint.threads) : count;
}

void Core::take_group(const Footprint& footprint) {
  GDSIM_CHECK(fits_group(footprint), "a core was given a work-group that it cannot hold");
  for (const Pool p : kPools) held_[p] += footprint.work_group[p];
}

void Core::give_back_group(const Footprint& footprint) {
  for (const Pool p : kPools) {
    held_[p] -= footprint.work_group[p];
    GDSIM_CHECK(held_[p] >= 0, "a core was given back more than it holds");
  }
}

EngineSet Core::take_threads(const Footprint& footprint, std::uint32_t threads, Picoseconds now, EngineSets& sets) {
  held_[Pool::contexts] += std::int64_t{threads} * footprint.thread.contexts;
  GDSIM_CHECK(held_[Pool::contexts] <= footprint.capacity[Pool::contexts],
              "a core was given more threads than it can hold");
  resident_ += threads;
  context_time_ -= Int128{threads} * now.count;
  if (!engines_) return EngineSet::none;
  const EngineSet set = sets.add();
  engines_->take(footprint.thread, threads, sets.threads(set), sets.order(set));
  return set;
}

void Core::give_back_threads(const Footprint& footprint, std::uint32_t threads, Picoseconds now, EngineSet set,
                             EngineSets& sets) {
  GDSIM_CHECK(threads <= resident_, "a core was given back more threads than it holds");
  held_[Pool::contexts] -= std::int64_t{threads} * footprint.thread.contexts;
  resident_ -= threads;
  context_time_ += Int128{threads} * now.count;
  if (!engines_) return;
  engines_->give_back(footprint.thread, sets.threads(set));
  sets.remove(set);
}

void Core::tell_state(StateWords& state) const {
  for (const Pool p : kPools) state.add(held_[p]);
  state.add(resident_);
  if (engines_) engines_->tell_state(state);
}

}  // namespace gdsim
