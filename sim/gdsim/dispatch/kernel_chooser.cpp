#include <gdsim/dispatch/kernel_chooser.hpp>

#include <gdsim/dispatch/head_chooser.hpp>
#include <gdsim/dispatch/round_robin_chooser.hpp>
#include <gdsim/dispatch/skipping_chooser.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {

std::vector<std::uint32_t> request_kinds(const Workload& workload, const CoreSelections& cores) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(workload.launches.size());
  std::map<std::tuple<KernelId, std::uint32_t, bool>, std::uint32_t> known;
  auto last = known.end();
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    const Launch& launch = workload.launches[i];
    const KernelId kernel = launch.is_copy() ? KernelId{} : launch.as_kernel().kernel;  // a copy is never asked
    const std::tuple asked(kernel, cores.number_of(static_cast<LaunchId>(i)), launch.parent() != nullptr);
    if (last == known.end() || last->first != asked)
      last = known.emplace(asked, static_cast<std::uint32_t>(known.size())).first;
    numbers.push_back(last->second);
  }
  return numbers;
}

std::vector<std::uint32_t> refused_together(const Workload& workload, const CoreSelections& cores) {
  std::vector<std::uint32_t> numbers = request_kinds(workload, cores);
  const auto highest = std::max_element(numbers.begin(), numbers.end());
  std::uint32_t next = highest == numbers.end() ? 0 : *highest + 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Launch& launch = workload.launches[i];
    if (!launch.is_copy() && workload.kernel_of(launch).has_smaller_groups()) numbers[i] = next++;
  }
  return numbers;
}

std::vector<std::uint32_t> child_depths(const Workload& workload) {
  // A child stands behind its parent in the list.
  std::vector<std::uint32_t> depths(workload.launches.size(), 0);
  for (std::size_t i = 0; i < depths.size(); ++i)
    if (const LaunchParent* parent = workload.launches[i].parent()) depths[i] = depths[index_of(parent->launch)] + 1;
  return depths;
}

std::vector<std::uint32_t> with_shared(std::vector<std::uint32_t> numbers, std::span<const std::uint32_t> shared) {
  std::uint32_t next = 0;
  std::map<std::pair<bool, std::uint32_t>, std::uint32_t> known;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const bool shares = shared[i] != kNotShared;
    const auto [entry, is_new] = known.try_emplace({shares, shares ? shared[i] : numbers[i]}, next);
    next += is_new ? 1 : 0;
    numbers[i] = entry->second;
  }
  return numbers;
}

std::unique_ptr<KernelChooser> make_kernel_chooser(const DispatchRules& rules, const Workload& workload,
                                                   const CoreSelections& cores, std::span<const std::uint32_t> shared) {
  switch (rules.kernel_choice) {
    case KernelChoice::skip_blocked: return std::make_unique<SkippingChooser>(workload, cores, shared);
    case KernelChoice::round_robin:
      return std::make_unique<RoundRobinChooser>(workload, cores, rules.core_sharing, shared);
    case KernelChoice::head_only: break;
    case KernelChoice::priority: return std::make_unique<HeadChooser>(workload, ObeyPriorities::yes);
  }
  return std::make_unique<HeadChooser>(workload, ObeyPriorities::no);
}

}  // namespace gdsim
