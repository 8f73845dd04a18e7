#pragma once

#include <gdsim/scenario/devices/own_device.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstddef>
#include <vector>

namespace gdsim {

/// What of the launches can be checked although other things could not be read.
struct ReadLaunches {
  std::vector<bool> has_subject;  ///< by launch: its kernel or copy is as the user wrote it
  /// By launch: its name is only its own, and its time, if that matters, is as the user wrote it. A launch
  /// that is named but unknown imposes no order, and nor does a buffer that could not be read.
  std::vector<bool> has_order;
  /// By launch: the item of the list that it comes from; with a `count:`, several come from one.
  std::vector<std::size_t> items;
  std::vector<Collective> collectives;
};

/// Reads `launches:` of the kernels in `workload`, by their names. What cannot be read is reported. Of several devices,
/// those of `own` are read; the others are elsewhere. Null: there is one.
ReadLaunches read_launches(const YamlNode& node, Workload& workload, const ValueReader& values,
                           const OwnDevice* own = nullptr);

}  // namespace gdsim
