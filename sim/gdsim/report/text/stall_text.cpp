#include <gdsim/report/text/stall_text.hpp>

#include <gdsim/base/printable.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

/// A device with thousands of stalled work-groups is told by its first ones.
constexpr std::size_t kMostGroupsShown = 20;

std::string quoted(const std::string& name) { return name.empty() ? "the barrier" : "'" + printable(name) + "'"; }

class StallText {
 public:
  explicit StallText(const RunReport& report) : report_(report), terms_(report.device.terms) {}

  std::string write() {
    text_ = "Nothing can happen any more:\n";
    const auto& groups = report_.record.stall.groups;
    for (std::size_t i = 0; i < groups.size() && i < kMostGroupsShown; ++i) group(groups[i]);
    if (groups.size() > kMostGroupsShown)
      text_ += fmt::format("  ... and {} more; `--print summary` lists all\n", groups.size() - kMostGroupsShown);
    circle();
    for (const StalledLaunch& entry : report_.record.stall.launches) launch(entry);
    return std::move(text_);
  }

 private:
  std::string launch_name(LaunchId launch) const { return printable(report_.workload.launches[index_of(launch)].name); }

  std::string place(const StalledGroup& group) const {
    if (group.line == 0) return fmt::format("in step {}", group.step + 1);
    return fmt::format("in step {} ({}:{})", group.step + 1, report_.file.empty() ? "line" : printable(report_.file),
                       group.line);
  }

  void waits_for_child(const StalledGroup& group) {
    text_ += fmt::format("  {} {} of {} on {} {}: {} of {} {}s wait for the child {} {}\n", terms_.work_group,
                         number_of(group.work_group), launch_name(group.launch), terms_.core, index_of(group.core),
                         group.waiting, group.threads, terms_.thread, launch_name(*group.child), place(group));
  }

  void group(const StalledGroup& group) {
    if (group.child) {
      waits_for_child(group);
      return;
    }
    const bool is_barrier = group.kind == WaitKind::barrier;
    text_ += fmt::format("  {} {} of {} on {} {}: {} of {} {}s wait {} {} {}\n", terms_.work_group,
                         number_of(group.work_group), launch_name(group.launch), terms_.core, index_of(group.core),
                         group.waiting, group.threads, terms_.thread, is_barrier ? "at" : "for",
                         is_barrier && !group.name.empty() ? "barrier " + quoted(group.name) : quoted(group.name),
                         place(group));
    if (group.expected == 0) {
      text_ += fmt::format("    no {} ever signals {}\n", terms_.thread, quoted(group.name));
    } else {
      text_ += fmt::format("    it needs {} of them; {} have no context, {} have ended\n", group.expected,
                           group.unplaced, group.ended);
    }
    for (const std::string& name : group.held_by)
      text_ += fmt::format("    {}s that should come wait at {}\n", terms_.thread, quoted(name));
  }

  void circle() {
    const auto& names = report_.record.stall.circle;
    if (names.empty()) return;
    std::string way;
    for (const std::string& name : names) way += quoted(name) + " -> ";
    text_ += "  they wait for each other in a circle: " + way + quoted(names.front()) + "\n";
  }

  void launch(const StalledLaunch& entry) {
    text_ += fmt::format("  launch {}: {} {}s are not placed\n", launch_name(entry.launch), entry.work_groups_unplaced,
                         terms_.work_group);
    for (const LaunchId before : entry.waits_for)
      text_ += fmt::format("    it waits for {} to end\n", launch_name(before));
  }

  const RunReport& report_;
  const Terms& terms_;
  std::string text_;
};

}  // namespace

std::string stall_text(const RunReport& report) { return StallText(report).write(); }

}  // namespace gdsim
