#include <gdsim/import/profiles/scenario/write_profile_scenario.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <variant>

namespace gdsim {
namespace {

constexpr std::size_t kLongestComment = 300;
constexpr std::size_t kMostNotes = 40;
constexpr std::size_t kBuffered = 1 << 16;

std::string quoted_name(std::string_view text) { return double_quoted(printable(text)); }

std::string comment_text(std::string_view text) {
  if (text.size() <= kLongestComment) return printable(text);
  return printable(text.substr(0, kLongestComment)) + fmt::format("... ({} bytes)", text.size());
}

/// `[64, 64, 128]`, or `64` if there is one dimension.
std::string sizes_text(const Extent& sizes, std::size_t dimensions) {
  if (dimensions == 1) return std::to_string(sizes[2]);
  std::string text = dimensions == 3 ? std::to_string(sizes[0]) + ", " : "";
  return "[" + text + std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]) + "]";
}

std::size_t dimensions_of(const NdRange& range) {
  if (range.global[0] > 1 || range.local[0] > 1) return 3;
  return range.global[1] > 1 || range.local[1] > 1 ? 2 : 1;
}

std::string span_text(Duration shortest, Duration longest) {
  return shortest == longest ? to_text(shortest) : to_text(shortest) + " to " + to_text(longest);
}

class ProfileScenarioWriter {
 public:
  ProfileScenarioWriter(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink)
      : profile_(profile), plan_(plan), device_(device), sink_(sink) {}

  void write() {
    head();
    line("kernels:");
    const std::vector<bool> is_launched = launched_kernels();
    for (std::size_t i = 0; i < plan_.kernels.size(); ++i)
      if (is_launched[i]) kernel(plan_.kernels[i], plan_.workload.kernels[i]);
    line("queues:");
    for (const Queue& queue : plan_.workload.queues)
      line("  {}: {{order: {}}}", quoted_name(queue.name),
           queue.order == QueueOrder::in_order ? "in_order" : "out_of_order");
    line("launches:");
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) launch(plan_.launches[i], plan_.workload.launches[i]);
    if (plan_.has_durations) expectations();
    flush();
  }

 private:
  /// By kernel: true if some launch of it is not a collective.
  std::vector<bool> launched_kernels() const {
    std::vector<bool> is_launched(plan_.kernels.size(), !predicts_times_);
    for (std::size_t i = 0; i < plan_.launches.size(); ++i)
      if (const Launch& launch = plan_.workload.launches[i]; launch.is_kernel() && !plan_.launches[i].collective)
        is_launched[index_of(launch.as_kernel().kernel)] = true;
    return is_launched;
  }

  bool counts_work() const {
    return std::any_of(plan_.kernels.begin(), plan_.kernels.end(),
                       [](const PlannedKernel& kernel) { return kernel.work.has_value(); });
  }

  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_.push_back('\n');
    if (text_.size() >= kBuffered) flush();
  }

  void flush() {
    sink_.write(text_);
    text_.clear();
  }

  void head() {
    line("# Made by `gdsim import` of a profile ({}).",
         plan_.has_durations ? profile_.format : profile_.format + ", without times");
    if (counts_work()) {
      line(
          "# `memory` and `issue` are what was counted of a kernel's threads, times one factor that is fitted: it "
          "makes a");
      line(
          "# launch last as measured, alone on this device. What follows of another block size, of other registers, or "
          "of");
      line("# another device, is a prediction.");
    } else if (plan_.has_durations) {
      line(
          "# `compute` is fitted: what makes a launch last as measured, alone on this device, beside what dispatching "
          "it");
      line("# takes. What work-groups do meanwhile is not in the file.");
    } else {
      line(
          "# `program: placeholder` stands for what work-groups do, of which the file holds no time: put steps there.");
    }
    std::size_t shown = 0;
    for (const auto& [reason, count] : profile_.left_out)
      if (++shown <= kMostNotes) line("# left out: {}: {}", comment_text(reason), count);
    for (const std::string& note : profile_.notes)
      if (++shown <= kMostNotes) line("# {}", comment_text(note));
    for (const std::string& note : plan_.notes)
      if (++shown <= kMostNotes) line("# {}", comment_text(note));
    if (shown > kMostNotes) line("# ... and {} more", shown - kMostNotes);
    line("scenario: {}", quoted_name(plan_.title));
    for (const std::string& comment : device_.comments) line("# {}", comment_text(comment));
    for (const DeviceOverride& one : plan_.overrides) line("# {}: {}", one.key, comment_text(one.why));
    const std::string device = device_value(device_, plan_.overrides);
    if (!plan_.devices) return line("device: {}", device);
    line("devices:");
    for (std::uint64_t i = 0; i < plan_.devices->count; ++i) line("  gpu{}: {}", i, device);
    if (!plan_.devices->link.empty()) line("links: [{{between: [{}], {}}}]", device_names(), plan_.devices->link);
  }

  std::string device_names() const {
    std::string names;
    for (std::uint64_t i = 0; i < plan_.devices->count; ++i) names += fmt::format("{}gpu{}", i == 0 ? "" : ", ", i);
    return names;
  }

  /// An expectation about one device holds for all, because all do the same.
  std::string name_of(std::size_t launch) const {
    return quoted_name(plan_.workload.launches[launch].name + (plan_.devices ? ".gpu0" : ""));
  }

  void kernel(const PlannedKernel& planned, const Kernel& kernel) {
    line("  {}:", quoted_name(kernel.name));
    if (planned.full_name != kernel.name) line("    # {}", comment_text(planned.full_name));
    if (plan_.has_durations)
      line("    # measured: {}, {}", launches_text(planned.launches), span_text(planned.shortest, planned.longest));
    const std::size_t dimensions = dimensions_of(kernel.range);
    line("    global: {}  # {}", sizes_text(kernel.range.global, dimensions),
         counted(kernel.range.group_count(), "work-group"));
    line("    local: {}", sizes_text(kernel.range.local, dimensions));
    if (!kernel.cluster.empty()) line("    cluster: {}", kernel.cluster.front());
    line("    sub_group: {}{}", kernel.sub_group,
         planned.sub_group_is_assumed ? "  # assumed; the file does not say" : "");
    needs(planned, kernel.needs);
    if (!plan_.has_durations) return line("    program: placeholder");
    if (planned.work) return counted_program(planned, kernel);
    line("    program:");
    if (planned.is_fitted_among_others)
      return line("      - compute: {}  # fitted beside the launches that overlap it", to_text(planned.fitted.compute));
    const bool is_short = planned.fitted.lasts > planned.fitted_to;
    line("      - compute: {}  # {}", to_text(planned.fitted.compute),
         is_short ? "as little as can be: a launch lasts at least " + to_text(planned.fitted.lasts) + " on this device"
                  : "fitted: alone, a launch lasts " + to_text(planned.fitted.lasts));
    if (!planned.spread.empty()) line("    variation: {}  # the spread of its launches", planned.spread);
  }

  void counted_program(const PlannedKernel& planned, const Kernel& kernel) {
    line(
        "    # counted, of each thread: {} instructions, {} B behind the L1 cache; times {}, the one factor that was "
        "fitted",
        to_text(Decimal{planned.work->instructions, -3}), planned.work->bytes,
        to_text(Decimal{planned.fitted_work.millionths, -6}));
    if (kernel.shared_working_set)
      line("    shared_working_set: {} B  # so that the last cache serves {} % of the bytes, as counted",
           kernel.shared_working_set->count, to_text(Decimal{planned.work->cached_hundredths, -2}));
    line("    program:  # alone, a launch lasts {}", to_text(planned.fitted_work.lasts));
    for (const Step& step : kernel.program) line("      - {}", step_text(step));
  }

  /// Only for the kinds of steps in counted work.
  static std::string step_text(const Step& step) {
    if (const auto* memory = std::get_if<Memory>(&step)) return fmt::format("memory: {} B", memory->bytes.count);
    if (const auto* loop = std::get_if<Loop>(&step)) {
      std::string body;
      for (const Step& inner : loop->body) body += (body.empty() ? "" : ", ") + step_text(inner);
      return fmt::format("loop: {{count: {}, body: [{}]}}", loop->count, body);
    }
    const IssueSlots& slots = std::get<IssueSlots>(step);
    if (slots.by_kind.empty()) return fmt::format("issue: {} cycles", to_text(slots.slots.amount));
    std::string kinds;
    for (const InstructionCount& one : slots.by_kind)
      kinds += fmt::format("{}{}: {}", kinds.empty() ? "" : ", ", one.kind, one.count);
    return "issue: {" + kinds + "}";
  }

  static std::string launches_text(std::uint64_t launches) {
    return std::to_string(launches) + (launches == 1 ? " launch" : " launches");
  }

  void needs(const PlannedKernel& planned, const KernelNeeds& needs) {
    if (planned.registers_are_known) {
      line("    registers: {}", needs.registers);
    } else if (needs.grf == GrfMode::normal && needs.registers == 0) {
      line("    # registers: not in the file; that they limit nothing is assumed");
    }
    if (needs.accumulation_registers > 0) line("    accumulation_registers: {}", needs.accumulation_registers);
    if (needs.scalar_registers > 0) line("    scalar_registers: {}", needs.scalar_registers);
    if (needs.grf == GrfMode::large) line("    large_grf: true");
    if (planned.slm_is_known) {
      line("    slm: {} B", needs.slm.total.count);
    } else {
      line("    # slm: not in the file; none is assumed");
    }
  }

  void launch(const PlannedLaunch& planned, const Launch& launch) {
    std::string what;
    if (!launch.is_kernel()) {
      const Copy& copy = launch.as_copy();
      what = fmt::format("copy: {{bytes: {} B, direction: {}}}", copy.bytes.count,
                         copy.direction == CopyDirection::host_to_device ? "host_to_device" : "device_to_host");
    } else {
      what = "kernel: " + quoted_name(plan_.workload.kernel_of(launch).name);
    }
    const std::string queue = quoted_name(plan_.workload.queues[index_of(*launch.queue)].name);
    const std::string at = launch.at == SimTime{} ? "" : ", at: " + to_text(launch.at);
    const std::string count = planned.count == 1 ? "" : ", count: " + std::to_string(planned.count);
    if (planned.collective) return collective(planned, launch, queue + at);
    line("  - {{{}{}, queue: {}{}{}}}", what, plan_.devices ? ", device: each" : "", queue, at, count);
  }

  void collective(const PlannedLaunch& planned, const Launch& launch, const std::string& queue_and_time) {
    const Kernel& kernel = plan_.workload.kernel_of(launch);
    const PlannedCollective& what = *planned.collective;
    line("  # {}: measured: {}", comment_text(plan_.kernels[index_of(launch.as_kernel().kernel)].full_name),
         planned.duration ? to_text(*planned.duration) : "no duration");
    line(
        "  - {{collective: {{kind: {}, algorithm: {}, bytes: {} B, work_groups: {}, local: {}, registers: "
        "{}, slm: {} B}}, name: {}, queue: {}}}",
        what.kind, what.algorithm, what.bytes.count, kernel.range.group_count(), kernel.range.group_size(),
        kernel.needs.registers, kernel.needs.slm.total.count, quoted_name(launch.name), queue_and_time);
  }

  static std::string times_text(const PlannedLaunch& planned) {
    std::string text;
    if (planned.begun) text = "begun: " + to_text(*planned.begun);
    if (planned.duration && !planned.is_loose)
      text += (text.empty() ? "" : ", ") + ("duration: " + to_text(*planned.duration));
    return "{" + text + "}";
  }

  /// Returns true if the durations of collectives, and thus all later times, are predictions.
  bool predicts_times() const {
    return std::any_of(plan_.launches.begin(), plan_.launches.end(),
                       [](const PlannedLaunch& launch) { return launch.collective.has_value(); });
  }

  bool is_expected(std::size_t i) const {
    const PlannedLaunch& planned = plan_.launches[i];
    if (predicts_times_) return false;
    return !planned.is_gap && !planned.is_merged && (planned.begun || (planned.duration && !planned.is_loose));
  }

  void expectations() {
    const std::string source = quoted_name("measured: " + profile_.file + ", " + profile_.format);
    line("expect:");
    line("  - outcome: completed");
    bool has_header = false;
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      if (!is_expected(i)) continue;
      if (!has_header) line("  - launches:");
      has_header = true;
      line("      {}: {}", name_of(i), times_text(plan_.launches[i]));
    }
    if (has_header) {
      if (plan_.has_starts && !plan_.worst_begin.empty())
        line("    # `begun` is compared with the time since the first launch; none is further off than {}",
             comment_text(plan_.worst_begin));
      line("    within: 1 %");
      line("    source: {}", source);
    }
    if (plan_.occupancy && !plan_.devices) {
      line("  - achieved_occupancy: {}{}", to_text(Decimal{plan_.occupancy->measured, -2}),
           plan_.occupancy->is_gap()
               ? fmt::format("  # simulated: {}", to_text(Decimal{plan_.occupancy->simulated, -2}))
               : "");
      line("    within: {}", to_text(Decimal{PlannedOccupancy::kWithin, -2}));
      if (plan_.occupancy->is_gap()) line("    status: known_gap");
      line("    source: {}", source);
    }
    if (predicts_times_) return;
    if (plan_.gaps > 0)
      line("  # What is measured and the simulation does not give. `known_gap` asserts that it does not, yet.");
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      if (!plan_.launches[i].is_gap) continue;
      line("  - launches: {{{}: {}}}  # simulated: {}", name_of(i), times_text(plan_.launches[i]),
           to_text(*plan_.launches[i].simulated));
      line("    within: 1 %");
      line("    status: known_gap");
    }
  }

  const Profile& profile_;
  const ProfilePlan& plan_;
  const ScenarioDevice& device_;
  Sink& sink_;
  bool predicts_times_ = predicts_times();
  std::string text_;
};

}  // namespace

std::string device_value(const ScenarioDevice& device, const std::vector<DeviceOverride>& overrides) {
  const std::string reference = quoted_name(device.reference);
  if (device.counts.empty() && overrides.empty()) return reference;
  std::string text = "{base: " + reference;
  for (const auto& [key, value] : device.counts) text += ", " + key + ": " + value;
  for (const DeviceOverride& one : overrides) text += ", " + one.key + ": " + one.value;
  return text + "}";
}

void write_profile_scenario(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink) {
  ProfileScenarioWriter(profile, plan, device, sink).write();
}

}  // namespace gdsim
