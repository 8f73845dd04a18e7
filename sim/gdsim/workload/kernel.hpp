#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/workload/program.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Work-items per dimension; unused dimensions are 1 and come first, so that the last runs fastest.
using Extent = std::array<std::uint64_t, 3>;

/// Returns the extent of these dimensions; more than three dimensions are cut off. Thread-safe.
Extent extent_of(std::span<const std::uint64_t> sizes);

/// Returns the product of the three dimensions; nullopt if it leaves 64 bits. Thread-safe.
std::optional<std::uint64_t> volume(const Extent& extent);

/// Work-items and their division into work-groups, numbered row-major, last dimension fastest (SYCL). A value: its
/// functions are thread-safe. All but is_countable() require that no part of `local` is 0.
struct NdRange {
  Extent global{1, 1, 1};
  Extent local{1, 1, 1};  ///< `global` need not be a multiple: work-groups at the edges may be smaller

  /// Returns true if the number of work-items, and so every number derived from it, fits into 64 bits.
  bool is_countable() const;
  /// Returns the work-groups per dimension.
  Extent groups() const;
  /// Returns the number of all work-groups. It must fit into 64 bits.
  std::uint64_t group_count() const;
  /// Returns the work-items of a full work-group.
  std::uint64_t group_size() const;
  /// Returns the work-items of one work-group: smaller than group_size() at an uneven edge.
  std::uint64_t group_size(WorkGroupId group) const;
  /// Returns true if every work-group is full.
  bool is_uniform() const;
};

/// Whether a kernel opted in for more shared local memory than the default limit.
enum class SlmOptIn : std::uint8_t { no, yes };

/// The shared local memory of a work-group, as requested.
struct SlmRequest {
  Bytes total;
  Bytes dynamic;  ///< the part of `total` that is set at launch
  SlmOptIn opt_in = SlmOptIn::yes;
  /// The maximum of dynamic memory for which the kernel opted in; nullopt: the amount that it requests.
  std::optional<Bytes> max_dynamic;
  std::optional<std::uint32_t> carveout_percent;  ///< percentage of the core's memory for SLM, the rest being cache
};

/// Whether threads are compiled for the usual register file or the large one.
enum class GrfMode : std::uint8_t { normal, large };
constexpr auto words_of(GrfMode) { return std::array<std::string_view, 2>{"false", "true"}; }

/// The resources that a work-group needs of its core besides contexts.
struct KernelNeeds {
  SlmRequest slm;
  std::uint32_t registers = 0;               ///< vector registers per work-item
  std::uint32_t accumulation_registers = 0;  ///< per work-item
  std::uint32_t scalar_registers = 0;        ///< per thread
  GrfMode grf = GrfMode::normal;
  std::optional<std::uint32_t> barriers;  ///< per work-group; nullopt: what the program or the device implies
};

/// All durations of one work-group are multiplied by `factor`.
struct WorkGroupFactor {
  WorkGroupId work_group{};
  Decimal factor = Decimal::whole(1);
  /// Instead of a factor: the time for which each thread is resident. Only for a kernel whose program is one `compute`.
  std::optional<StepTime> duration{};
};

/// How factors are drawn: mean 1, standard deviation `cv`.
enum class Distribution : std::uint8_t { normal, lognormal, uniform };
constexpr auto words_of(Distribution) { return std::array<std::string_view, 3>{"normal", "lognormal", "uniform"}; }

/// The unit of a draw: once per work-group for all its threads, once per thread, or once per launch for all its
/// work-groups.
enum class DrawPer : std::uint8_t { work_group, thread, launch };
constexpr auto words_of(DrawPer) { return std::array<std::string_view, 3>{"work_group", "thread", "launch"}; }

/// Whether the kernel declares the draw, or the draw is the default of kernels whose threads share a resource.
enum class DrawOrigin : std::uint8_t { declared, by_default };

/// Factors drawn at random, the same for the same seed.
struct Draw {
  Distribution distribution = Distribution::normal;
  Decimal cv;  ///< coefficient of variation: standard deviation / mean
  DrawPer per = DrawPer::work_group;
  std::uint64_t seed = 0;
  DrawOrigin origin = DrawOrigin::declared;
  /// A factor of 1 - x becomes 1 + x, so that the draw shortens nothing.
  bool only_lengthens = false;
};

template <class Visit>
void visit_keys(Is<Draw> auto& rule, Visit visit) {
  visit("distribution", rule.distribution);
  visit("cv", rule.cv);
  visit("per", rule.per);
  visit("seed", rule.seed);
}

/// Returns the default draw of a kernel whose threads share a resource: no two work-groups of real hardware take
/// exactly equal time.
///
/// `cv` 0.5 % is within the range of thread traces for equal work-groups of a GEMM (0.2 to 0.6 %: RDNA 3 and 4,
/// tinygrad/tinygrad@a9069c17 and f8de1939).
Draw default_draw();

/// How the work of a kernel's work-groups differs.
struct Variation {
  std::vector<WorkGroupFactor> factors;  ///< ascending work-groups; they override the draw
  std::optional<Draw> draw;              ///< as declared; which one is in force: draw_in_force()
  bool is_lock_step = false;             ///< nothing is drawn by default: equal work-groups take equal time
  /// Multiplies the factors of a work-group whose first thread is placed on a core on which no thread of its launch has
  /// ended yet; nullopt: 1. It does not apply to a work-group's own duration.
  std::optional<Decimal> first_wave{};
};

template <class Visit>
void visit_keys(Is<Variation> auto& rule, Visit visit) {
  visit("first_wave", rule.first_wave);
}

/// Programs of single work-groups, for kernels whose work-groups differ: triangular loops, causal masks. All have the
/// same steps in the same order (have_same_steps()); counts of loops and amounts of steps may differ.
struct GroupPrograms {
  std::vector<Program> others;  ///< besides the kernel's `program`; each once
  /// By work-group: 0: `program`, i: others[i - 1]. Empty: all have `program`.
  std::vector<std::uint32_t> of_group;
};

/// The maximum number of programs that the work-groups of a kernel have.
inline constexpr std::size_t kMaxGroupPrograms = 65'536;

/// When the children that work-groups launch are submitted: at the step that launches them; when their work-group next
/// comes to a step that waits for a child, or ends; or once all work-groups of the launch have ended and its stores are
/// acknowledged.
enum class ChildrenBegin : std::uint8_t { with_parent, at_wait, after_parent };
constexpr auto words_of(ChildrenBegin) {
  return std::array<std::string_view, 3>{"with_parent", "at_wait", "after_parent"};
}

/// The treatment of a range whose `global` is not a multiple of `local`.
enum class EdgeGroups : std::uint8_t { refused, smaller };
constexpr auto words_of(EdgeGroups) { return std::array<std::string_view, 2>{"false", "true"}; }

/// A kernel as a user describes it: its amount of work, the needs of each work-group, and the program of its threads. A
/// value: its functions are thread-safe. Those that count threads require a `sub_group` above 0 and a `range` that
/// NdRange's functions allow.
///
///     gdsim::Kernel kernel;
///     kernel.name = "add";
///     kernel.range = {.global = {1, 1, 4096}, .local = {1, 1, 64}};  // 64 work-groups of 64 work-items
///     kernel.sub_group = 32;                                         // each of 2 threads
///     kernel.needs.slm.total = gdsim::Bytes{4096};
///     kernel.program = {gdsim::Memory{.bytes = gdsim::Bytes{1024}}, gdsim::Barrier{}};
struct Kernel {
  std::string name;
  NdRange range;
  EdgeGroups edge_groups = EdgeGroups::refused;
  std::uint32_t sub_group = 0;  ///< work-items per thread; compile() refuses 0
  /// Work-groups of a cluster: their number, or their number in each dimension, the last one fastest; empty: 1.
  std::vector<std::uint64_t> cluster{};
  /// Work-groups of a cluster where so many fit, in as many dimensions, each a multiple of that of `cluster`; empty:
  /// those of `cluster` everywhere.
  std::vector<std::uint64_t> preferred_cluster{};
  KernelNeeds needs;
  Program program;
  GroupPrograms group_programs{};
  /// The maximum that one thread may have requested from memory at once; nullopt: the device's value.
  std::optional<Bytes> in_flight{};
  /// Each instruction of an `issue` step by kinds needs the result of the one so many before it; nullopt: of none.
  std::optional<std::uint32_t> dependence{};
  std::optional<Bytes> working_set;         ///< reused by each resident work-group for itself
  std::optional<Bytes> shared_working_set;  ///< reused by all work-groups of a launch; neither: the kernel streams
  Variation variation;
  ChildrenBegin children_begin = ChildrenBegin::with_parent;
  Duration jit;  ///< additional host time of its first launch: compiling, loading
  /// The size of sub-groups for which `program` was written; its amounts are scaled to `sub_group`. 0: for `sub_group`.
  std::uint32_t program_sub_group = 0;
  bool local_is_chosen = false;      ///< the size of work-groups was chosen for the user
  bool sub_group_is_chosen = false;  ///< the size of threads was chosen for the user
  /// `program` is a placeholder for an unknown one: occupancy is meaningful, times are not.
  bool has_placeholder = false;

  /// Returns the number of consecutive work-groups placed together: the product of `cluster`, or 2^64 - 1 if that is
  /// more.
  std::uint64_t cluster_size() const;
  /// Returns the same of `preferred_cluster`, or cluster_size() if that is empty.
  std::uint64_t preferred_cluster_size() const;
  /// Returns the threads of a full work-group: ceil(local / sub_group).
  std::uint64_t threads_per_work_group() const;
  /// Returns the threads of one work-group, which may be smaller at an uneven edge.
  std::uint64_t threads_of(WorkGroupId group) const;
  /// Returns true if some work-groups, at an edge, are smaller than others.
  bool has_smaller_groups() const { return edge_groups != EdgeGroups::refused && !range.is_uniform(); }
  /// Returns the different numbers of threads of its work-groups: at most eight; none for an empty range.
  std::vector<std::uint64_t> thread_counts() const;
  /// Returns the number of threads of all work-groups.
  std::uint64_t threads_total() const;
  /// Returns true if its work-groups do not all have the same program.
  bool differs_by_group() const { return !group_programs.of_group.empty(); }
  /// Returns the number of programs: `program`, and those that single work-groups have instead.
  std::size_t program_count() const { return 1 + group_programs.others.size(); }
  /// Returns the program with this number, which must be below program_count(); 0 is `program`.
  const Program& program_of(std::size_t number) const {
    return number == 0 ? program : group_programs.others[number - 1];
  }
  Program& program_of(std::size_t number) { return number == 0 ? program : group_programs.others[number - 1]; }
  /// Returns the program number of `group`, which must be a work-group of the kernel.
  std::uint32_t program_number(WorkGroupId group) const {
    return differs_by_group() ? group_programs.of_group[number_of(group)] : 0;
  }
  /// Returns true if its work-groups are never synchronised: it has no barrier, and waits for no child.
  bool is_free_running() const;
  /// Returns true if its threads share issue slots, SLM banks or memory, so that the time of a step depends on other
  /// threads.
  bool shares_resources() const;
};

template <class Visit>
void visit_keys(Is<Kernel> auto& rule, Visit visit) {
  visit("slm", rule.needs.slm.total);
  visit("barriers", rule.needs.barriers);
  visit("accumulation_registers", rule.needs.accumulation_registers);
  visit("scalar_registers", rule.needs.scalar_registers);
  visit("carveout_percent", rule.needs.slm.carveout_percent);
  visit("large_grf", rule.needs.grf);
  visit("jit", rule.jit);
  visit("in_flight", rule.in_flight);
  visit("dependence", rule.dependence);
  visit("working_set", rule.working_set);
  visit("shared_working_set", rule.shared_working_set);
}

/// Returns the draw that applies to the kernel's work-groups: the declared one; else, for threads that share a
/// resource, default_draw(), unless the kernel is lock-step; else nullopt. If instructions are counted by kind, the
/// default only lengthens: equal work-groups may take longer than at the device's rates, not less.
std::optional<Draw> draw_in_force(const Kernel& kernel);

}  // namespace gdsim
