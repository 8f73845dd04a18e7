#pragma once

#include <gdsim/dispatch/placement/core_selections.hpp>
#include <gdsim/workload/workload.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// The number of a launch that shares its request with no other.
inline constexpr std::uint32_t kNotShared = ~std::uint32_t{0};

/// Returns, by launch, numbers that are equal for launches of the same kernel on the same cores. Children have numbers
/// of their own, because they may always begin.
std::vector<std::uint32_t> classes_by_kernel_and_cores(const Workload& workload, const CoreSelections& cores);

/// Returns, by launch, numbers that are equal for launches that are refused together in a turn: they have the same
/// kernel, cores and next work-group. A launch whose kernel has smaller work-groups at its edges has its own number.
std::vector<std::uint32_t> classes_by_next_work_group(const Workload& workload, const CoreSelections& cores);

/// Returns `numbers` with one number for all launches that share a request. `shared` is that of
/// classes_by_shared_request().
std::vector<std::uint32_t> merged_by_shared_request(std::vector<std::uint32_t> numbers,
                                                    std::span<const std::uint32_t> shared);

}  // namespace gdsim
