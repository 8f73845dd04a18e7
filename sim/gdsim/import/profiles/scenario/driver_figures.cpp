#include <gdsim/import/profiles/scenario/driver_figures.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/fit/clusters.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

std::string clusters_note(std::uint32_t active, const Occupancy& occupancy, const DeviceSpec& device) {
  if (!occupancy.active_clusters || *occupancy.active_clusters == active) return "";
  const std::string note = fmt::format("the driver counts {} at once (maxActiveClusters), the model of {} {}",
                                       counted(active, "cluster"), device.id, *occupancy.active_clusters);
  const auto assumed = assumed_groups_note(device);
  return assumed ? note + ". " + *assumed : note;
}

std::string slm_note(std::uint32_t bytes, const Occupancy& occupancy, const DeviceSpec& device) {
  const Bytes set{bytes};
  const std::string said = fmt::format("the driver set {} of each {} aside as shared memory (sharedMemoryExecuted)",
                                       to_text(set), device.terms.core);
  const auto& pools = device.slm.pools;
  if (std::find(pools.begin(), pools.end(), set) == pools.end())
    return said + ", to which the model of " + device.id + " does not set it";
  const Bytes one = occupancy.allocated_slm;
  if (one > set)
    return fmt::format("{}, in which no {} of {} fits: it is not used", said, device.terms.work_group, to_text(one));
  const std::uint64_t fitting =
      one.count == 0 ? occupancy.work_groups_per_core : static_cast<std::uint64_t>(set.count / one.count);
  if (fitting >= occupancy.work_groups_per_core) return "";
  return fmt::format(
      "{}, in which {} fit; the model holds {}. `carveout_percent: {}` of the kernel says it in the "
      "scenario",
      said, counted(fitting, device.terms.work_group), occupancy.work_groups_per_core,
      set.count * 100 / device.slm.per_core.count);
}

}  // namespace

void DriverFigures::add(const ProfiledLaunch& launch) {
  if (launch.active_clusters > 0) active_clusters.insert(launch.active_clusters);
  if (launch.slm_of_core > 0) slm_of_core.insert(launch.slm_of_core);
}

std::vector<std::string> driver_notes(const DriverFigures& figures, const Kernel& kernel, const DeviceSpec& device) {
  std::vector<std::string> notes;
  if (figures.active_clusters.empty() && figures.slm_of_core.empty()) return notes;
  const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::any);
  const auto add = [&](std::string note) {
    if (!note.empty()) notes.push_back(std::move(note));
  };
  for (const std::uint32_t active : figures.active_clusters) add(clusters_note(active, occupancy, device));
  if (device.slm.pools.empty()) return notes;
  for (const std::uint32_t bytes : figures.slm_of_core) add(slm_note(bytes, occupancy, device));
  return notes;
}

}  // namespace gdsim
