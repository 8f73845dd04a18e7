#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// The order in which ties between cores are broken.
struct TieOrder {
  enum class Pattern : std::uint8_t {
    ascending,        ///< 0, 1, 2, ...
    evens_then_odds,  ///< 0, 2, 4, ..., then 1, 3, 5, ...
    listed            ///< as `cores` says; an empty list of a device is ascending
  };

  Pattern kind = Pattern::ascending;
  std::vector<CoreId> cores;  ///< each core once; empty unless `listed`

  /// Returns the cores of a device of `count` cores in this order; empty: ascending.
  std::vector<CoreId> cores_of(std::uint32_t count) const;
};

/// The time that a dispatcher is busy with placing n threads: max(per_work_group, n x per_thread), all of it from the
/// placement on.
struct DispatchInterval {
  StepTime per_work_group;
  StepTime per_thread;
  /// The unit that has a dispatcher of its own: `device` (there is one), `core`, `core_group` (the only level of
  /// core_groups), or the name of a level.
  std::string dispatchers = "device";

  /// Returns true if placing takes no time.
  bool is_instant() const { return per_work_group.amount.is_zero() && per_thread.amount.is_zero(); }
};

template <class Visit>
void visit_keys(Is<DispatchInterval> auto& rule, Visit visit) {
  visit("per_work_group", rule.per_work_group);
  visit("per_thread", rule.per_thread);
  visit("dispatchers", rule.dispatchers);
}

/// A number that grows with the device: `per_core` x cores + `plus`.
struct PerCoreCount {
  std::uint64_t per_core = 0;
  std::uint64_t plus = 0;

  std::uint64_t count_on(std::uint64_t cores) const { return per_core * cores + plus; }
};

template <class Visit>
void visit_keys(Is<PerCoreCount> auto& rule, Visit visit) {
  visit("per_core", rule.per_core);
  visit("plus", rule.plus);
}

/// The work-groups of a launch go to the chosen core several at a time, while the launch is large and much of it is
/// left.
struct BatchRule {
  std::uint32_t work_groups = 1;  ///< to one core, one after another
  PerCoreCount grid_at_least;     ///< the minimum of work-groups that the launch has
  PerCoreCount left_at_least;     ///< the minimum not yet dispatched, the first of the batch included
};

template <class Visit>
void visit_keys(Is<BatchRule> auto& rule, Visit visit) {
  visit("work_groups", rule.work_groups);
  visit("grid_at_least", rule.grid_at_least);
  visit("left_at_least", rule.left_at_least);
}

/// How work-groups are dealt out to groups of cores.
enum class PartitionShare : std::uint8_t {
  contiguous,  ///< of G groups, group g gets numbers floor(g N / G) to floor((g + 1) N / G) - 1 of N
  cyclic       ///< group g gets those with number mod G = g
};
constexpr auto words_of(PartitionShare) { return std::array<std::string_view, 2>{"contiguous", "cyclic"}; }

/// The work-groups of a launch are dealt out to groups of cores before any is placed. Each waits for its group, even if
/// another group has room.
struct PartitionRule {
  std::string across;  ///< the name of a level of core_groups, or `core_group` if there is one
  PartitionShare share = PartitionShare::contiguous;
};

template <class Visit>
void visit_keys(Is<PartitionRule> auto& rule, Visit visit) {
  visit("across", rule.across);
  visit("share", rule.share);
}

/// The part of a work-group that is placed at once.
enum class Admission : std::uint8_t {
  whole,    ///< all its threads on one core
  partial,  ///< the threads for which one core has free contexts, at least one; the rest follow on that core
  spread,   ///< without barrier and SLM: the threads for which contexts are free, on several cores; else whole
};
constexpr auto words_of(Admission) { return std::array<std::string_view, 3>{"whole", "partial", "spread"}; }

/// The partially placed work-groups that are handed over to their core's local dispatcher, which frees the port.
enum class Handover : std::uint8_t { never, barrier_or_slm, always };
constexpr auto words_of(Handover) { return std::array<std::string_view, 3>{"never", "barrier_or_slm", "always"}; }

/// Which of the ready launches may place its next work-group.
enum class KernelChoice : std::uint8_t {
  head_only,     ///< the first by (ready time, order in the file), until all its threads are placed; launches whose
                 ///< cores are disjoint do not wait for each other
  skip_blocked,  ///< the first that can; one that cannot is skipped, and with it later ones of its kernel and cores
  round_robin,   ///< one work-group of each that can place one, in turn
  priority,      ///< as head_only within the highest priority; without `preemption`, resident ones run to their end
  time_sliced,   ///< as head_only among the launches of one queue, which has the device for a time slice, see
                 ///< PreemptionRule
  own,           ///< by DispatchRules::own_kernel_choice
};

/// Whether work-groups of two launches may be on one core at once.
enum class CoreSharing : std::uint8_t { shared, exclusive };
constexpr auto words_of(CoreSharing) { return std::array<std::string_view, 2>{"shared", "exclusive"}; }

/// The cost of setting a core's memory to another pool: nothing, or the core must be empty first.
enum class SlmReconfiguration : std::uint8_t { free, drains_core };
constexpr auto words_of(SlmReconfiguration) { return std::array<std::string_view, 2>{"free", "drains_core"}; }

/// The treatment of the work-groups of a process that is preempted.
enum class PreemptionOf : std::uint8_t {
  work_group,  ///< they run to their end, and no further one begins
  thread,      ///< they stop, and resume there later: their contexts are saved and restored
};
constexpr auto words_of(PreemptionOf) { return std::array<std::string_view, 2>{"work_group", "thread"}; }

/// The memory that the saved context of a work-group takes.
enum class ContextBytes : std::uint8_t {
  none,
  context,  ///< registers of its threads and its SLM
  given,    ///< ContextMove::bytes
};

/// The cost of saving or restoring contexts: cores work in parallel, each on one work-group after the other; then bytes
/// are moved at the bandwidth of the memory.
struct ContextMove {
  StepTime per_work_group;
  ContextBytes moves = ContextBytes::none;
  Bytes bytes;  ///< of each work-group; used with ContextBytes::given
};

/// One process at a time has the whole device: the launches of one queue (`time_sliced`) or of one priority
/// (`priority`).
struct PreemptionRule {
  PreemptionOf of = PreemptionOf::work_group;
  ContextMove save{};
  ContextMove restore{};
  std::optional<Duration> quantum{};  ///< `time_sliced`: the time for which a process has the device while others wait
};

template <class Visit>
void visit_keys(Is<PreemptionRule> auto& rule, Visit visit) {
  visit("of", rule.of);
  visit("quantum", rule.quantum);
}

/// The facts about a core that a caller's own placement may read, when a work-group of some launch is to be placed.
struct CoreLoad {
  std::uint32_t threads = 0;     ///< resident threads, and ended ones whose contexts are not free yet
  std::uint64_t contexts = 0;    ///< held contexts
  std::uint64_t room = 0;        ///< further whole work-groups of the launch that fit
  std::uint64_t empty_room = 0;  ///< the same for an empty core
};

/// A caller's own policy and its name. Copies of this have copies of the policy.
template <class Interface>
class NamedPolicy {
 public:
  using Policy = Interface;

  NamedPolicy(const NamedPolicy& other) : name_(other.name_), policy_(other.policy_->copy()) {}
  NamedPolicy& operator=(NamedPolicy other) noexcept {
    name_ = std::move(other.name_);
    policy_ = std::move(other.policy_);
    return *this;
  }
  ~NamedPolicy() = default;

  const std::string& name() const { return name_; }
  const Policy& policy() const { return *policy_; }

 protected:
  /// `policy` must not be null.
  NamedPolicy(std::string name, std::unique_ptr<const Policy> policy)
      : name_(std::move(name)), policy_(std::move(policy)) {}

 private:
  std::string name_;
  std::unique_ptr<const Policy> policy_;  ///< never null: a move is a copy
};

/// The interface of a caller's own placement, whatever its type.
struct PlacementPolicy {
  virtual ~PlacementPolicy() = default;
  virtual std::unique_ptr<PlacementPolicy> copy() const = 0;
  virtual std::uint64_t cost(const CoreLoad& core) const = 0;
  virtual std::optional<std::size_t> choose(std::span<const CoreId> offered) = 0;
};

/// A caller's own placement, under a name that `placement` and scenario files may give. It is constructed from a
/// copyable value that has one of these functions, or both:
///
///     struct Quietest {
///       /// Only the cores with the lowest cost are offered; without this function, all are. Depends on `core` alone.
///       std::uint64_t cost(const gdsim::CoreLoad& core) const { return core.contexts; }
///       /// Returns the position in `offered`, which ascends and is not empty, of the core that takes the work-group;
///       /// nullopt: none does until the next release of resources. Without this function: the first.
///       std::optional<std::size_t> choose(std::span<const gdsim::CoreId> offered) { return offered.size() - 1; }
///     };
///     gdsim::DispatchRules rules = device.dispatch;
///     rules.own_placements = {{"quietest", Quietest{}}};
///     rules.placement = "quietest";
///     const gdsim::Compilation compilation = gdsim::compile(device, rules, workload);
///
/// Each dispatcher of each run calls its own copy, from one thread, and numbers its cores from 0. A position outside of
/// `offered` ends the run with an InputError; an exception ends the run unchanged. A value: any number of threads may
/// read one.
class OwnPlacement : public NamedPolicy<PlacementPolicy> {
 public:
  template <class Value>
  OwnPlacement(std::string name, Value policy)
      : NamedPolicy(std::move(name), std::make_unique<Held<Value>>(std::move(policy))) {
    static_assert(kHasCost<Value> || kHasChoose<Value>,
                  "a placement has cost(const CoreLoad&) const, choose(std::span<const CoreId>), or both");
    static_assert(
        kHasCost<Value> || !requires { &Value::cost; }, "the cost of a placement is cost(const CoreLoad&) const");
    static_assert(
        kHasChoose<Value> || !requires { &Value::choose; },
        "the choice of a placement is choose(std::span<const CoreId>)");
  }

 private:
  template <class Value>
  static constexpr bool kHasCost = requires(const Value& value, const CoreLoad& core) {
    std::uint64_t{value.cost(core)};
  };
  template <class Value>
  static constexpr bool kHasChoose = requires(Value& value, std::span<const CoreId> offered) {
    std::optional<std::size_t>(value.choose(offered));
  };

  template <class Value>
  struct Held final : Policy {
    explicit Held(Value held) : value(std::move(held)) {}
    std::unique_ptr<Policy> copy() const override { return std::make_unique<Held>(*this); }
    std::uint64_t cost(const CoreLoad& core) const override {
      if constexpr (kHasCost<Value>) return value.cost(core);
      return 0;
    }
    std::optional<std::size_t> choose(std::span<const CoreId> offered) override {
      if constexpr (kHasChoose<Value>) return value.choose(offered);
      return 0;
    }

    Value value;
  };
};

/// The facts about a launch that a caller's own kernel choice may read.
struct WaitingLaunch {
  LaunchId launch{};
  KernelId kernel{};
  std::uint32_t priority = 0;          ///< Workload::priority_of()
  SimTime ready;                       ///< since when
  std::uint64_t work_groups_left = 0;  ///< not dispatched, at least one
  bool has_begun = false;
};

/// The interface of a caller's own kernel choice, whatever its type.
struct KernelChoicePolicy {
  virtual ~KernelChoicePolicy() = default;
  virtual std::unique_ptr<KernelChoicePolicy> copy() const = 0;
  virtual std::optional<std::size_t> choose(std::span<const WaitingLaunch> waiting) = 0;
};

/// A caller's own kernel choice, under a name that scenario files may give. It is constructed from a copyable value:
///
///     struct FewestLeft {
///       /// Returns the position in `waiting` of the launch that may place its next work-group; nullopt: none may
///       /// until the next dispatch turn. `waiting` is ordered by (ready time, order in the file) and is not empty.
///       std::optional<std::size_t> choose(std::span<const gdsim::WaitingLaunch> waiting) {
///         const auto fewer = [](const auto& a, const auto& b) { return a.work_groups_left < b.work_groups_left; };
///         return static_cast<std::size_t>(std::min_element(waiting.begin(), waiting.end(), fewer) - waiting.begin());
///       }
///     };
///     gdsim::DispatchRules rules = device.dispatch;
///     rules.kernel_choice = gdsim::KernelChoice::own;
///     rules.own_kernel_choice = {"fewest_left", FewestLeft{}};
///     const gdsim::Compilation compilation = gdsim::compile(device, rules, workload);
///
/// Waiting are the launches that are ready, have a work-group left, and may begin (`concurrent_kernels`), without those
/// that were chosen in this turn and could place nothing. A turn calls choose() again for each of these, so its cost
/// grows with the square of their number. choose() may be called although no placement follows, where a dispatcher is
/// busy. Each run calls its own copy, from one thread. A position that is not in `waiting` ends the run with an
/// InputError; an exception ends the run unchanged. A value: any number of threads may read one.
class OwnKernelChoice : public NamedPolicy<KernelChoicePolicy> {
 public:
  template <class Value>
  OwnKernelChoice(std::string name, Value policy)
      : NamedPolicy(std::move(name), std::make_unique<Held<Value>>(std::move(policy))) {
    static_assert(
        requires(Value & value, std::span<const WaitingLaunch> waiting) {
          std::optional<std::size_t>(value.choose(waiting));
        },
        "a kernel choice has choose(std::span<const WaitingLaunch>)");
  }

 private:
  template <class Value>
  struct Held final : Policy {
    explicit Held(Value held) : value(std::move(held)) {}
    std::unique_ptr<Policy> copy() const override { return std::make_unique<Held>(*this); }
    std::optional<std::size_t> choose(std::span<const WaitingLaunch> waiting) override { return value.choose(waiting); }

    Value value;
  };
};

/// The axes of dispatch. A device has a default for each; a scenario may override them one by one.
///
///     gdsim::DispatchRules rules = device.dispatch;
///     rules.admission = gdsim::Admission::partial;
///     rules.ports = 2;
///     const gdsim::Compilation compilation = gdsim::compile(device, rules, workload);
struct DispatchRules {
  /// Which candidate core takes the next work-group: `fill_first`, `round_robin`, `least_loaded`, `most_room`,
  /// `group_round_robin`, or one of `own_placements`. compile() refuses any other, "" too.
  std::string placement;
  Admission admission = Admission::whole;
  /// The maximum of partially placed work-groups that a dispatcher of the whole device can hold; nullopt: unlimited.
  std::optional<std::uint64_t> ports;
  Handover handover = Handover::never;
  KernelChoice kernel_choice = KernelChoice::head_only;
  /// The maximum of begun launches that have not ended, without copies and children; nullopt: unlimited.
  std::optional<std::uint64_t> concurrent_kernels{};
  CoreSharing core_sharing = CoreSharing::shared;
  SlmReconfiguration slm_reconfiguration = SlmReconfiguration::free;
  std::optional<DispatchInterval> interval{};  ///< nullopt: one dispatcher, which places without taking time
  std::optional<StepTime> recovery{};          ///< between the release of core resources and their reuse; nullopt: none
  std::optional<BatchRule> batch{};            ///< nullopt: the core is chosen for each work-group
  std::optional<TieOrder> tie_order{};         ///< instead of the device's
  std::optional<PartitionRule> partition{};    ///< nullopt: a work-group may go to any core
  std::optional<PreemptionRule> preemption{};  ///< nullopt: all launches share the device
  std::vector<OwnPlacement> own_placements{};  ///< further names that `placement` may give, each once
  std::optional<OwnKernelChoice> own_kernel_choice{};  ///< needed with KernelChoice::own, and only then
};

template <class Visit>
void visit_keys(Is<DispatchRules> auto& rule, Visit visit) {
  visit("placement", rule.placement);
  visit("admission", rule.admission);
  visit("ports", rule.ports);
  visit("handover", rule.handover);
  visit("concurrent_kernels", rule.concurrent_kernels);
  visit("core_sharing", rule.core_sharing);
  visit("slm_reconfiguration", rule.slm_reconfiguration);
  visit("interval", rule.interval);
  visit("recovery", rule.recovery);
  visit("batch", rule.batch);
  visit("partition", rule.partition);
}

}  // namespace gdsim
