#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/dispatch_rules.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// One level of the memory hierarchy, shared by all cores of its scope.
struct MemoryLevel {
  std::string name;
  std::optional<Bytes> capacity;            ///< of one scope; nothing only for the last level
  std::optional<BytesPerSecond> bandwidth;  ///< of one scope; nullopt: not limited
  std::optional<StepTime> latency;          ///< from a request to its data, without contention; nullopt: none
  /// The cores that share one: those of the `device`, of a group (the name of a level of core_groups, or `core_group`
  /// if there is one), or each `core` has its own.
  std::string scope = "device";
};

template <class Visit>
void visit_keys(Is<MemoryLevel> auto& rule, Visit visit) {
  visit("name", rule.name);
  visit("capacity", rule.capacity);
  visit("bandwidth", rule.bandwidth);
  visit("latency", rule.latency);
  visit("scope", rule.scope);
}

/// The rates and latencies with which threads reach global memory.
///
/// A memory step ends one latency after the last of its bytes was served. A thread has at most `in_flight` bytes under
/// way, so without contention it gets in_flight / latency on average; all threads of a core have at most
/// `core_in_flight`, and get no more than that per latency. A level serves min(capacity, W) / W of a resident working
/// set W, less the part of faster levels; the last serves the rest. Latency and the use of each level's bandwidth are
/// the means over these shares.
struct MemoryRule {
  std::optional<Bytes> in_flight;                 ///< of one thread of kernels that name none; nullopt: its whole step
  std::optional<Bytes> core_in_flight;            ///< of all threads of a core; nullopt: not limited
  std::optional<BytesPerSecond> core_bandwidth;   ///< of one core
  std::vector<MemoryLevel> levels;                ///< fastest first
  std::optional<Bytes> line;                      ///< the minimum moved for one access; nullopt: not known
  std::vector<std::uint32_t> block_sub_groups{};  ///< sizes whose threads can access blocks; empty: not known
  std::optional<Bytes> capacity{};                ///< for buffers; nullopt: not known
  StepTime store_drain{};                         ///< added to the recovery of work-groups whose program stores
};

template <class Visit>
void visit_keys(Is<MemoryRule> auto& rule, Visit visit) {
  visit("in_flight", rule.in_flight);
  visit("core_in_flight", rule.core_in_flight);
  visit("line", rule.line);
  visit("capacity", rule.capacity);
  visit("block_sub_groups", rule.block_sub_groups);
  visit("store_drain", rule.store_drain);
  visit("levels", rule.levels);
}

/// The number of atomic accesses to one address served per clock cycle, one after the other. nullopt: not known, and no
/// program may have atomic accesses there.
struct AtomicRule {
  std::optional<Decimal> slm;     ///< by a core's shared local memory
  std::optional<Decimal> global;  ///< by the caches of the device
  /// Accesses of work-items to all addresses of global memory together that the device serves; nullopt: no limit.
  std::optional<Decimal> global_total = {};
  /// Floating-point accesses to one address of global memory; nullopt: as many as `global`.
  std::optional<Decimal> global_float = {};
};

/// A vendor's words for the same things. Code and files use the neutral words; reports print these.
struct Terms {
  std::string core = "core";
  std::string engine = "engine";
  std::string context = "context";
  std::string thread = "thread";
  std::string work_group = "work-group";
  std::string slm = "SLM";
};

template <class Visit>
void visit_keys(Is<Terms> auto& rule, Visit visit) {
  visit("core", rule.core);
  visit("engine", rule.engine);
  visit("context", rule.context);
  visit("thread", rule.thread);
  visit("work_group", rule.work_group);
  visit("slm", rule.slm);
}

/// One level at which a device's cores are grouped, e.g. 8 XCDs. Cores are numbered group by group.
struct CoreGroupLevel {
  std::string name;         ///< `slice`, `GPC`, `XCD`, `shader engine`
  std::uint32_t count = 0;  ///< groups within each group of the level above; their sizes differ by at most one core
  /// Instead of `count`: the cores of each group, in order. They add up to the cores of a group of the level above.
  std::vector<std::uint32_t> sizes{};

  /// Returns the number of groups within each group of the level above.
  std::uint64_t groups() const { return sizes.empty() ? count : sizes.size(); }
};

/// From the outermost level inwards; empty: one group of all cores.
using CoreGroups = std::vector<CoreGroupLevel>;

/// The time between the arrival of a work-group's last thread at a barrier and its opening: `base`, and
/// `per_thread` for each thread of the work-group. 0 unless given.
struct BarrierCost {
  StepTime base;
  StepTime per_thread;
};

template <class Visit>
void visit_keys(Is<BarrierCost> auto& rule, Visit visit) {
  visit("base", rule.base);
  visit("per_thread", rule.per_thread);
}

/// The engines that copy between host and device, besides the cores. Each does one copy at a time, at the full
/// bandwidth. With several, they serve the directions in turn: even ones host to device, odd ones device to host; a
/// single engine serves both.
struct CopyRule {
  std::uint32_t engines = 1;
  BytesPerSecond bandwidth;  ///< of one engine
  Duration latency;          ///< of each copy, before its bytes are transferred
};

template <class Visit>
void visit_keys(Is<CopyRule> auto& rule, Visit visit) {
  visit("engines", rule.engines);
  visit("bandwidth", rule.bandwidth);
  visit("latency", rule.latency);
}

/// The contexts that a work-group takes: any of the core's, as many as it needs, or a contiguous range that begins at a
/// multiple of its length and is released when the whole work-group has ended.
enum class ContextAllocation : std::uint8_t { counted, aligned_ranges };
constexpr auto words_of(ContextAllocation) { return std::array<std::string_view, 2>{"counted", "aligned_ranges"}; }

/// Clusters: consecutive work-groups that are placed together, on distinct cores of one group of a level.
struct ClusterRule {
  std::string within;                               ///< the name of a level of core_groups
  std::uint32_t max = 0;                            ///< work-groups of a cluster that every device of the kind can have
  std::optional<std::uint32_t> non_portable_max{};  ///< the same for this device; nullopt: `max`
  bool preferred = false;  ///< a kernel may name a larger size that is taken where it fits, Kernel::preferred_cluster

  std::uint32_t max_size() const { return non_portable_max.value_or(max); }
};

template <class Visit>
void visit_keys(Is<ClusterRule> auto& rule, Visit visit) {
  visit("within", rule.within);
  visit("max", rule.max);
  visit("non_portable_max", rule.non_portable_max);
}

/// When a thread's context is released: when the thread ends, or when its whole work-group has ended.
enum class Release : std::uint8_t { thread, work_group };
constexpr auto words_of(Release) { return std::array<std::string_view, 2>{"thread", "work_group"}; }

/// The work-groups that take barrier registers if their kernel gives no count.
enum class BarrierUse : std::uint8_t {
  program,       ///< a work-group whose program has a barrier takes one
  multi_thread,  ///< a work-group of more than one thread takes one
};
constexpr auto words_of(BarrierUse) { return std::array<std::string_view, 2>{"program", "multi_thread"}; }

/// The host collects submissions, and sends several launches to the device at once.
struct SubmissionRule {
  std::uint32_t batch = 1;           ///< launches of a full batch
  std::optional<Duration> flush{};   ///< longest time after the first submission; nullopt: no limit
  bool sends_first_at_once = false;  ///< a launch does not wait for others if the host knows that the device is idle
};

template <class Visit>
void visit_keys(Is<SubmissionRule> auto& rule, Visit visit) {
  visit("batch", rule.batch);
  visit("flush", rule.flush);
}

/// A number that a vendor's own tool prints under the name of occupancy, where it means something else.
enum class VendorOccupancy : std::uint8_t {
  none,                   ///< it means the same
  capped_by_work_groups,  ///< percent, as if all work-groups of the launch were to go to one core
  waves_per_engine,       ///< threads per engine, rounded up, each limit for itself
};
constexpr auto words_of(VendorOccupancy) {
  return std::array<std::string_view, 3>{"none", "capped_by_work_groups", "waves_per_engine"};
}

/// The time that a launch takes on the device before its first work-group can be placed. A single time is all serial.
///
///     using namespace gdsim::literals;
///     device.launch_cost = gdsim::LaunchCost{600_ns, 1_us};
struct LaunchCost {
  /// Implicit, so that `launch_cost = time` sets a cost without an overlapping part.
  LaunchCost(StepTime serial_part = {}, StepTime overlapping_part = {})
      : serial(serial_part), overlapping(overlapping_part) {}

  StepTime serial;  ///< from the beginning of the launch, or from the end of the other part
  /// From its arrival, and from the beginning of the last launch that it depends on: hidden behind that launch.
  StepTime overlapping;

  bool is_zero() const { return serial.amount.is_zero() && overlapping.amount.is_zero(); }
};

template <class Visit>
void visit_keys(Is<LaunchCost> auto& rule, Visit visit) {
  visit("serial", rule.serial);
  visit("overlapping", rule.overlapping);
}

/// When a hardware queue starts a launch.
enum class HardwareQueueStart : std::uint8_t {
  in_order,   ///< once the launch before it has begun
  after_end,  ///< once the launch before it has ended
};
constexpr auto words_of(HardwareQueueStart) { return std::array<std::string_view, 2>{"in_order", "after_end"}; }

/// Queues of the device, to which the queues of programs are mapped. Each starts its launches in the order in which the
/// host submits them: a launch without dependencies waits behind an earlier launch that waits.
struct HardwareQueueRule {
  std::optional<std::uint64_t> count;  ///< of hardware queues; nullopt: each queue of a program has its own
  HardwareQueueStart starts = HardwareQueueStart::in_order;
};

template <class Visit>
void visit_keys(Is<HardwareQueueRule> auto& rule, Visit visit) {
  visit("count", rule.count);
  visit("starts", rule.starts);
}

/// A family has the common properties of its products, and one core as a placeholder; products have all their cores.
enum class DeviceKind : std::uint8_t { product, family };
constexpr auto words_of(DeviceKind) { return std::array<std::string_view, 2>{"product", "family"}; }

struct DeviceSpec;

/// Where a value of a device comes from, and what that is worth.
struct FigureSource {
  std::string text;              ///< in words, with the marks below where the model writes them in words
  bool is_verified = true;       ///< a document or a measurement that can be followed gives the value
  bool is_assumed = false;       ///< nothing gives it
  bool is_extrapolated = false;  ///< it is another device's

  friend bool operator==(const FigureSource&, const FigureSource&) = default;
};

/// Another value that a model names for a value that is assumed, or in conflict with a source.
struct DeviceAlternative {
  std::string key;                           ///< `dispatch.placement`
  std::string value;                         ///< as in force, as a file writes it
  std::string other;                         ///< the same key's other value
  std::shared_ptr<const DeviceSpec> device;  ///< the device that has it
};

/// The description of a GPU. A value: nothing in it changes during a run, and any number of threads may read one.
///
///     gdsim::DeviceSpec tiny;
///     tiny.id = "tiny";
///     tiny.cores = 2;
///     tiny.engines_per_core = 1;
///     tiny.contexts_per_engine = 4;
///     tiny.sub_group_sizes = {8};
///     tiny.max_work_group_size = 64;
///     tiny.dispatch.placement = "fill_first";
struct DeviceSpec {
  std::string id;    ///< the name scenarios use, e.g. `xe-lp-tgl`
  std::string name;  ///< the product's name
  std::string vendor;
  DeviceKind kind = DeviceKind::product;
  Terms terms;                 ///< the vendor's words, for reports
  std::optional<Hertz> clock;  ///< needed only by programs that count cycles
  /// Later clocks, by rising time, all after 0 s. Empty: it never changes.
  std::vector<ClockChange> clock_changes;
  std::optional<PowerRule> power;  ///< sets the later clocks during a run; nullopt: only those above

  std::uint32_t cores = 0;
  CoreGroups core_groups;
  std::uint32_t engines_per_core = 0;
  std::uint32_t contexts_per_engine = 0;
  std::vector<std::uint32_t> sub_group_sizes;  ///< ascending, work-items
  std::uint32_t max_work_group_size = 0;       ///< work-items
  /// Contexts that a thread takes in large-GRF mode; nullopt: no such mode.
  std::optional<std::uint32_t> large_grf_contexts;

  std::optional<std::uint64_t> work_groups_per_core;  ///< the maximum; nullopt: unlimited
  /// The maximum of such work-groups per core; nullopt: unlimited.
  std::optional<std::uint64_t> work_groups_with_barrier_or_slm;
  std::optional<std::uint64_t> barriers_per_core;  ///< the maximum; nullopt: unlimited
  BarrierUse barrier_use = BarrierUse::program;
  SlmRule slm;
  std::optional<RegisterRule> registers;
  /// Bytes of general registers of each context. Its thread has all of them, whatever it uses. nullopt: no such limit.
  std::optional<Bytes> grf_per_context;
  std::optional<ScalarRegisterRule> scalar_registers;

  std::uint32_t fused_engines = 1;                  ///< engines that share their issue slots, pairs on some devices
  ArithmeticRule arithmetic;                        ///< per engine; needed only by programs with `issue` steps by kind
  std::optional<SlmAccess> slm_access;              ///< needed only by programs with `slm` steps
  std::optional<L1Rule> l1;                         ///< needed only by programs with `issue` steps that access L1
  std::optional<WrittenSectorRule> written_sector;  ///< nullopt: only its bytes count
  AtomicRule atomics;                               ///< needed only by programs with `atomic` steps
  BarrierCost barrier_cost;
  std::optional<MemoryRule> memory;

  ContextAllocation context_allocation = ContextAllocation::counted;
  std::optional<ClusterRule> clusters;  ///< nullopt: none, or not known

  Release release = Release::thread;
  DispatchRules dispatch;
  /// Between the beginning of a launch and the first placement of its work-groups; nullopt: none.
  std::optional<LaunchCost> launch_cost;
  Duration submit_overhead;  ///< host time that each submission of a launch takes
  Duration launch_latency;   ///< between the end of a submission and the arrival of the launch at the device
  Duration dependency_gap;   ///< between the end of a launch's last predecessor and its readiness
  std::optional<SubmissionRule> submission;          ///< nullopt: each launch is sent when its submission ends
  std::optional<Duration> graph_gap;                 ///< `dependency_gap` between nodes of one graph; nullopt: the same
  std::optional<HardwareQueueRule> hardware_queues;  ///< nullopt: no launch waits for the start of another
  std::optional<CopyRule> copy;                      ///< nullopt: no copies
  TieOrder tie_order;                                ///< unless the dispatch rules of a run have another
  VendorOccupancy vendor_occupancy = VendorOccupancy::none;
  /// The keys among `launch_cost`, `dispatch.recovery` and `dispatch.interval` that a family leaves out: they count
  /// cycles and there is no clock.
  std::vector<std::string> ignored_keys;
  /// The keys of what the device does not have, by its model: `clusters`, `arithmetic.fp64`. What is neither here nor
  /// above is not known, see Capability.
  std::vector<std::string> lacks;

  /// By key, the source of its numbers.
  std::vector<std::pair<std::string, FigureSource>> sources;
  std::vector<DeviceAlternative> alternatives;

  std::uint32_t contexts_per_core() const { return engines_per_core * contexts_per_engine; }
  std::uint64_t contexts_total() const { return std::uint64_t{cores} * contexts_per_core(); }
};

template <class Visit>
void visit_keys(Is<DeviceSpec> auto& rule, Visit visit) {
  visit("vendor", rule.vendor);
  visit("kind", rule.kind);
  visit("cores", rule.cores);
  visit("engines_per_core", rule.engines_per_core);
  visit("contexts_per_engine", rule.contexts_per_engine);
  visit("sub_group_sizes", rule.sub_group_sizes);
  visit("max_work_group_size", rule.max_work_group_size);
  visit("work_groups_per_core", rule.work_groups_per_core);
  visit("work_groups_with_barrier_or_slm", rule.work_groups_with_barrier_or_slm);
  visit("barriers_per_core", rule.barriers_per_core);
  visit("slm", rule.slm);
  visit("registers", rule.registers);
  visit("scalar_registers", rule.scalar_registers);
  visit("barrier_use", rule.barrier_use);
  visit("release", rule.release);
  visit("vendor_occupancy", rule.vendor_occupancy);
  visit("grf_per_context", rule.grf_per_context);
  visit("fused_engines", rule.fused_engines);
  visit("written_sector", rule.written_sector);
  visit("barrier_cost", rule.barrier_cost);
  visit("submit_overhead", rule.submit_overhead);
  visit("launch_latency", rule.launch_latency);
  visit("dependency_gap", rule.dependency_gap);
}

/// Calls `visit` with each mapping of plain keys that has more to it when it is read, besides `dispatch`.
template <class Visit>
void visit_parts(Is<DeviceSpec> auto& rule, Visit visit) {
  visit("power", rule.power);
  visit("clusters", rule.clusters);
  visit("launch_cost", rule.launch_cost);
  visit("submission", rule.submission);
  visit("hardware_queues", rule.hardware_queues);
  visit("copy", rule.copy);
  visit("slm_access", rule.slm_access);
  visit("l1", rule.l1);
  visit("memory", rule.memory);
}

}  // namespace gdsim
