#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/run/drive.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/ensemble/link_transfers.hpp>
#include <gdsim/workload/workload.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// From `since` on, `threads` threads are resident on a device.
struct ResidentChange {
  SimTime since;
  std::uint64_t threads = 0;
};

/// Finds the maximum number of threads that were resident on several devices at once. Each device reports its own
/// changes in order of time, but some devices may be ahead of others.
class ResidentSum {
 public:
  explicit ResidentSum(std::size_t devices) : now_(devices, 0), taken_(devices, 0) {}

  /// Takes all changes before `until`, by device. Later calls must not add earlier changes. Removes changes from a list
  /// when most of the list is taken.
  void take(const std::vector<std::vector<ResidentChange>*>& changes, SimTime until);
  std::uint64_t peak() const { return peak_; }

 private:
  std::vector<std::uint64_t> now_;  ///< by device
  std::vector<std::size_t> taken_;  ///< by device: changes taken but not yet removed
  std::uint64_t sum_ = 0;
  std::uint64_t peak_ = 0;
};

/// One of the devices that run together.
class Member {
 public:
  /// The parts, the options and the owners must outlive this.
  Member(const CompiledParts& parts, const InternalRunOptions& options, const LaunchOwners& owners,
         std::uint32_t number);

  Model& model() { return model_; }
  const Model& model() const { return model_; }
  DeviceRun& run() { return run_; }
  std::uint32_t number() const { return number_; }
  bool is_done() const { return model().is_done(); }

  /// Returns the next time at which something happens on this device, or kEndOfTime if nothing will or the device is
  /// done. Everything before that time has happened.
  SimTime next() const { return next_; }
  /// Recomputes next() from the model, because an earlier event may have been added.
  void find_next();

  /// Advances alone to `horizon`, before which no other device affects this one, by at most `max_instants`. Stops
  /// within an instant in which a launch ends for which other devices wait, and after an instant in which a copy or an
  /// exchange begins. Returns the number of instants.
  std::uint64_t run_until(SimTime horizon, std::uint64_t max_instants);

  // One instant, together with other devices:
  /// Begins the instant next().
  void begin();
  bool is_in_instant() const { return is_in_instant_; }
  bool has_rank() { return is_in_instant_ && !model().state().events.instant_is_over(); }
  /// Returns its position within the instant: the ranks in order, starting again from the first after each dispatch
  /// turn.
  std::size_t place() { return turns_ * kRankCount + model().state().events.lowest_rank(); }
  /// Moves its position in the instant up to that of `other`, whose event reaches it.
  void catch_up_with(const Member& other) { turns_ = std::max(turns_, other.turns_); }
  /// Handles the events of the lowest rank; returns their number.
  std::uint64_t handle();
  /// Calls `use(launch)` for each launch of the host that has ended here since the last call.
  template <class Use>
  void take_ends(Use use);
  void end();
  /// Returns true if a stop was requested and this instant has handled too many events to wait for its end.
  bool gives_up(std::uint64_t events) const { return broadcast_.gives_up(events); }

  /// Returns the changes of the number of resident threads, oldest first. They stay until the caller removes them.
  std::vector<ResidentChange>& changes() { return changes_; }

 private:
  /// Handles events alone. Returns true unless the rest of the instant may concern other devices.
  bool handle_alone();
  /// Reports the instant, which is over.
  void report();
  bool others_wait_for(LaunchId launch) const;

  const LaunchOwners& owners_;
  std::uint32_t number_;
  DeviceRun run_;
  Model& model_;
  Broadcast broadcast_;
  StopToken stop_;
  SimTime next_;
  bool is_in_instant_ = false;
  std::size_t turns_ = 0;         ///< dispatch turns of this instant
  std::size_t facts_seen_ = 0;    ///< of this instant's launch_facts()
  std::size_t awaited_left_ = 0;  ///< launches that have not ended and for which other devices wait
  std::uint64_t resident_ = 0;    ///< threads, after the last instant
  std::vector<ResidentChange> changes_;
};

template <class Use>
void Member::take_ends(Use use) {
  for (; facts_seen_ < model().launch_facts().size(); ++facts_seen_) {
    const LaunchFact fact = model().launch_facts()[facts_seen_];
    if (fact.kind != LaunchFact::Event::ended || !others_wait_for(fact.launch)) continue;
    --awaited_left_;
    use(fact.launch);
  }
}

// Rule, to the picosecond: collectives.
//
// A collective is a launch on each of its devices. Each of these launches holds its cores until the exchange has ended.
// The exchange begins once all threads of all of them are resident. It goes in rounds; a round begins when the last
// transfer of the previous round has ended. In a ring of N devices, each device sends bytes / N, rounded up, to the
// next device in every round: N - 1 rounds for reduce_scatter and for all_gather, 2 (N - 1) for all_reduce. In a binary
// tree, device i of the list has i's children 2i + 1 and 2i + 2: for broadcast, all bytes go down level by level from
// the first device; for all_reduce, they go up level by level before. The work of reducing takes no time of its own;
// after the exchange, each thread ends after one cycle of its device's clock. Chunks of one round do not overlap those
// of the next, so that latency counts in full in every round.

using ExchangeRound = std::vector<LinkTransfers::Transfer>;

/// Returns the rounds of a collective, with tag 0 in each transfer; empty for a collective of one device.
std::vector<ExchangeRound> exchange_rounds(const Collective& collective);

/// Transfers over links: copies from device to device, and the exchanges of collectives.
class Exchanges {
 public:
  /// A launch on a device.
  struct Part {
    std::uint32_t device = 0;
    LaunchId launch{};
  };
  /// The copies and exchanges that end at one instant.
  struct Ends {
    std::vector<Part> copies;
    std::vector<Part> exchanges;
  };

  /// All arguments must outlive this.
  Exchanges(std::span<const DeviceLink> links, std::span<const Collective> collectives);

  /// Begins a copy of this many bytes, now, on `part`'s device.
  void begin_copy(SimTime now, const Part& part, std::uint32_t to, Bytes bytes);
  /// Must be called when all threads of one part of a collective of at least two devices are resident.
  void arrive(SimTime now, const Part& part);
  std::optional<SimTime> next() const { return transfers_.next(); }
  /// Advances to `now`, which must be next(). Returns the copies and exchanges that end.
  Ends advance(SimTime now);

 private:
  /// The progress of a collective.
  struct Progress {
    std::size_t arrived = 0;
    std::size_t round = 0;      ///< the next round
    std::size_t transfers = 0;  ///< transfers of this round that have not ended
    std::vector<ExchangeRound> rounds;
  };

  std::vector<Part> parts_of(std::size_t collective) const;
  /// Begins the next round. Returns true if there is one.
  bool begin_round(SimTime now, std::size_t collective);

  std::span<const Collective> collectives_;
  LinkTransfers transfers_;
  std::map<LaunchId, std::size_t> collective_of_;  ///< by launch of a part
  std::vector<Progress> progress_;                 ///< by collective
  std::vector<Part> copies_;                       ///< begun copies; `Transfer::of` numbers them after all collectives
};

}  // namespace gdsim
