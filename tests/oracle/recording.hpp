#pragma once

#include "oracle/group_states.hpp"
#include "oracle/naive.hpp"
#include "oracle/time_use.hpp"
#include "oracle/world.hpp"

#include <cstdint>
#include <vector>

// The contents of the tables, recorded after each instant by visiting all objects.

namespace gdsim::oracle {

/// The residents of a core, of a launch, or of the device.
struct Residents {
  std::uint64_t threads = 0;
  std::uint64_t running = 0;
  std::uint64_t work_groups = 0;
  std::int64_t slm = 0;

  friend bool operator==(const Residents&, const Residents&) = default;
};

struct DeviceRow {
  Time time = 0;
  Residents residents;
  std::uint64_t partial = 0;
  std::uint64_t busy_cores = 0;
};
struct PartRow {
  Time time = 0;
  std::size_t part = 0;  ///< a core, or a launch
  Residents residents;
};

/// The worlds of one device, one for each process.
using Worlds = std::vector<World*>;

class Recording {
 public:
  /// The instant `now` begins.
  void time_passes(Time now, const Worlds& worlds);
  /// The instant `now` is over.
  void take_down(Time now, const Worlds& worlds);
  /// `all` is the only world, or the join of all of them.
  Tables tables(World& all, const Worlds& worlds);
  const std::vector<DeviceRow>& device_rows() const { return device_; }

 private:
  std::vector<DeviceRow> device_;
  std::vector<PartRow> cores_;
  std::vector<PartRow> launches_;
  std::vector<Residents> core_now_;
  std::vector<Residents> launch_now_;
  GroupStates group_states_;
  std::vector<TimeSpent> time_spent_;  ///< by world
};

}  // namespace gdsim::oracle
