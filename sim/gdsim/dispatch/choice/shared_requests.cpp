#include <gdsim/dispatch/choice/shared_requests.hpp>

#include <gdsim/dispatch/choice/equal_launches.hpp>

#include <gdsim/dispatch/shares/admission.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// By kind: number of its launches.
std::vector<std::uint32_t> sizes_of(const LaunchClasses& kinds) {
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t kind : kinds.numbers()) {
    if (kind >= sizes.size()) sizes.resize(std::size_t{kind} + 1);
    ++sizes[kind];
  }
  return sizes;
}

}  // namespace

LaunchClasses classify_by_shared_request(const DispatchRules& rules, const DispatchTraits& traits,
                                         const Workload& workload, const LaunchProgress& progress,
                                         const LaunchClasses& requests, const LaunchClasses& kinds) {
  if (!traits.allow_shared_requests()) return {};
  const std::vector<std::uint32_t> sizes = sizes_of(kinds);
  std::vector<std::uint32_t> shared;
  for (std::size_t i = 0; i < requests.launch_count(); ++i) {
    const auto id = static_cast<LaunchId>(i);
    const Launch& launch = workload.launches[i];
    // In a round robin, which launch of several of a kind comes first depends on whose turn it was.
    const bool first_is_fixed = rules.kernel_choice == KernelChoice::skip_blocked || sizes[kinds[id]] == 1;
    const bool shares = launch.is_kernel() && launch.parent() == nullptr && first_is_fixed && progress.is_uniform(id) &&
                        workload.kernel_of(launch).cluster_size() == 1;
    shared.push_back(shares ? requests[id] : kNoClass);
  }
  // A single kind has no other to share with.
  std::vector<std::uint32_t> first_kind(requests.launch_count() + 1, kNoClass);
  const bool one_shares = std::any_of(shared.begin(), shared.end(), [&, i = std::size_t{0}](std::uint32_t of) mutable {
    const std::uint32_t kind = kinds.numbers()[i++];
    if (of == kNoClass) return false;
    if (first_kind[of] == kNoClass) first_kind[of] = kind;
    return first_kind[of] != kind;
  });
  return one_shares ? LaunchClasses(std::move(shared)) : LaunchClasses();
}

}  // namespace gdsim
