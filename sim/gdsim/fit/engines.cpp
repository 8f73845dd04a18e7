#include <gdsim/fit/engines.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace gdsim {

EngineSet EngineSets::add() {
  if (!free_.empty()) {
    const EngineSet set = free_.back();
    free_.pop_back();
    return set;
  }
  counts_.resize(counts_.size() + engines_, 0);
  orders_.emplace_back();
  return static_cast<EngineSet>(counts_.size() / engines_ - 1);
}

std::span<std::uint32_t> EngineSets::threads(EngineSet set) {
  return std::span(counts_).subspan(static_cast<std::size_t>(set) * engines_, engines_);
}

EngineSet EngineSets::deal_some(EngineSet set, std::uint32_t count) {
  const EngineSet dealt = add();
  std::fill(threads(dealt).begin(), threads(dealt).end(), 0);
  const auto end = order(set).begin() + static_cast<std::ptrdiff_t>(count);
  for (auto engine = order(set).begin(); engine != end; ++engine) {
    --threads(set)[*engine];
    ++threads(dealt)[*engine];
  }
  order(set).erase(order(set).begin(), end);
  return dealt;
}

EngineSet EngineSets::take(EngineSet set, std::size_t first, std::size_t end) {
  if (count(set, first, end) == 0) return EngineSet::none;
  const EngineSet taken = add();
  std::uint32_t* const to = counts_of(taken);
  std::fill_n(to, engines_, 0);
  for (std::size_t i = first; i < end; ++i) std::swap(counts_of(set)[i], to[i]);
  return taken;
}

Engines::Engines(const DeviceSpec& device) {
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  engines_.assign(device.engines_per_core,
                  {device.contexts_per_engine, device.registers ? device.registers->per_engine : unlimited,
                   device.scalar_registers ? device.scalar_registers->per_engine : unlimited});
}

std::uint64_t Engines::Free::room(const EngineNeed& need) const {
  std::uint64_t room = need.contexts == 1 ? contexts : contexts / need.contexts;
  if (need.registers > 0) room = std::min(room, registers / need.registers);
  if (need.scalar_registers > 0) room = std::min(room, scalar_registers / need.scalar_registers);
  return room;
}

std::uint64_t Engines::capacity(const EngineNeed& need) const {
  std::uint64_t sum = 0;
  for (const Free& free : engines_) sum += free.room(need);
  return sum;
}

/// Goes down from the most free contexts that an engine has: at each number, every engine with so many takes a thread.
void Engines::take(const EngineNeed& need, std::uint32_t threads, std::span<std::uint32_t> placed,
                   std::vector<std::uint32_t>& order) {
  std::fill(placed.begin(), placed.end(), 0);
  order.resize(threads);
  std::uint64_t level = 0;
  for (const Free& free : engines_) level = std::max(level, free.contexts);
  const auto count = static_cast<std::uint32_t>(engines_.size());
  for (std::uint32_t taken = 0; taken < threads; --level) {
    GDSIM_CHECK(level > 0, "engines were given more threads than they can hold");
    for (std::uint32_t i = 0; i < count && taken < threads; ++i) {
      Free& free = engines_[i];
      if (free.contexts != level || !free.fits(need)) continue;
      free.take(need);
      ++placed[i];
      order[taken++] = i;
    }
  }
}

void Engines::release(const EngineNeed& need, std::span<const std::uint32_t> placed) {
  for (std::size_t i = 0; i < engines_.size(); ++i) {
    engines_[i].contexts += std::uint64_t{need.contexts} * placed[i];
    engines_[i].registers += need.registers * placed[i];
    engines_[i].scalar_registers += need.scalar_registers * placed[i];
  }
}

}  // namespace gdsim
