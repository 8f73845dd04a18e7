#pragma once

#include <gdsim/base/int128.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/state_words.hpp>
#include <gdsim/fit/engine_sets.hpp>
#include <gdsim/fit/engines.hpp>
#include <gdsim/fit/footprint.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Whether a run must know which thread sits on which engine: only if engines have something that runs out apart
/// from contexts, which any engine has alike.
enum class EngineDetail : std::uint8_t { none, each };

/// How many whole work-groups like this an empty core holds by its pools; its engines may hold fewer.
std::uint64_t most_on_empty_core(const Footprint& footprint);

/// What one core holds now. Takes and gives back; never more than its capacity, never less than nothing.
class Core {
 public:
  Core(const DeviceSpec& device, EngineDetail detail);

  /// The per-work-group resources of `footprint` fit.
  bool fits_group(const Footprint& footprint) const;
  /// The whole work-group fits, all its threads at once.
  bool fits_whole(const Footprint& footprint) const;
  /// How many further threads of such a work-group could be placed: its group resources are already taken.
  std::uint32_t thread_room(const Footprint& footprint) const;
  /// How many further whole work-groups fit: the least of floor(free / need) over what it needs.
  std::uint64_t how_many_more(const Footprint& footprint) const;

  /// Like thread_room() by contexts alone, whatever registers there are, and however large the work-group.
  std::uint64_t context_room(const Footprint& footprint) const;
  /// The first pool of which too little is free for the group resources; nothing if they fit.
  std::optional<Pool> scarce_pool(const Footprint& footprint) const;

  void take_group(const Footprint& footprint);
  void give_back_group(const Footprint& footprint);
  /// Threads are placed on engines; who is told where if the run knows engines, else `none`.
  EngineSet take_threads(const Footprint& footprint, std::uint32_t threads, Picoseconds now, EngineSets& sets);
  /// Gives back the threads of `set`, which is removed, or so many if the run knows no engines.
  void give_back_threads(const Footprint& footprint, std::uint32_t threads, Picoseconds now, EngineSet set,
                         EngineSets& sets);

  /// Contexts that are held; a thread may hold several.
  std::uint64_t held_contexts() const { return static_cast<std::uint64_t>(held_[Pool::contexts]); }
  /// Threads that hold a context.
  std::uint32_t resident() const { return resident_; }
  bool is_empty() const { return held_ == Amounts{}; }

  /// This core's own account: the sum over its threads of the time between taking a context and giving it
  /// back, in thread-picoseconds, those still resident counted up to `now`.
  Int128 context_time(Picoseconds now) const { return context_time_ + Int128{resident_} * now.count; }

  /// Tells what it holds.
  void tell_state(StateWords& state) const;
  /// `time` passes at once, in which its account grew by so much and after which it holds what it held.
  void pass(Picoseconds time, Int128 context_time) { context_time_ += context_time - Int128{resident_} * time.count; }

 private:
  Amounts held_;
  std::optional<Engines> engines_;
  std::uint32_t resident_ = 0;
  Int128 context_time_ = 0;
};

}  // namespace gdsim
