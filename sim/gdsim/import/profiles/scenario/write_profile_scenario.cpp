#include <gdsim/import/profiles/scenario/profile_plan.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace gdsim {
namespace {

constexpr std::size_t kLongestComment = 300;
constexpr std::size_t kMostNotes = 40;
constexpr std::size_t kBuffered = 1 << 16;

YamlValue bytes_of(Bytes size) { return YamlValue::bytes(static_cast<std::uint64_t>(size.count)); }

YamlValue shown(std::string_view name) { return YamlValue::text(printable(name)); }

std::string comment_text(std::string_view text) {
  if (text.size() <= kLongestComment) return printable(text);
  return printable(text.substr(0, kLongestComment)) + fmt::format("... ({} bytes)", text.size());
}

/// `[64, 64, 128]`, or `64` if there is one dimension.
YamlValue sizes_value(const Extent& sizes, std::size_t dimensions) {
  if (dimensions == 1) return sizes[2];
  std::vector<YamlValue> used;
  for (std::size_t i = sizes.size() - dimensions; i < sizes.size(); ++i) used.emplace_back(sizes[i]);
  return YamlValue::list_in_line(std::move(used));
}

std::size_t dimensions_of(const NdRange& range) {
  if (range.global[0] > 1 || range.local[0] > 1) return 3;
  return range.global[1] > 1 || range.local[1] > 1 ? 2 : 1;
}

std::string span_text(Duration shortest, Duration longest) {
  return shortest == longest ? to_text(shortest) : to_text(shortest) + " to " + to_text(longest);
}

/// Writes the document part by part: a profile may have a million launches.
class ProfileScenarioWriter {
 public:
  ProfileScenarioWriter(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink)
      : profile_(profile), plan_(plan), device_(device), sink_(sink) {}

  void write() {
    add_head();
    add_line("kernels:");
    const std::vector<bool> is_launched = launched_kernels();
    for (std::size_t i = 0; i < plan_.kernels.size(); ++i)
      if (const Kernel& kernel = plan_.workload.kernels[i]; is_launched[i])
        add(YamlValue().named(printable(kernel.name), kernel_value(plan_.kernels[i], kernel)), 2);
    add_line("queues:");
    for (const Queue& queue : plan_.workload.queues) {
      const char* order = queue.order == QueueOrder::in_order ? "in_order" : "out_of_order";
      add(YamlValue().named(printable(queue.name), YamlValue::in_line().entry("order", YamlValue::word(order))), 2);
    }
    add_line("launches:");
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) add_launch(plan_.launches[i], plan_.workload.launches[i]);
    if (plan_.has_durations) add_expectations();
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

  void add_line(std::string_view line) {
    text_ += line;
    text_ += '\n';
  }

  void add(const YamlValue& part, std::size_t indent) {
    text_ += part.block(indent);
    if (text_.size() >= kBuffered) flush();
  }

  void flush() {
    sink_.write(text_);
    text_.clear();
  }

  void add_head() {
    YamlValue head;
    head.comment(fmt::format("Made by `gdsim import` of a profile ({}).",
                             plan_.has_durations ? profile_.format : profile_.format + ", without times"));
    if (plan_.has_counted_work()) {
      head.comment(
          "`memory` and `issue` are what was counted of a kernel's threads, times one factor that is fitted: it "
          "makes a");
      head.comment(
          "launch last as measured, alone on this device. What follows of another block size, of other registers, or "
          "of");
      head.comment("another device, is a prediction.");
    } else if (plan_.has_durations) {
      head.comment(
          "`compute` is fitted: what makes a launch last as measured, alone on this device, beside what dispatching "
          "it");
      head.comment("takes. What work-groups do meanwhile is not in the file.");
    } else {
      head.comment(
          "`program: placeholder` stands for what work-groups do, of which the file holds no time: put steps there.");
    }
    add_notes(head);
    head.entry("scenario", shown(plan_.title));
    for (const std::string& comment : device_.comments) head.comment(comment_text(comment));
    for (const DeviceOverride& change : plan_.overrides) head.comment(change.key + ": " + comment_text(change.why));
    add_devices(head);
    add(head, 0);
  }

  void add_notes(YamlValue& head) const {
    std::size_t shown = 0;
    for (const auto& [reason, count] : profile_.left_out)
      if (++shown <= kMostNotes) head.comment(fmt::format("left out: {}: {}", comment_text(reason), count));
    for (const auto* notes : {&profile_.notes, &plan_.notes})
      for (const std::string& note : *notes)
        if (++shown <= kMostNotes) head.comment(comment_text(note));
    if (shown > kMostNotes) head.comment(fmt::format("... and {} more", shown - kMostNotes));
  }

  void add_devices(YamlValue& head) const {
    const YamlValue device = device_value(device_, plan_.overrides);
    if (!plan_.devices) {
      head.entry("device", device);
      return;
    }
    YamlValue devices;
    std::vector<YamlValue> names;
    for (std::uint64_t i = 0; i < plan_.devices->count; ++i) {
      devices.entry(fmt::format("gpu{}", i), device);
      names.push_back(YamlValue::word(fmt::format("gpu{}", i)));
    }
    head.entry("devices", std::move(devices));
    if (!plan_.devices->link) return;
    YamlValue link = YamlValue::in_line().entry("between", YamlValue::list_in_line(std::move(names)));
    link.entry("bandwidth", YamlValue::word(to_text(plan_.devices->link->bandwidth)));
    link.entry("latency", YamlValue::word(to_text(plan_.devices->link->latency)));
    head.entry("links", YamlValue::list_in_line({std::move(link)}));
  }

  /// An expectation about one device holds for all, because all do the same.
  std::string name_of(std::size_t launch) const {
    return printable(plan_.workload.launches[launch].name + (plan_.devices ? ".gpu0" : ""));
  }

  YamlValue kernel_value(const PlannedKernel& planned, const Kernel& kernel) const {
    YamlValue value;
    if (planned.full_name != kernel.name) value.comment(comment_text(planned.full_name));
    if (plan_.has_durations)
      value.comment(fmt::format("measured: {}, {}", counted(planned.launches, "launch"),
                                span_text(planned.shortest, planned.longest)));
    const std::size_t dimensions = dimensions_of(kernel.range);
    value.entry("global", sizes_value(kernel.range.global, dimensions),
                counted(kernel.range.group_count(), "work-group"));
    value.entry("local", sizes_value(kernel.range.local, dimensions));
    if (!kernel.cluster.empty()) value.entry("cluster", kernel.cluster.front());
    value.entry("sub_group", kernel.sub_group,
                planned.sub_group_is_assumed ? "assumed; the file does not say" : std::string());
    add_needs(planned, kernel.needs, value);
    if (!plan_.has_durations)
      value.entry("program", YamlValue::word("placeholder"));
    else if (planned.work)
      add_counted_program(planned, kernel, value);
    else
      add_fitted_program(planned, value);
    return value;
  }

  static void add_fitted_program(const PlannedKernel& planned, YamlValue& value) {
    const bool is_short = planned.fitted.lasts > planned.fitted_to;
    std::string remark = "fitted beside the launches that overlap it";
    if (!planned.is_fitted_among_others)
      remark = is_short
                   ? "as little as can be: a launch lasts at least " + to_text(planned.fitted.lasts) + " on this device"
                   : "fitted: alone, a launch lasts " + to_text(planned.fitted.lasts);
    YamlValue step;
    step.entry("compute", YamlValue::word(to_text(planned.fitted.compute)), std::move(remark));
    value.entry("program", YamlValue().item(std::move(step)));
    if (!planned.is_fitted_among_others && !planned.spread.empty())
      value.entry("variation", YamlValue::read(planned.spread), "the spread of its launches");
  }

  static void add_counted_program(const PlannedKernel& planned, const Kernel& kernel, YamlValue& value) {
    value.comment(fmt::format(
        "counted, of each thread: {} instructions, {} B behind the L1 cache; times {}, the one factor that was fitted",
        to_text(Decimal{planned.work->instructions, -3}), planned.work->bytes,
        to_text(Decimal{planned.fitted_work.millionths, -6})));
    if (kernel.shared_working_set)
      value.entry("shared_working_set", bytes_of(*kernel.shared_working_set),
                  fmt::format("so that the last cache serves {} % of the bytes, as counted",
                              to_text(Decimal{planned.work->cached_hundredths, -2})));
    YamlValue program;
    for (const Step& step : kernel.program) program.item(step_value(step, YamlValue()));
    value.entry("program", std::move(program),
                fmt::format("alone, a launch lasts {}", to_text(planned.fitted_work.lasts)));
  }

  /// Adds the step to an empty mapping. Only for the kinds of steps in counted work.
  static YamlValue step_value(const Step& step, YamlValue value) {
    if (const auto* memory = std::get_if<Memory>(&step)) return value.entry("memory", bytes_of(memory->bytes));
    if (const auto* loop = std::get_if<Loop>(&step)) {
      std::vector<YamlValue> body;
      for (const Step& inner : loop->body) body.push_back(step_value(inner, YamlValue::in_line()));
      return value.entry(
          "loop",
          YamlValue::in_line().entry("count", loop->count).entry("body", YamlValue::list_in_line(std::move(body))));
    }
    const IssueSlots& slots = std::get<IssueSlots>(step);
    if (slots.by_kind.empty()) return value.entry("issue", YamlValue::word(to_text(slots.slots.amount) + " cycles"));
    YamlValue kinds = YamlValue::in_line();
    for (const InstructionCount& instruction_count : slots.by_kind)
      kinds.entry(instruction_count.kind, instruction_count.count);
    return value.entry("issue", std::move(kinds));
  }

  static void add_needs(const PlannedKernel& planned, const KernelNeeds& needs, YamlValue& value) {
    if (planned.registers_are_known)
      value.entry("registers", needs.registers);
    else if (needs.grf == GrfMode::normal && needs.registers == 0)
      value.comment("registers: not in the file; that they limit nothing is assumed");
    if (needs.accumulation_registers > 0) value.entry("accumulation_registers", needs.accumulation_registers);
    if (needs.scalar_registers > 0) value.entry("scalar_registers", needs.scalar_registers);
    if (needs.grf == GrfMode::large) value.entry("large_grf", YamlValue::word("true"));
    if (planned.slm_is_known)
      value.entry("slm", bytes_of(needs.slm.total));
    else
      value.comment("slm: not in the file; none is assumed");
  }

  void add_launch(const PlannedLaunch& planned, const Launch& launch) {
    YamlValue value = YamlValue::in_line();
    if (planned.collective) {
      const std::string& name = plan_.kernels[index_of(launch.as_kernel().kernel)].full_name;
      add(YamlValue().comment(fmt::format("{}: measured: {}", comment_text(name),
                                          planned.duration ? to_text(*planned.duration) : "no duration")),
          2);
      value.entry("collective", collective_value(*planned.collective, plan_.workload.kernel_of(launch)));
      value.entry("name", shown(launch.name));
    } else if (launch.is_kernel()) {
      value.entry("kernel", shown(plan_.workload.kernel_of(launch).name));
    } else {
      const Copy& copy = launch.as_copy();
      const bool goes_there = copy.direction == CopyDirection::host_to_device;
      value.entry("copy", YamlValue::in_line()
                              .entry("bytes", bytes_of(copy.bytes))
                              .entry("direction", YamlValue::word(goes_there ? "host_to_device" : "device_to_host")));
    }
    if (plan_.devices && !planned.collective) value.entry("device", YamlValue::word("each"));
    value.entry("queue", shown(plan_.workload.queues[index_of(*launch.queue)].name));
    if (launch.at != SimTime{}) value.entry("at", YamlValue::word(to_text(launch.at)));
    if (planned.count != 1 && !planned.collective) value.entry("count", planned.count);
    add(YamlValue().item(std::move(value)), 2);
  }

  static YamlValue collective_value(const PlannedCollective& collective, const Kernel& kernel) {
    return YamlValue::in_line()
        .entry("kind", YamlValue::word(collective.kind))
        .entry("algorithm", YamlValue::word(collective.algorithm))
        .entry("bytes", bytes_of(collective.bytes))
        .entry("work_groups", kernel.range.group_count())
        .entry("local", kernel.range.group_size())
        .entry("registers", kernel.needs.registers)
        .entry("slm", bytes_of(kernel.needs.slm.total));
  }

  static YamlValue times_of(const PlannedLaunch& planned) {
    YamlValue times = YamlValue::in_line();
    if (planned.begun) times.entry("begun", YamlValue::word(to_text(*planned.begun)));
    if (planned.duration && !planned.is_loose) times.entry("duration", YamlValue::word(to_text(*planned.duration)));
    return times;
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

  void add_expectations() {
    const YamlValue source = shown("measured: " + profile_.file + ", " + profile_.format);
    add_line("expect:");
    add(YamlValue().item(YamlValue().entry("outcome", YamlValue::word("completed"))), 2);
    bool has_header = false;
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      if (!is_expected(i)) continue;
      if (!has_header) add_line("  - launches:");
      has_header = true;
      add(YamlValue().named(name_of(i), times_of(plan_.launches[i])), 6);
    }
    if (has_header) {
      YamlValue behind;
      if (plan_.has_starts && !plan_.worst_begin.empty())
        behind.comment("`begun` is compared with the time since the first launch; none is further off than " +
                       comment_text(plan_.worst_begin));
      add(behind.entry("within", YamlValue::word("1 %")).entry("source", source), 4);
    }
    if (plan_.occupancy && !plan_.devices) add_occupancy(*plan_.occupancy, source);
    if (!predicts_times_) add_gaps();
  }

  void add_occupancy(const PlannedOccupancy& occupancy, const YamlValue& source) {
    const auto percent = [](std::uint64_t hundredths) { return to_text(Decimal{hundredths, -2}); };
    YamlValue item;
    item.entry("achieved_occupancy", YamlValue::word(percent(occupancy.measured)),
               occupancy.is_gap() ? "simulated: " + percent(occupancy.simulated) : std::string());
    item.entry("within", YamlValue::word(percent(PlannedOccupancy::kWithin)));
    if (occupancy.is_gap()) item.entry("status", YamlValue::word("known_gap"));
    add(YamlValue().item(item.entry("source", source)), 2);
  }

  void add_gaps() {
    if (plan_.gaps > 0)
      add(YamlValue().comment(
              "What is measured and the simulation does not give. `known_gap` asserts that it does not, yet."),
          2);
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
      if (!plan_.launches[i].is_gap) continue;
      YamlValue item;
      item.entry("launches", YamlValue::in_line().named(name_of(i), times_of(plan_.launches[i])),
                 "simulated: " + to_text(*plan_.launches[i].simulated));
      item.entry("within", YamlValue::word("1 %")).entry("status", YamlValue::word("known_gap"));
      add(YamlValue().item(std::move(item)), 2);
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

YamlValue device_value(const ScenarioDevice& device, const std::vector<DeviceOverride>& overrides) {
  if (device.counts.empty() && overrides.empty()) return shown(device.reference);
  YamlValue value = YamlValue::in_line().entry("base", shown(device.reference));
  for (const auto& [key, count] : device.counts) value.entry(key, YamlValue::word(count));
  for (const DeviceOverride& change : overrides) value.entry(change.key, YamlValue::read(change.value));
  return value;
}

void write_profile_scenario(const Profile& profile, const ProfilePlan& plan, const ScenarioDevice& device, Sink& sink) {
  ProfileScenarioWriter(profile, plan, device, sink).write();
}

}  // namespace gdsim
