#pragma once

#include <gdsim/base/ids.hpp>
#include <gdsim/base/lean_vectors.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/workload/kernel.hpp>
#include <gdsim/workload/program.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gdsim {

/// Cores from `first` to `last`, both included.
struct CoreRange {
  CoreId first{};
  CoreId last{};

  friend auto operator<=>(const CoreRange&, const CoreRange&) = default;
};

/// The cores to which something is restricted, ascending, each core once. Empty: every core.
using CoreSelection = std::vector<CoreRange>;

/// Returns the selection sorted, with adjacent and overlapping ranges merged. Thread-safe.
CoreSelection normalized(CoreSelection selection);

/// Returns true if every core of `inner` is one of `outer`; both are normalized. Thread-safe.
bool lies_within(const CoreSelection& inner, const CoreSelection& outer);

enum class CopyDirection : std::uint8_t {
  host_to_device,
  device_to_host,
  to_device  ///< over a link, from this device to another one of the same run
};
/// `to_device` has no word: a file names the devices.
constexpr auto words_of(CopyDirection) { return std::array<std::string_view, 2>{"host_to_device", "device_to_host"}; }

/// Bytes that are transferred.
struct Copy {
  Bytes bytes;
  CopyDirection direction{};
  DeviceId device{};  ///< the target; the first unless `to_device`

  friend bool operator==(const Copy&, const Copy&) = default;
};

/// Stands for a launch of another device of the same run. Only its beginning and end are known here.
struct RemoteLaunch {
  DeviceId device{};

  friend bool operator==(const RemoteLaunch&, const RemoteLaunch&) = default;
};

/// The work-group that launches a child.
struct LaunchParent {
  LaunchId launch{};
  WorkGroupId work_group{};
  std::uint32_t child = 0;  ///< the number of this child, in the order of its program
  ChildWait wait{};

  friend bool operator==(const LaunchParent&, const LaunchParent&) = default;
};

/// A launch that runs a kernel. Converts from the kernel's id: `launch.work = KernelId{1}`.
struct KernelLaunch {
  KernelLaunch() = default;
  KernelLaunch(KernelId id) : kernel(id) {}  // implicit: most launches give only a kernel

  KernelId kernel{};
  /// A higher priority goes first, where the dispatch obeys priorities; nullopt: that of its queue, see
  /// Workload::priority_of().
  std::optional<std::uint32_t> priority{};
  /// True if all its work-groups must fit at once on an empty device; else it is refused.
  bool is_cooperative = false;
  /// True for one device's part of a collective: its grid barrier opens once the exchange with the others has ended.
  bool is_part_of_collective = false;
  /// The cores for its work-groups; empty: those of its queue, see Workload::cores_of().
  CoreSelection cores{};
  /// The work-group that launches it, if it is a child. Set by compile(); empty in a launch of the host.
  std::optional<LaunchParent> parent{};
  /// The first of its children, which are consecutive: by work-group, then in its program's order. Set with `parent`.
  std::optional<LaunchId> first_child{};

  friend bool operator==(const KernelLaunch&, const KernelLaunch&) = default;
};

template <class Visit>
void visit_keys(Is<KernelLaunch> auto& rule, Visit visit) {
  visit("cooperative", rule.is_cooperative);
  visit("priority", rule.priority);
}

/// One run of a kernel, or one copy; or, if several devices run together, a launch of another device.
///
///     const gdsim::Copy bytes{.bytes = gdsim::Bytes{1 << 20}, .direction = gdsim::CopyDirection::host_to_device};
///     gdsim::Launch copy{.name = "input", .work = bytes};
///     gdsim::Launch use{.name = "use", .work = gdsim::KernelId{0}};
///     use.after = {gdsim::LaunchId{0}};  // the copy's position in the workload
///
/// A launch is ready once it was submitted, at `at` or later, those of `after_triggers` have triggered, and all its
/// other predecessors have ended: those of `after`, the earlier ones of an in-order queue, and those whose use of a
/// buffer conflicts with its own.
struct Launch {
  std::string name;
  std::variant<KernelLaunch, Copy, RemoteLaunch> work;
  SimTime at{};  ///< the earliest time at which the host submits the launch
  LazyVector<LaunchId> after{};
  LazyVector<LaunchId> after_triggers{};  ///< it may be ready once these have triggered (`Trigger`)
  LazyVector<LaunchId> host_waits{};      ///< the host submits it, and all later launches, only after these have ended
  std::optional<QueueId> queue{};
  LazyVector<BufferId> reads{};
  LazyVector<BufferId> writes{};

  /// Returns true if it has work-groups on this device.
  bool is_kernel() const { return std::holds_alternative<KernelLaunch>(work); }
  bool is_copy() const { return std::holds_alternative<Copy>(work); }
  /// Returns true if it copies to another device.
  bool is_link_copy() const { return is_copy() && as_copy().direction == CopyDirection::to_device; }
  /// Returns true for a launch of another device of the same run.
  bool is_remote() const { return std::holds_alternative<RemoteLaunch>(work); }
  /// Throws std::bad_variant_access if it is not a kernel.
  const KernelLaunch& as_kernel() const { return std::get<KernelLaunch>(work); }
  KernelLaunch& as_kernel() { return std::get<KernelLaunch>(work); }
  /// Throws std::bad_variant_access if it is not a copy.
  const Copy& as_copy() const { return std::get<Copy>(work); }
  /// Throws std::bad_variant_access if it is not of another device.
  const RemoteLaunch& as_remote() const { return std::get<RemoteLaunch>(work); }
  /// Returns the work-group that launches it; null if the host launches it.
  const LaunchParent* parent() const {
    const auto* kernel = std::get_if<KernelLaunch>(&work);
    return kernel != nullptr && kernel->parent ? &*kernel->parent : nullptr;
  }
};

template <class Visit>
void visit_keys(Is<Launch> auto& rule, Visit visit) {
  visit("at", rule.at);
}

/// Whether launches of a queue run one after another, or wait only for the launches on which they depend.
enum class QueueOrder : std::uint8_t { in_order, out_of_order };
constexpr auto words_of(QueueOrder) { return std::array<std::string_view, 2>{"in_order", "out_of_order"}; }

/// A queue of the program. By default it is out of order, as in SYCL.
struct Queue {
  std::string name;
  QueueOrder order = QueueOrder::out_of_order;
  CoreSelection cores{};       ///< a sub-device: its launches use some or all of these cores; empty: every core
  std::uint32_t priority = 0;  ///< of launches without a priority of their own
  /// If it is in order: a launch of a kernel waits for the trigger of the previous one, not for its end.
  bool waits_for_triggers = false;
  bool is_graph = false;  ///< its launches are nodes of one graph, which the host submits as a whole
  /// The hardware queue that starts its launches, where the device has `hardware_queues`; nullopt: the queues of the
  /// workload are mapped to these in turn.
  std::optional<std::uint32_t> hardware{};
};

template <class Visit>
void visit_keys(Is<Queue> auto& rule, Visit visit) {
  visit("order", rule.order);
  visit("priority", rule.priority);
  visit("graph", rule.is_graph);
  visit("hardware", rule.hardware);
}

/// Connects devices of one run: each has one port that sends and one that receives, both with this bandwidth.
struct DeviceLink {
  std::vector<DeviceId> between;  ///< ascending, at least two
  BytesPerSecond bandwidth;       ///< of each port
  Duration latency;               ///< of each transfer, before its bytes flow
};

template <class Visit>
void visit_keys(Is<DeviceLink> auto& rule, Visit visit) {
  visit("bandwidth", rule.bandwidth);
  visit("latency", rule.latency);
}

/// The data that the members of a collective have in the end.
enum class CollectiveKind : std::uint8_t { all_reduce, all_gather, reduce_scatter, broadcast };
constexpr auto words_of(CollectiveKind) {
  return std::array<std::string_view, 4>{"all_reduce", "all_gather", "reduce_scatter", "broadcast"};
}

/// How the members exchange the data.
enum class CollectiveAlgorithm : std::uint8_t { ring, tree };
constexpr auto words_of(CollectiveAlgorithm) { return std::array<std::string_view, 2>{"ring", "tree"}; }

/// Kernels on several devices that hold their cores while they exchange data. Each member has one launch.
struct Collective {
  CollectiveKind kind{};
  CollectiveAlgorithm algorithm{};
  Bytes bytes;                     ///< of the whole buffer
  std::vector<DeviceId> devices;   ///< the members, in the order of the ring
  std::vector<LaunchId> launches;  ///< by member
};

/// Everything that is to be run on a device. A value: any number of threads may read one.
///
///     gdsim::Workload two;
///     two.kernels = {gdsim::Kernel{}};
///     for (const char* name : {"first", "second"}) two.launches.push_back({.name = name, .work = gdsim::KernelId{0}});
///     two.queues = {{.name = "q", .order = gdsim::QueueOrder::in_order}};
///     for (gdsim::Launch& launch : two.launches) launch.queue = gdsim::QueueId{0};
struct Workload {
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
  std::vector<Queue> queues{};
  std::vector<std::string> buffers{};  ///< their names
  std::vector<Bytes> buffer_sizes{};   ///< by buffer, what it takes of the device's memory; may be shorter: not known
  /// The original device of a scenario that runs on another one; empty: there is none. Notes name it.
  std::string written_for{};

  /// Returns the kernel of the launch; for a copy, a kernel without name and work-groups.
  const Kernel& kernel_of(const Launch& launch) const {
    return launch.is_kernel() ? kernels[index_of(launch.as_kernel().kernel)] : no_kernel();
  }
  /// Returns the cores of the launch, else those of its queue; empty: every core, or it is a copy.
  const CoreSelection& cores_of(const Launch& launch) const;
  /// Returns the priority of the launch, else that of its queue, else 0.
  std::uint32_t priority_of(const Launch& launch) const;
  /// Returns the queue of the launch, if that is a graph.
  std::optional<QueueId> graph_of(const Launch& launch) const {
    const Queue* queue = queue_of(launch);
    return queue != nullptr && queue->is_graph ? launch.queue : std::nullopt;
  }

 private:
  /// Returns null if the launch is in no queue, or its queue does not exist.
  const Queue* queue_of(const Launch& launch) const {
    return launch.queue && index_of(*launch.queue) < queues.size() ? &queues[index_of(*launch.queue)] : nullptr;
  }
  static const Kernel& no_kernel();
};

}  // namespace gdsim
