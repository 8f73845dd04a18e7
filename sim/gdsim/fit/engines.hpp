#pragma once

#include <gdsim/fit/footprint.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace gdsim {

/// Identifies a number of threads on each engine, which EngineSets holds; `none` where a run does not distinguish
/// engines.
enum class EngineSet : std::uint32_t { none = 0xFFFF'FFFF };

/// For each set, the number of its threads on each engine of their core; a cohort has one set. Removed sets are reused:
/// memory grows only when more sets are in use at once than ever before.
class EngineSets {
 public:
  explicit EngineSets(std::size_t engines) : engines_(engines) {}

  EngineSet add();
  void remove(EngineSet set) { free_.push_back(set); }
  std::span<std::uint32_t> threads(EngineSet set);
  std::span<const std::uint32_t> threads(EngineSet set) const {
    return std::span(counts_).subspan(static_cast<std::size_t>(set) * engines_, engines_);
  }
  std::uint32_t count(EngineSet set) const { return count(set, 0, engines_); }
  /// Returns the number of threads on engines `first` to `end` - 1.
  std::uint32_t count(EngineSet set, std::size_t first, std::size_t end) const {
    const std::uint32_t* const on = counts_.data() + static_cast<std::size_t>(set) * engines_;
    return std::accumulate(on + first, on + end, 0U);
  }
  /// Returns the engine of the set's only thread, computed as the sum over all threads of their engines' numbers, so
  /// that no branch has to be predicted.
  std::uint32_t engine_of_one(EngineSet set) const {
    const std::uint32_t* const on = counts_.data() + static_cast<std::size_t>(set) * engines_;
    std::uint32_t engine = 0;
    for (std::uint32_t i = 1; i < engines_; ++i) engine += i * on[i];
    return engine;
  }
  /// Returns the engine of each thread, in the order of placement. The caller that places the threads fills it. Valid
  /// only until the first take() or merge() of the set. deal() removes the threads that it moves.
  std::vector<std::uint32_t>& order(EngineSet set) { return orders_[static_cast<std::size_t>(set)]; }
  /// Moves the first `threads` threads in order(set) out of `set` into a new set. Returns `none` for `none`.
  EngineSet deal(EngineSet set, std::uint32_t threads) {
    return set == EngineSet::none ? set : deal_some(set, threads);
  }
  /// Moves the threads on engines `first` to `end` - 1 out of `set` into a new set; returns `none` if there are none.
  EngineSet take(EngineSet set, std::size_t first, std::size_t end);
  /// Adds the threads of `other`, which is removed, to `set`. Either may be `none`. Returns the set that holds the sum.
  EngineSet merge(EngineSet set, EngineSet other) {
    if (set == EngineSet::none) return other;
    if (other == EngineSet::none) return set;
    std::uint32_t* const sum = counts_of(set);
    const std::uint32_t* const more = counts_of(other);
    for (std::size_t i = 0; i < engines_; ++i) sum[i] += more[i];
    remove(other);
    return set;
  }

 private:
  EngineSet deal_some(EngineSet set, std::uint32_t threads);
  std::uint32_t* counts_of(EngineSet set) { return counts_.data() + static_cast<std::size_t>(set) * engines_; }

  std::size_t engines_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::vector<std::uint32_t>> orders_;  ///< by set
  std::vector<EngineSet> free_;
};

// Rule, to the picosecond: engines.
//
// A thread is placed on the engine with the most free contexts among those where it fits, ties to the lowest.

/// The free contexts and registers of each engine of one core. Places threads on engines by the rule above.
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
