#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// Returns the device of a log: the model, with the log's number of cores if the model is that of a family, or if the
/// log is that of one shader engine. A core beyond those of a product is added to `problems`.
DeviceSpec device_of_log(const DeviceSpec& model, PlacementLog& log, const SourceText& source, Diagnostics& problems);

/// The needs of a work-group of each launch of a session, and the capacity of a core. Both follow the device's rules
/// or, if a log does not describe the launches, the number that it shows at once on a core.
struct LogFootprints {
  DeviceSpec device;
  std::vector<Footprint> of_launch;
  bool is_described = false;  ///< they follow from the descriptions of the log and the device
};

/// Returns true if a core of the session holds more work-groups at once than fit by the log's description. Returns
/// false if the log does not describe their sizes.
bool holds_more_than_fit(const LogSession& session, LogTime time, const DeviceSpec& device);

/// Returns the footprints of a session on the device. If work-groups are admitted whole and the log shows more of them
/// on a core at once than the device allows, the log is believed. Assumptions are added to `notes`, work-groups that
/// the device could never hold to `problems`.
LogFootprints footprints_of(const LogSession& session, LogTime time, const DeviceSpec& device, Admission admission,
                            std::vector<std::string>& notes, Diagnostics& problems);

}  // namespace gdsim
