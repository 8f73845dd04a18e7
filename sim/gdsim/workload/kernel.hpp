#pragma once

#include <gdsim/workload/nd_range.hpp>
#include <gdsim/workload/program.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Whether a kernel asked to be given more shared local memory than the default limit.
enum class SlmOptIn : std::uint8_t { no, yes };

/// The shared local memory of a work-group, as asked.
struct SlmRequest {
  Bytes total;
  Bytes dynamic;  ///< the part of `total` that is given at launch
  SlmOptIn opt_in = SlmOptIn::yes;
  std::optional<Bytes> max_dynamic;  ///< the most dynamic memory that the kernel opted in for; nothing: what it asks
  std::optional<std::uint32_t> carveout_percent;  ///< how much of the core should be memory, the rest being cache
};

/// Whether threads are compiled for the usual register file or the large one.
enum class GrfMode : std::uint8_t { normal, large };

/// What a work-group needs of its core besides contexts.
struct KernelNeeds {
  SlmRequest slm;
  std::uint32_t registers = 0;               ///< vector registers per work-item
  std::uint32_t accumulation_registers = 0;  ///< per work-item
  std::uint32_t scalar_registers = 0;        ///< per thread
  GrfMode grf = GrfMode::normal;
  std::optional<std::uint32_t> barriers;  ///< per work-group; nothing: what the program or the device implies
};

/// All durations of one work-group are multiplied by `factor`.
struct WorkGroupFactor {
  WorkGroupId work_group{};
  Decimal factor;
};

/// How factors are drawn: mean 1, standard deviation `cv`.
enum class Distribution : std::uint8_t { normal, lognormal, uniform };

/// Who draws: every work-group once for all its threads, or every thread for itself.
enum class DrawPer : std::uint8_t { work_group, thread };

/// Factors drawn at random, the same for the same seed.
struct Draw {
  Distribution distribution = Distribution::normal;
  Decimal cv;  ///< coefficient of variation: standard deviation / mean
  DrawPer per = DrawPer::work_group;
  std::uint64_t seed = 0;
};

/// How the work of a kernel's work-groups differs.
struct Variation {
  std::vector<WorkGroupFactor> factors;  ///< ascending work-groups; they win over the draw
  std::optional<Draw> draw;
};

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
