#include "output/summary_file.hpp"

#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <gdsim/yaml/yaml_document.hpp>
#include <gdsim/yaml/yaml_values.hpp>

namespace gdsim::cli {
namespace {

/// Returns the number of a key; 0 if it is missing or null.
Ratio ratio_of(const YamlNode& node, std::string_view key) {
  const YamlNode* value = node.find(key);
  const auto number = value != nullptr ? parse_decimal(value->text).value : std::nullopt;
  Ratio ratio{number ? number->digits : 0, 1};
  for (int i = number ? number->exponent : 0; i < 0; ++i) ratio.denominator *= 10;
  for (int i = 0; number && i < number->exponent; ++i) ratio.numerator *= 10;
  return ratio;
}

/// Values of a mapping. JSON is YAML: the strict reader of scenarios reads it, with places for its messages.
class SummaryNode {
 public:
  SummaryNode(const YamlNode& node, const ValueReader& values) : node_(node), values_(values) {}

  const YamlNode* find(std::string_view key) const {
    const YamlNode* node = node_.find(key);
    if (node == nullptr) values_.fail(node_, key, "is missing");
    return node;
  }

  std::string text(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? "" : node->text;
  }

  std::uint64_t count(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? 0 : values_.whole(*node, key).value_or(0);
  }

  Duration span(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? Duration{} : span_of(*node, key);
  }
  SimTime time(std::string_view key) const { return SimTime{} + span(key); }

  Outcome outcome(std::string_view key) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return {};
    for (const Outcome known : {Outcome::completed, Outcome::deadlock, Outcome::interrupted, Outcome::bounded})
      if (node->text == name_of(known)) return known;
    values_.fail(*node, key, describe(*node) + " is no outcome; known: completed, stalled, interrupted, bounded");
    return {};
  }

  bool truth(std::string_view key) const {
    const YamlNode* node = find(key);
    return node != nullptr && values_.truth(*node, key).value_or(false);
  }

  /// Returns the items of a list; empty if it is missing.
  const std::vector<YamlNode>& items(std::string_view key) const {
    static const std::vector<YamlNode> none;
    const YamlNode* node = find(key);
    return node == nullptr ? none : node->items;
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> texts;
    for (const YamlNode& item : items(key)) texts.push_back(item.text);
    return texts;
  }

  std::vector<std::uint64_t> counts(std::string_view key) const {
    std::vector<std::uint64_t> counts;
    for (const YamlNode& item : items(key)) counts.push_back(values_.whole(item, key).value_or(0));
    return counts;
  }

  /// Adds a problem with the value of a key, which is present.
  void refuse(std::string_view key, const std::string& why) const {
    if (const YamlNode* node = node_.find(key)) values_.fail(*node, key, why);
  }

  Ratio ratio(std::string_view key) const { return ratio_of(node_, key); }

  SummaryNode of(const YamlNode& node) const { return {node, values_}; }
  const YamlNode* find_if_any(std::string_view key) const { return node_.find(key); }

  Duration span_of(const YamlNode& node, std::string_view key) const {
    const auto time = parse_nanoseconds(node.text);
    if (!time) values_.fail(node, key, describe(node) + " is no time in nanoseconds");
    return time.value_or(Duration{});
  }

 private:
  const YamlNode& node_;
  const ValueReader& values_;
};

void read_transitions(const SummaryNode& summary, PhaseList& phases) {
  for (const YamlNode& item : summary.items("transitions")) {
    const SummaryNode node = summary.of(item);
    phases.transitions.push_back({node.time("start_ns"), node.time("end_ns"), node.count("threads_resident_min"),
                                  node.count("threads_resident_max")});
  }
}

std::optional<Ratio> percent_of(const YamlNode& node, std::string_view key) {
  const YamlNode* value = node.find(key);
  return value == nullptr || value->text == "null" ? std::nullopt : std::optional(ratio_of(node, key));
}

/// Reads a list of uses. What is no such list is an empty one: it was written for people.
std::vector<ResourceUse> uses_of(const YamlNode& speed, std::string_view list, std::string_view name,
                                 std::string_view rate) {
  std::vector<ResourceUse> uses;
  const YamlNode* items = speed.find(list);
  if (items == nullptr) return uses;
  for (const YamlNode& item : items->items)
    if (const YamlNode* named = item.find(name))
      uses.push_back({named->text, 0, ratio_of(item, rate), percent_of(item, "percent")});
  return uses;
}

/// Reads what decides the duration and what was achieved. Earlier versions wrote the finding as a text, and no more.
void read_answer(const SummaryNode& summary, RunView& view) {
  if (const YamlNode* finding = summary.find_if_any("finding")) {
    const YamlNode* what = finding->find("what");
    view.finding = finding->text;
    for (std::size_t kind = 0; what != nullptr && kind < kFindingKindCount; ++kind)
      if (finding->find("kind") != nullptr && finding->find("kind")->text == name_of(static_cast<FindingKind>(kind)))
        view.finding = finding_line({static_cast<FindingKind>(kind), what->text, {}});
  }
  if (const YamlNode* written = summary.find_if_any("speed_of_light")) {
    SpeedOfLight speed;
    speed.memory = uses_of(*written, "memory", "level", "bytes_per_s");
    speed.pipes = uses_of(*written, "pipes", "kind", "per_s");
    speed.copies = uses_of(*written, "copies", "direction", "bytes_per_s");
    speed.issue = percent_of(*written, "issue_percent");
    speed.l1 = percent_of(*written, "l1_percent");
    speed.atomics = percent_of(*written, "atomics_percent");
    const YamlNode* links = written->find("links");
    if (links != nullptr && !links->items.empty()) speed.links = percent_of(links->items.front(), "percent");
    view.speed = use_rows(speed);
  }
  const YamlNode* limit = summary.find_if_any("theoretical_limit");
  if (limit != nullptr && summary.find_if_any("speed_of_light") != nullptr)
    view.occupancy = occupancy_words({summary.ratio("theoretical_occupancy_percent"), limit->text,
                                      summary.ratio("achieved_occupancy_percent"), summary.ratio("waves")});
}

void read_run(const SummaryNode& summary, RunView& view) {
  view.title = summary.text("scenario");
  RunRecord& record = view.record;
  record.outcome = summary.outcome("outcome");
  record.begin = summary.time("start_ns");
  record.end = summary.time("end_ns");
  record.first_dispatch = record.begin;
  // Earlier versions wrote the first dispatch as the start.
  if (const YamlNode* active = summary.find_if_any("active_ns"))
    record.first_dispatch = record.end - summary.span_of(*active, "active_ns");
  record.threads_total = summary.count("threads_total");
  record.contexts_total = summary.count("contexts_total");
  record.work_groups_total = summary.count("work_groups_total");
  read_transitions(summary, record.phases);
  read_answer(summary, view);
  if (summary.find_if_any("notes") != nullptr) view.notes = summary.texts("notes");
  if (const YamlNode* deadlock = summary.find_if_any("stall"); deadlock != nullptr && deadlock->find("text") != nullptr)
    view.deadlock = deadlock->find("text")->text;
}

/// Reads the core groups. At each level they must have all cores of the device.
void read_core_groups(const SummaryNode& summary, RunView& view) {
  for (const YamlNode& node : summary.items("core_groups")) {
    const SummaryNode level = summary.of(node);
    const std::string name = level.text("level");
    CoreGroup group{name, 0, 0, 0};
    bool are_whole = true;
    for (const std::uint64_t size : level.counts("sizes")) {
      are_whole = are_whole && size > 0 && size <= view.cores - group.first;
      group.last = size <= view.cores - group.first ? group.first + size : view.cores;
      view.core_groups.push_back(group);
      group = {name, group.number + 1, group.last, group.last};
    }
    if (!are_whole || group.first != view.cores)
      level.refuse("sizes", "do not add up to the cores of the device, " + std::to_string(view.cores));
  }
}

void read_clocks(const SummaryNode& summary, RunView& view) {
  for (const YamlNode& node : summary.items("clocks")) {
    const SummaryNode clock = summary.of(node);
    const std::uint64_t hertz = clock.count("clock_hz");
    if (hertz == 0 || hertz > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      clock.refuse("clock_hz", "is no clock in Hz");
    else
      add_clock(view, clock.time("start_ns"), Hertz{static_cast<std::int64_t>(hertz)});
  }
}

void read_setting(const SummaryNode& summary, RunView& view) {
  view.device = summary.text("device_name");
  const std::uint64_t cores = summary.count("cores");
  view.cores = cores > std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint32_t>(cores);
  if (view.cores != 0) view.record.contexts_per_core = view.record.contexts_total / view.cores;
  if (const YamlNode* node = summary.find("words")) {
    const SummaryNode words = summary.of(*node);
    view.terms.core = words.text("core");
    view.terms.thread = words.text("thread");
    view.terms.work_group = words.text("work_group");
    view.terms.slm = words.text("slm");
    view.terms.context = words.text("context");
  }
  for (const YamlNode& node : summary.items("limits")) {
    const SummaryNode limit = summary.of(node);
    view.limits.push_back(
        {limit.text("kernel"), limit.text("resource"), limit.count("work_groups"), limit.truth("limits")});
  }
  if (summary.find_if_any("clocks") != nullptr) read_clocks(summary, view);
  view.changes = summary.texts("changes");
  if (summary.find_if_any("core_groups") != nullptr) read_core_groups(summary, view);
}

void read_time_use(const SummaryNode& summary, RunView& view) {
  const YamlNode* node = summary.find("time_use");
  if (node == nullptr) return;
  TimeUse& all = view.time_use.emplace();
  for (const YamlNode& kernel : summary.of(*node).items("kernels")) {
    const SummaryNode spent = summary.of(kernel);
    TimeUse own;
    for (std::size_t kind = 0; kind < kTimeKindCount; ++kind) {
      const std::string name = std::string(kTimeKindNames[kind]) + "_ns";
      const bool is_of_older_file = static_cast<TimeKind>(kind) == TimeKind::access && !spent.find_if_any(name);
      if (is_of_older_file)
        view.are_accesses_known = false;
      else
        own.spent[kind] = spent.span(name).count;
    }
    if (own.of(TimeKind::access) > own.of(TimeKind::executing))
      spent.refuse("accessing_memory_ns", "is more than executing_ns, of which it is a part");
    all += own;
  }
  all.add(TimeKind::executing, -all.of(TimeKind::access));
}

LaunchSummary read_launch(const SummaryNode& node) {
  LaunchSummary launch;
  if (node.find_if_any("copy") != nullptr) launch.copy = node.text("copy");
  launch.after = node.texts("after");
  if (const YamlNode* slack = node.find_if_any("slack_ns")) launch.slack = node.span_of(*slack, "slack_ns");
  const YamlNode* waited = node.find("waited_ns");
  if (waited == nullptr) return launch;
  for (const WaitReason reason : kWaitReasons)
    if (const YamlNode* time = waited->find(name_of(reason)))
      launch.waited.add(reason, node.span_of(*time, name_of(reason)));
  return launch;
}

}  // namespace

SummaryLaunches read_summary(const SourceText& source, RunView& view, Diagnostics& problems) {
  SummaryLaunches launches;
  const auto root = read_yaml(source, problems);
  if (!root) return launches;
  const ValueReader values(problems);
  const SummaryNode summary(*root, values);
  if (const YamlNode* end = root->find("end_ns"); end != nullptr && end->text == "null") {
    values.fail(*end, "end_ns",
                "is null: the program of a kernel was a placeholder, so the run has no times; write its "
                "steps and run it again");
    return launches;
  }
  if (const YamlNode* devices = root->find("devices")) {
    values.fail(*devices, "devices",
                "several devices ran here, and this is made of a folder of one device; give their scenario instead");
    return launches;
  }
  read_run(summary, view);
  read_setting(summary, view);
  read_time_use(summary, view);
  launches.critical_path = summary.texts("critical_path");
  for (const YamlNode& node : summary.items("launches"))
    launches.by_name.emplace(summary.of(node).text("launch"), read_launch(summary.of(node)));
  return launches;
}

}  // namespace gdsim::cli
