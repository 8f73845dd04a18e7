#pragma once

#include "oracle/group_states.hpp"
#include "oracle/naive.hpp"
#include "oracle/time_use.hpp"
#include "oracle/world.hpp"

#include <cstdint>
#include <vector>

// The contents of the tables, recorded after each instant by looking at everything.

namespace gdsim::oracle {

/// What is resident somewhere: on a core, of a launch, or on the device.
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

class Recording {
 public:
  /// The instant `world.now` begins.
  void time_passes(World& world) { time_spent_.take_down(world); }
  /// The instant `world.now` is over.
  void take_down(World& world);
  Tables tables(World& world);
  const std::vector<DeviceRow>& device_rows() const { return device_; }

 private:
  std::vector<DeviceRow> device_;
  std::vector<PartRow> cores_;
  std::vector<PartRow> launches_;
  std::vector<Residents> core_now_;
  std::vector<Residents> launch_now_;
  GroupStates group_states_;
  TimeSpent time_spent_;
};

}  // namespace gdsim::oracle
