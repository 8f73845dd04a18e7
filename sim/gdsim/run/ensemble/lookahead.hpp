#pragma once

#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace gdsim {

/// How far each device can go alone before anything of another one, or of a link, may reach it.
///
/// Three things reach a device: the end of a launch elsewhere that something here waits for, the end of its own copy
/// over a link, and the end of an exchange in which it takes part. None comes before what must have happened: the
/// devices of which something must still end are as far as they are, and bytes take their time. What waits itself for
/// a launch of the device that asks sets no bound, because that device stops where its launch ends.
class Lookahead {
 public:
  /// At most 64 devices. All must outlive this.
  Lookahead(std::span<const CompiledParts* const> devices, const LaunchOwners& owners,
            std::span<const DeviceLink> links, std::span<const Collective> collectives);

  /// Launches that are looked at each time; 0: devices never wait for each other.
  std::size_t size() const { return looked_at_.size(); }

  // What has happened.
  /// A copy over a link has begun, or all threads of a part of a collective are resident.
  void begins(LaunchId launch, SimTime at);
  /// The links know of it: it ends no earlier than whatever happens next there.
  void departs(LaunchId launch);
  /// The transfers of a copy or a part have ended, and its device knows.
  void lands(LaunchId launch) { nodes_[index_of(launch)].is_landed = true; }

  /// Where devices and links are.
  struct Now {
    std::span<const SimTime> next;            ///< by device
    SimTime next_of_links;                    ///< of what has departed
    std::function<bool(LaunchId)> has_ended;  ///< and all that wait elsewhere know
  };
  /// By device: nothing reaches it before this time.
  const std::vector<SimTime>& horizons(const Now& now);

 private:
  struct Node {
    std::vector<LaunchId> before;             ///< looked at, and earlier in the file: these end no later
    std::optional<std::size_t> collective{};  ///< it is a part of it
    bool is_copy = false;                     ///< over a link
    std::optional<SimTime> begun{};           ///< see begins()
    bool has_departed = false;
    bool is_landed = false;
    Duration min_duration{};  ///< of a copy
    // The end is not before this, and something of these devices has to end before, of the last look.
    SimTime bound{};
    std::uint64_t needs = 0;
  };
  struct Exchange {
    Duration min_duration;
    SimTime bound{};               ///< of its end
    std::uint64_t needs = 0;       ///< devices whose part has not begun
    std::size_t not_departed = 0;  ///< parts
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
  std::vector<LaunchId> looked_at_;  ///< that have not ended, ascending
  std::vector<SimTime> earliest_;    ///< by device: nothing happens there before
  std::vector<SimTime> reached_;     ///< by device: nothing reaches it before, whatever it does itself
  std::vector<SimTime> horizons_;    ///< by device
};

}  // namespace gdsim
