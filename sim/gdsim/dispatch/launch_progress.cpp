#include <gdsim/dispatch/launch_progress.hpp>

namespace gdsim {
namespace {

/// Equal for footprints that are.
std::vector<std::int64_t> words_of(const Footprint& footprint) {
  std::vector<std::int64_t> words{footprint.threads, footprint.thread.contexts,
                                  static_cast<std::int64_t>(footprint.thread.registers),
                                  static_cast<std::int64_t>(footprint.thread.scalar_registers)};
  for (const Amounts& amounts : {footprint.work_group, footprint.whole, footprint.capacity})
    for (const Pool pool : kPools) words.push_back(amounts[pool]);
  return words;
}

}  // namespace

LaunchProgress::LaunchProgress(const DeviceSpec& device, const Workload& workload)
    : device_(device), workload_(workload) {
  full_.reserve(workload.kernels.size());  // states point there
  std::map<std::vector<std::int64_t>, const Footprint*> known;
  std::vector<State> fresh;  // by kernel
  for (const Kernel& kernel : workload.kernels) {
    const Footprint full = make_footprint(kernel, device, static_cast<std::uint32_t>(kernel.threads_per_work_group()));
    const Footprint*& object = known[words_of(full)];
    if (object == nullptr) object = &full_.emplace_back(full);
    fresh.push_back({0, kernel.range.group_count(), 0, object, kernel.has_smaller_groups()});
  }
  states_.reserve(workload.launches.size());
  for (const Launch& launch : workload.launches)
    states_.push_back(launch.is_copy() ? State{} : fresh[index_of(launch.kernel)]);
}

const Kernel& LaunchProgress::kernel(LaunchId launch) const {
  return workload_.kernel_of(workload_.launches[index_of(launch)]);
}

const Footprint& LaunchProgress::edge_footprint(LaunchId launch, std::uint32_t threads) {
  const KernelId id = workload_.launches[index_of(launch)].kernel;
  const auto known = edges_.find({id, threads});
  if (known != edges_.end()) return known->second;
  return edges_.emplace(std::pair(id, threads), make_footprint(kernel(launch), device_, threads)).first->second;
}

}  // namespace gdsim
