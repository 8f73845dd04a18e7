#pragma once

#include <gdsim/workload/kernel_needs.hpp>
#include <gdsim/workload/nd_range.hpp>
#include <gdsim/workload/program.hpp>
#include <gdsim/workload/variation.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// What happens where `global` is no multiple of `local`.
enum class EdgeGroups : std::uint8_t { refused, smaller };

/// A kernel as a user describes it: how much work, what each work-group needs, what its threads do.
struct Kernel {
  std::string name;
  NdRange range;
  EdgeGroups edge_groups = EdgeGroups::refused;
  std::uint32_t sub_group = 0;  ///< work-items per thread
  KernelNeeds needs;
  Program program;
  std::optional<Bytes> working_set;  ///< that a resident work-group keeps going back to; nothing: it only streams
  Variation variation;

  /// ceil(local / sub_group) of a full work-group.
  std::uint64_t threads_per_work_group() const;
  /// The same of one work-group, which may be smaller at an uneven edge.
  std::uint64_t threads_of(WorkGroupId group) const;
  /// Some work-groups, at an edge, are smaller than others.
  bool has_smaller_groups() const { return edge_groups != EdgeGroups::refused && !range.is_uniform(); }
  /// The numbers of threads that work-groups of it have, each once: eight at most. Not those of a range without any.
  std::vector<std::uint64_t> thread_counts() const;
  /// The threads of all work-groups.
  std::uint64_t threads_total() const;
};

}  // namespace gdsim
