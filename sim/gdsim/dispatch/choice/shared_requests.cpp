#include <gdsim/dispatch/choice/shared_requests.hpp>

#include <gdsim/dispatch/choice/equal_launches.hpp>

#include <gdsim/dispatch/turn/admission.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// Returns, by kind, the number of its launches.
std::vector<std::uint32_t> sizes_of(const std::vector<std::uint32_t>& kinds) {
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t kind : kinds) {
    if (kind >= sizes.size()) sizes.resize(std::size_t{kind} + 1);
    ++sizes[kind];
  }
  return sizes;
}

}  // namespace

std::vector<std::uint32_t> classes_by_shared_request(const DispatchRules& rules, const DispatchTraits& traits,
                                                     const Workload& workload, const LaunchProgress& progress,
                                                     const std::vector<std::uint32_t>& classes,
                                                     const std::vector<std::uint32_t>& kinds) {
  if (!traits.allow_shared_requests()) return {};
  const std::vector<std::uint32_t> sizes = sizes_of(kinds);
  std::vector<std::uint32_t> shared;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const Launch& launch = workload.launches[i];
    // In a round robin with several launches of a kind, the first one depends on the launch that was served last.
    const bool first_is_fixed = rules.kernel_choice == KernelChoice::skip_blocked || sizes[kinds[i]] == 1;
    const bool shares = launch.is_kernel() && launch.parent() == nullptr && first_is_fixed &&
                        progress.is_uniform(static_cast<LaunchId>(i)) && workload.kernel_of(launch).cluster_size() == 1;
    shared.push_back(shares ? classes[i] : kNotShared);
  }
  // A request is shared only if several kinds have the same class.
  std::vector<std::uint32_t> first_kind(classes.size() + 1, kNotShared);
  const bool one_shares = std::any_of(shared.begin(), shared.end(), [&, i = std::size_t{0}](std::uint32_t of) mutable {
    const std::uint32_t kind = kinds[i++];
    if (of == kNotShared) return false;
    if (first_kind[of] == kNotShared) first_kind[of] = kind;
    return first_kind[of] != kind;
  });
  return one_shares ? shared : std::vector<std::uint32_t>{};
}

}  // namespace gdsim
