#include <gdsim/check/checks.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/workload/launch_order.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace gdsim {
namespace {

std::string name_of(LaunchId launch, const Workload& workload) { return workload.launches[index_of(launch)].name; }

/// Returns the key in a scenario by which a launch waits for another one.
std::string key_of(Cause cause) {
  switch (cause) {
    case Cause::after: return "after";
    case Cause::queue: return "queue";
    case Cause::cooperative: return "cooperative";
    case Cause::hardware_queue: return "queue";
    case Cause::read_after_write: return "reads";
    case Cause::write_after_read:
    case Cause::write_after_write: return "writes";
  }
  return {};
}

/// `b comes after a (queue: q)`.
std::string words_of(const Dependency& dependency, LaunchId launch, const Workload& workload) {
  if (dependency.cause == Cause::hardware_queue)
    return name_of(launch, workload) + " starts after " + name_of(dependency.before, workload) +
           " (their hardware queue is the same)";
  std::string key = key_of(dependency.cause) + ":";
  if (dependency.cause == Cause::queue)
    key += " " + workload.queues[index_of(*workload.launches[index_of(launch)].queue)].name;
  if (dependency.buffer) key += " " + workload.buffers[index_of(*dependency.buffer)];
  return name_of(launch, workload) + " comes after " + name_of(dependency.before, workload) + " (" + key + ")";
}

std::string words_of(const CycleLink& link, const Workload& workload, const std::vector<SimTime>& host_times) {
  const std::string launch = name_of(link.launch, workload);
  const std::string awaited = name_of(link.waits_for, workload);
  switch (link.kind) {
    case CycleLink::Reason::dependency: return words_of(*link.dependency, link.launch, workload);
    case CycleLink::Reason::host_wait: return "the host submits " + launch + " once " + awaited + " has ended (wait:)";
    case CycleLink::Reason::start: return launch + " starts behind " + awaited + " (their hardware queue is the same)";
    case CycleLink::Reason::parent: return launch + " waits for " + awaited + " (parent and child)";
    case CycleLink::Reason::host_order: break;
  }
  const bool is_by_time = host_times[index_of(link.launch)] != host_times[index_of(link.waits_for)];
  return "the host submits " + launch + " behind " + awaited +
         (is_by_time ? " (by at:)" : " (by the order in the file)");
}

Issue issue_of(const std::vector<CycleLink>& cycle, const Workload& workload, const std::vector<SimTime>& host_times) {
  const CycleLink& first = cycle.front();
  Issue issue;
  issue.path = item_path("launches", index_of(first.launch)) + "." +
               (first.dependency ? key_of(first.dependency->cause) : std::string("wait"));
  bool has_start = false;
  for (const CycleLink& link : cycle) {
    has_start = has_start || link.kind == CycleLink::Reason::start ||
                (link.dependency && link.dependency->cause == Cause::hardware_queue);
    issue.message += issue.message.empty() ? "these launches wait for each other in a cycle: " : ", ";
    issue.message += words_of(link, workload, host_times);
    issue.others.push_back(item_path("launches", index_of(link.launch)));
  }
  if (has_start)
    issue.message +=
        "; give one of them another queue, or let launches start in any order, as in `hardware_queues: {starts: "
        "any_order}` of the device";
  return issue;
}

}  // namespace

Issues check_order(const Workload& workload, const LaunchGraph& graph) {
  Issues found;
  if (graph.cycles.empty()) return found;
  const std::vector<SimTime> times = host_times(workload, graph.predecessors);
  for (const auto& cycle : graph.cycles) found.push_back(issue_of(cycle, workload, times));
  return found;
}

namespace {

/// The maximum number of buffers that are listed.
constexpr std::size_t kMaxBuffers = 8;

/// Returns what each buffer takes of the device's memory; 0: not known. A copy of one buffer shows its size.
std::vector<Bytes> sizes_on_device(const Workload& workload) {
  std::vector<Bytes> sizes = workload.buffer_sizes;
  sizes.resize(workload.buffers.size());
  for (const Launch& launch : workload.launches) {
    const auto* copy = std::get_if<Copy>(&launch.work);
    if (copy == nullptr || launch.is_link_copy()) continue;
    const auto& on_device = copy->direction == CopyDirection::host_to_device ? launch.writes : launch.reads;
    if (on_device.size() != 1) continue;
    Bytes& size = sizes[index_of(on_device[0])];
    size = std::max(size, copy->bytes);
  }
  return sizes;
}

/// `, or, if your card has more, write ...`, with a capacity of whole GiB. Empty if no device may have as much.
std::string larger_card(UInt128 bytes, const DeviceSpec& device) {
  constexpr UInt128 gib = UInt128{1} << 30;
  const UInt128 needed = (bytes + gib - 1) / gib;
  if (needed * gib > static_cast<UInt128>(device_limits::kMemory.count)) return {};
  return ", or, if your card has more, write `device: {base: " + device.id +
         ", memory: {capacity: " + std::to_string(static_cast<std::uint64_t>(needed)) + " GiB}}`";
}

}  // namespace

Issues check_buffers(const Workload& workload, const DeviceSpec& device) {
  if (!device.memory || !device.memory->capacity) return {};
  const std::vector<Bytes> sizes = sizes_on_device(workload);
  UInt128 sum = 0;
  std::size_t count = 0;
  std::string list;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].count == 0) continue;
    sum += static_cast<std::uint64_t>(sizes[i].count);
    if (count++ < kMaxBuffers) list += (list.empty() ? "" : ", ") + workload.buffers[i] + " " + to_text(sizes[i]);
  }
  if (sum <= static_cast<std::uint64_t>(device.memory->capacity->count)) return {};
  if (count > kMaxBuffers) list += " and " + std::to_string(count - kMaxBuffers) + " more";
  return {{"buffers.bytes",
           "the buffers take more than the " + to_text(*device.memory->capacity) + " of the device's memory: " + list +
               "; name fewer" + larger_card(sum, device),
           "buffers_too_large"}};
}

namespace {

bool waits_for_child(const Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.program_count(); ++i)
    for (const Step& step : kernel.program_of(i))
      if (const auto* child = std::get_if<LaunchChild>(&step); child != nullptr && child->wait == ChildWait::yes)
        return true;
  return false;
}

/// The deepest generation of children of CUDA: CUDA C++ Programming Guide, CUDA Dynamic Parallelism, nesting depth.
constexpr std::uint32_t kMaxGenerationsOfCuda = 24;

Issue too_deep(std::size_t kernel, std::uint32_t generations, const std::string& limit) {
  return {item_path("kernels", kernel) + ".program",
          "its children launch children, and so on, for " + std::to_string(generations) + " generations; " + limit};
}

}  // namespace

Issues check_children(const std::vector<Kernel>& kernels, const DeviceSpec* device) {
  Issues found;
  const KernelFamilies families = find_families(kernels);
  for (const auto& cycle : families.cycles) {
    Issue issue{item_path("kernels", index_of(cycle.front())) + ".program",
                "these kernels launch each other for ever: "};
    for (const KernelId kernel : cycle) {
      issue.message += kernels[index_of(kernel)].name + " -> ";
      issue.others.push_back(item_path("kernels", index_of(kernel)));
    }
    issue.message += kernels[index_of(cycle.front())].name;
    found.push_back(std::move(issue));
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const ChildrenBegin begins = kernels[i].children_begin;
    if (begins == ChildrenBegin::with_parent) continue;
    if (child_count(kernels[i]) == 0) {
      const std::string value(words_of(begins)[static_cast<std::size_t>(begins)]);
      found.push_back({item_path("kernels", i) + ".children",
                       "`begins: " + value + "` needs a `launch` step, and the kernel has none"});
    } else if (begins == ChildrenBegin::after_parent && waits_for_child(kernels[i])) {
      found.push_back({item_path("kernels", i) + ".children",
                       "`begins: after_parent` excludes `launch: {wait: true}`: the work-group would wait for a child "
                       "that starts only after it has ended; set `wait: false`"});
    }
  }
  // A kernel that launches one with too many generations also has too many, but is not reported.
  const bool is_cuda = device != nullptr && device->vendor == "nvidia";
  const std::uint32_t most = is_cuda ? kMaxGenerationsOfCuda : kMaxGenerations;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (families.generations[i] == most + 1)
      found.push_back(too_deep(i, families.generations[i],
                               "at most " + std::to_string(most) +
                                   (is_cuda ? " levels of launches from the device work in CUDA" : " are allowed")));
  return found;
}

namespace {

Issues check_names(const Workload& workload) {
  Issues found;
  std::unordered_map<std::string_view, std::size_t> children;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (workload.launches[i].parent() != nullptr) children.emplace(workload.launches[i].name, i);
  for (std::size_t i = 0; i < workload.launches.size() && !children.empty(); ++i) {
    const Launch& launch = workload.launches[i];
    const auto child = children.find(launch.name);
    if (launch.parent() != nullptr || child == children.end()) continue;
    const LaunchParent& parent = *workload.launches[child->second].parent();
    found.push_back({item_path("launches", i) + ".name",
                     "the child that work-group " + std::to_string(number_of(parent.work_group)) + " of " +
                         in_quotes(workload.launches[index_of(parent.launch)].name) + " launches is called " +
                         in_quotes(launch.name) + ", too; give this launch another `name:`"});
  }
  return found;
}

Issues check_totals(const Workload& workload) {
  constexpr std::uint64_t max = std::uint64_t{1} << 62;
  UInt128 threads = 0;
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    threads += workload.kernel_of(workload.launches[i]).threads_total();
    if (threads > max) return {{item_path("launches", i) + ".kernel", "the launches have more than 2^62 threads"}};
  }
  return {};
}

}  // namespace

Issues check_all_launches(const Workload& workload) {
  Issues found = check_names(workload);
  append(found, check_totals(workload));
  return found;
}

}  // namespace gdsim
