#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/fit/engines.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Is called before the contents of a core change, so that integrals of its contents over time can be updated. An
/// implementation must not affect decisions.
class CoreListener {
 public:
  virtual void before_change(CoreId core, SimTime now) = 0;

 protected:
  CoreListener() = default;
  CoreListener(const CoreListener&) = default;
  CoreListener& operator=(const CoreListener&) = default;
  ~CoreListener() = default;
};

/// A decision of a dispatcher: these threads of this work-group are placed on this core.
struct Grant {
  LaunchId launch{};
  WorkGroupId work_group{};
  CoreId core{};
  CoreId first_core{};                  ///< the core of the work-group's first threads
  std::uint32_t threads = 0;            ///< number of threads placed now
  std::uint32_t group_threads = 0;      ///< number of threads of the work-group
  std::uint32_t first_context = 0;      ///< of its contiguous range of contexts, if contexts are held in ranges
  EngineSet engines = EngineSet::none;  ///< on the core, if the simulation distinguishes engines
  bool opens_core = false;              ///< true for its first threads on this core, which take its group resources
  bool opens_group = false;             ///< true for its first threads
  bool fills_group = false;             ///< true if all its threads are placed now
};

/// The ports of the device: slots of partially placed work-groups, shared by all its dispatchers.
class Ports {
 public:
  explicit Ports(std::optional<std::uint64_t> limit) : limit_(limit) {}

  bool has_free() const { return !limit_ || held_ < *limit_; }
  void hold() { ++held_; }
  void release() { --held_; }

 private:
  std::optional<std::uint64_t> limit_;
  std::uint64_t held_ = 0;
};

/// The outcome of a turn for a launch.
enum class TurnVerdict : std::uint8_t {
  preparing,         ///< it was not named: it has begun, and its launch cost is not paid
  left_over,         ///< it was not named: all its work-groups have begun, but threads of them are not placed
  pays_launch_cost,  ///< it was named, begins or has begun, and its launch cost is not paid
  no_dispatcher,     ///< it would be next if the dispatchers that are busy were not
  no_port,           ///< no port is free
  no_core,           ///< no core of the dispatcher takes its next work-group, or the rest of its spread one
  spreads,           ///< some threads of a work-group were placed, which keeps the dispatcher busy; others are left
  placed,            ///< a work-group was placed, or its first threads, or the last of a spread one
  exhausted,         ///< it has no further work-group; threads of its last ones may not be placed
};

/// A launch with its verdict, and the number of the dispatcher that gave it, if any.
struct TurnAnswer {
  LaunchId launch{};
  TurnVerdict verdict{};
  std::uint32_t dispatcher = 0;
};

/// The decisions of a dispatch turn, without reasons: an answer for every launch that it names, in the order of naming.
struct TurnDecisions {
  std::vector<Grant> grants;
  std::vector<TurnAnswer> answers;
  std::vector<SimTime> next_turns;  ///< when dispatchers are no longer busy, or launches are prepared; in no order

  void begin_turn() {
    grants.clear();
    answers.clear();
    next_turns.clear();
  }
  void answer(LaunchId launch, TurnVerdict verdict, std::uint32_t dispatcher = 0) {
    answers.push_back({launch, verdict, dispatcher});
  }
};

}  // namespace gdsim
