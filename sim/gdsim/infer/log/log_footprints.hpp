#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/fit/footprint.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <string>
#include <vector>

namespace gdsim {

/// The device of a log: the model's, with as many cores as the log shows where the model is that of a family, or where
/// the log is that of one shader engine. A core beyond those of a product is added to `problems`.
DeviceSpec device_of_log(const DeviceSpec& model, PlacementLog& log, const SourceText& source, Diagnostics& problems);

/// What a work-group of each launch of a session needs, and the cores by which it is judged. All launches are as the
/// device says, or, where a log does not describe them, as many to a core as it shows at once.
struct LogFootprints {
  DeviceSpec device;
  std::vector<Footprint> of_launch;
  bool is_described = false;  ///< they are as the log and the device say
};

/// A core of the session holds more work-groups at once than fit by what the log says of them; not known where it does
/// not say how large they are.
bool holds_more_than_fit(const LogSession& session, LogTime time, const DeviceSpec& device);

/// Those of a session on the device. Where work-groups are admitted whole, a log that shows more on a core at once than
/// the device says is believed. What had to be assumed is added to `notes`, what the device could never hold to
/// `problems`.
LogFootprints footprints_of(const LogSession& session, LogTime time, const DeviceSpec& device, Admission admission,
                            std::vector<std::string>& notes, Diagnostics& problems);

}  // namespace gdsim
