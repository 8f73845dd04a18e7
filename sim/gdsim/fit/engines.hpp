#pragma once

#include <gdsim/fit/footprint.hpp>

#include <cstdint>
#include <span>
#include <vector>

// Rule, to the picosecond: engines.
//
// A thread is placed on the engine with the most free contexts among those where it fits, ties to the lowest.

namespace gdsim {

/// The resources that the engines of one core hold: contexts and registers, file by file. Threads are placed
/// breadth-first: each on the engine with the most free contexts among those where it fits, ties to the lowest.
class Engines {
 public:
  explicit Engines(const DeviceSpec& device);

  std::size_t size() const { return engines_.size(); }
  /// Returns the number of such threads that fit on the engines.
  std::uint64_t capacity(const EngineNeed& need) const;
  /// Takes the resources of `threads` threads, which must fit. Writes each engine's number of them to `placed`, and the
  /// engine of each thread to `order`.
  void take(const EngineNeed& need, std::uint32_t threads, std::span<std::uint32_t> placed,
            std::vector<std::uint32_t>& order);
  void release(const EngineNeed& need, std::span<const std::uint32_t> placed);

 private:
  /// The free amounts of one engine.
  struct Free {
    std::uint64_t contexts;
    std::uint64_t registers;
    std::uint64_t scalar_registers;

    bool fits(const EngineNeed& need) const {
      return contexts >= need.contexts && registers >= need.registers && scalar_registers >= need.scalar_registers;
    }
    /// Returns the number of such threads that fit.
    std::uint64_t room(const EngineNeed& need) const;
    void take(const EngineNeed& need) {
      contexts -= need.contexts;
      registers -= need.registers;
      scalar_registers -= need.scalar_registers;
    }
  };

  std::vector<Free> engines_;
};

}  // namespace gdsim
