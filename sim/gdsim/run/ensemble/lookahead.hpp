#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/ensemble/ensemble.hpp>
#include <gdsim/run/ensemble/member.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// One instant on several devices together, rank by rank.
class CommonInstant {
 public:
  using Members = std::vector<std::unique_ptr<Member>>;

  CommonInstant(const Members& members, const LaunchOwners& owners) : members_(members), owners_(owners) {}

  /// Handles everything that happens at `now`, on all devices whose next instant it is. Devices that have stopped
  /// within this instant continue it.
  void take(SimTime now);
  /// Returns true if the launch has ended and all devices on which something waits for it know that.
  bool is_reported(LaunchId launch) const { return !reported_.empty() && reported_[index_of(launch)]; }

 private:
  void begin(Member& member);
  std::optional<std::size_t> lowest_place() const;
  /// Reports launches that have ended on one device to the devices that wait for them.
  void report_ends(Member& member, SimTime now);

  const Members& members_;
  const LaunchOwners& owners_;
  std::vector<Member*> in_instant_;
  std::vector<bool> reported_;  ///< by launch of the host; empty: none yet
};

/// Computes the time up to which each device can advance alone before another device or a link may affect it.
///
/// Three things affect a device: the end of a launch on another device for which something waits here, the end of its
/// own copy over a link, and the end of an exchange in which it takes part. Each has a lower bound: the present time of
/// the devices on which something must end before it, plus the minimum duration of transfers. A launch that itself
/// waits for a launch of the device in question sets no bound, because that device stops where its launch ends.
class Lookahead {
 public:
  /// There must be at most 64 devices. All arguments must outlive this.
  Lookahead(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
            std::span<const DeviceLink> links, std::span<const Collective> collectives);

  /// Returns the number of launches that each evaluation considers; 0: devices never wait for each other.
  std::size_t size() const { return looked_at_.size(); }

  // These functions report events.
  /// A copy over a link has begun, or all threads of a part of a collective have become resident.
  void on_begun(LaunchId launch, SimTime at);
  /// The launch has been handed to the links: it ends no earlier than their next event.
  void on_handed_to_links(LaunchId launch);
  /// The transfers of a copy or a part have ended, and its device has been notified.
  void on_transfers_ended(LaunchId launch) { nodes_[index_of(launch)].is_notified = true; }

  /// The present state of devices and links.
  struct Now {
    std::span<const SimTime> next;            ///< by device
    SimTime next_of_links;                    ///< of the transfers that were handed to them
    std::function<bool(LaunchId)> has_ended;  ///< and the other devices that wait for it were notified
  };
  /// Returns, by device, a time before which no other device and no link affects it.
  const std::vector<SimTime>& horizons(const Now& now);

 private:
  struct Node {
    std::vector<LaunchId> before;             ///< in looked_at_ and earlier in the file: these end no later
    std::optional<std::size_t> collective{};  ///< the collective that it is a part of
    bool is_copy = false;                     ///< over a link
    std::optional<SimTime> begun{};           ///< see on_begun()
    bool is_with_links = false;               ///< see on_handed_to_links()
    bool is_notified = false;                 ///< see on_transfers_ended()
    Duration min_duration{};                  ///< of a copy
    // From the last evaluation: the end is not before `bound`, and something on the devices of `needs` must end first.
    SimTime bound{};
    std::uint64_t needs = 0;
  };
  struct Exchange {
    Duration min_duration;
    SimTime bound{};                 ///< of its end
    std::uint64_t needs = 0;         ///< devices whose part has not begun
    std::size_t not_with_links = 0;  ///< parts that were not handed to the links
  };

  void look_at(std::span<const CompiledParts* const> devices);
  void look_once(const Now& now);
  void bound_exchanges(const Now& now);
  void bound_end(LaunchId launch, const Now& now);
  void limit(std::uint32_t device, SimTime horizon);

  const LaunchOwners& owners_;
  std::span<const Collective> collectives_;
  std::vector<Node> nodes_;          ///< by launch of the host
  std::vector<Exchange> exchanges_;  ///< by collective
  std::vector<LaunchId> looked_at_;  ///< evaluated launches that have not ended, ascending
  std::vector<SimTime> earliest_;    ///< by device: nothing happens there before
  std::vector<SimTime> reached_;     ///< by device: no other device affects it before, independently of its own work
  std::vector<SimTime> horizons_;    ///< by device
};

}  // namespace gdsim
