#include <gdsim/fit/engines.hpp>

#include <gdsim/base/check.hpp>

#include <algorithm>
#include <limits>

namespace gdsim {

Engines::Engines(const DeviceSpec& device) {
  constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  engines_.assign(device.engines_per_core,
                  {device.contexts_per_engine, device.registers ? device.registers->per_engine : unlimited,
                   device.scalar_registers ? device.scalar_registers->per_engine : unlimited});
}

std::uint64_t Engines::room_on(const Engine& engine, const EngineNeed& need) {
  std::uint64_t capacity = engine.contexts / need.contexts;
  if (need.registers > 0) capacity = std::min(capacity, engine.registers / need.registers);
  if (need.scalar_registers > 0) capacity = std::min(capacity, engine.scalar_registers / need.scalar_registers);
  return capacity;
}

std::uint64_t Engines::capacity(const EngineNeed& need) const {
  std::uint64_t sum = 0;
  for (const Engine& engine : engines_) sum += room_on(engine, need);
  return sum;
}

void Engines::take(const EngineNeed& need, std::uint32_t threads, std::span<std::uint32_t> placed,
                   std::vector<std::uint32_t>& order) {
  std::fill(placed.begin(), placed.end(), 0);
  order.clear();
  for (; threads > 0; --threads) {
    std::size_t best = engines_.size();
    for (std::size_t i = 0; i < engines_.size(); ++i)
      if (room_on(engines_[i], need) > 0 && (best == engines_.size() || engines_[i].contexts > engines_[best].contexts))
        best = i;
    GDSIM_CHECK(best < engines_.size(), "engines were given more threads than they can hold");
    Engine& engine = engines_[best];
    engine.contexts -= need.contexts;
    engine.registers -= need.registers;
    engine.scalar_registers -= need.scalar_registers;
    ++placed[best];
    order.push_back(static_cast<std::uint32_t>(best));
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
