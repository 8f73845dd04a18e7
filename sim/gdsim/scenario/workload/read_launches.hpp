#pragma once

#include <gdsim/scenario/ensemble/launch_device.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <vector>

namespace gdsim {

/// The parts of the launches that can be checked even if others could not be read.
struct ReadLaunches {
  std::vector<bool> has_subject;  ///< by launch: its kernel or copy is as the user wrote it
  /// By launch: its name is unique, and its time, if it matters, is as the user wrote it. A named but unknown launch
  /// imposes no order, nor does a buffer that could not be read.
  std::vector<bool> has_order;
  /// By launch: its item in the list; with a `count:`, several come from one.
  std::vector<std::size_t> items;
  std::vector<Collective> collectives;
};

/// Reads `launches:` of the kernels in `workload`, by their names. Reports launches that cannot be read. With several
/// devices, reads those of `own`; the others are remote. `own` is null if there is one device.
ReadLaunches read_launches(const YamlNode& node, Workload& workload, const ValueReader& values,
                           const OwnDevice* own = nullptr);

}  // namespace gdsim
