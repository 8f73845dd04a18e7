#pragma once

#include <gdsim/run/ensemble/launch_owners.hpp>
#include <gdsim/run/ensemble/member.hpp>

#include <cstdint>
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

}  // namespace gdsim
