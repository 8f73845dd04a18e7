#pragma once

#include "oracle/naive.hpp"

#include <string>
#include <vector>

// Devices that run together: worlds to which one host submits, and the links between them.

namespace gdsim::oracle {

/// One device, as for `simulate_devices`: launches of other devices are remote.
struct OneDevice {
  const DeviceSpec& device;
  const DispatchRules& rules;
  const Workload& workload;
};

struct TablesOfDevices {
  std::vector<Tables> devices;
  std::string all;  ///< totals of all devices
};

TablesOfDevices run_of_devices(const std::vector<OneDevice>& devices, const std::vector<DeviceLink>& links,
                               const std::vector<Collective>& collectives);

/// `outcome,begun,start,end,contexts_total,peak_resident,resident_time`
std::string totals_of_devices(bool has_completed, const std::vector<Int128>& numbers);

}  // namespace gdsim::oracle
