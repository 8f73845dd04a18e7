#pragma once

#include <gdsim/run/ensemble/link_transfers.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gdsim {

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

/// Returns the rounds of a collective, with `of` = 0 in each transfer; empty for a collective of one device.
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
