#include <gdsim/report/text/stall_text.hpp>

#include <gdsim/base/printable.hpp>
#include <gdsim/report/resource_words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace gdsim {
namespace {

/// With thousands of stalled work-groups, only the first ones are shown.
constexpr std::size_t kMaxGroupsShown = 20;

std::string quoted(const std::string& name) { return name.empty() ? "the barrier" : "'" + printable(name) + "'"; }

class StallText {
 public:
  explicit StallText(const RunReport& report) : report_(report), terms_(report.device.terms) {}

  std::string write() {
    text_ = "Nothing can happen any more:\n";
    const auto& groups = report_.record.stall.groups;
    for (std::size_t i = 0; i < groups.size() && i < kMaxGroupsShown; ++i) group(groups[i]);
    if (groups.size() > kMaxGroupsShown)
      text_ += fmt::format("  ... and {} more; `--print summary` lists all\n", groups.size() - kMaxGroupsShown);
    cycle();
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
      if (group.awaited > 1)
        text_ += fmt::format("    this would be time {}; so far all arrived {}\n", group.awaited,
                             group.happened == 1 ? "once" : fmt::format("{} times", group.happened));
    }
    for (const std::string& name : group.held_by)
      text_ += name == group.name ? fmt::format("    the waiting {}s are those that should arrive at {}\n",
                                                terms_.thread, quoted(name))
                                  : fmt::format("    {}s that should arrive wait at {}\n", terms_.thread, quoted(name));
  }

  void cycle() {
    const auto& launches = report_.record.stall.launch_cycle;
    if (!launches.empty()) {
      std::string path;
      for (const LaunchId launch : launches) path += launch_name(launch) + " -> ";
      text_ += "  launches wait for each other in a cycle: " + path + launch_name(launches.front()) + "\n";
    }
    const auto& names = report_.record.stall.cycle;
    if (names.empty()) return;
    std::string path;
    for (const std::string& name : names) path += quoted(name) + " -> ";
    text_ += "  they wait for each other in a cycle: " + path + quoted(names.front()) + "\n";
  }

  void launch(const StalledLaunch& entry) {
    // All its work-groups are placed: what they wait for is listed above.
    if (entry.work_groups_unplaced == 0 && entry.waits_for.empty() && entry.short_of.empty()) return;
    text_ += fmt::format("  launch {}: {} {}{} not placed\n", launch_name(entry.launch), entry.work_groups_unplaced,
                         terms_.work_group, entry.work_groups_unplaced == 1 ? " is" : "s are");
    for (const LaunchId before : entry.waits_for)
      text_ += fmt::format("    it waits for {} to end\n", launch_name(before));
    for (const Shortage& shortage : entry.short_of) text_ += "    " + words_for(shortage) + "\n";
  }

  /// `core 0 has 0 B of SLM free, the next work-group needs 32768: held by work-groups 0, 1 of a; the same on 6 cores`.
  std::string words_for(const Shortage& shortage) const {
    switch (shortage.reason) {
      case WaitReason::host: return "the host has not submitted it";
      case WaitReason::other_launches: return "it is not its turn before " + holders(shortage);
      case WaitReason::ports: return "no port is free: held by " + holders(shortage);
      default: break;
    }
    std::string words = fmt::format("{} {} ", terms_.core, index_of(*shortage.core));
    if (shortage.reason == WaitReason::core_sharing) {
      words += "belongs to others";
    } else if (shortage.reason == WaitReason::context_ranges) {
      words += fmt::format("has {} {}s free, but no aligned run of {} for {}", *shortage.free, terms_.context,
                           *shortage.needed, requester(shortage));
    } else if (shortage.free) {
      const char* unit = shortage.reason == WaitReason::slm ? "B of " : "";
      words += fmt::format("has {} {}{} free, {} needs {}", *shortage.free, unit, resource(shortage.reason),
                           requester(shortage), *shortage.needed);
    } else if (shortage.reason == WaitReason::slm) {
      words +=
          fmt::format("must drain before its {} is set anew for {}", resource(shortage.reason), requester(shortage));
    } else {
      words += fmt::format("has too few {} free for {}", resource(shortage.reason), requester(shortage));
    }
    words += ": held by " + holders(shortage);
    return shortage.cores > 1 ? words + fmt::format("; the same on {} {}s", shortage.cores, terms_.core) : words;
  }

  std::string requester(const Shortage& shortage) const {
    return shortage.rest_of ? fmt::format("the rest of {} {}", terms_.work_group, number_of(*shortage.rest_of))
                            : "the next " + terms_.work_group;
  }

  std::string resource(WaitReason reason) const {
    switch (reason) {
      case WaitReason::contexts: return gdsim::words_for(Resource::threads, terms_);
      case WaitReason::work_group_slots: return gdsim::words_for(Resource::work_group_slots, terms_);
      case WaitReason::slm: return gdsim::words_for(Resource::slm, terms_);
      case WaitReason::barriers: return gdsim::words_for(Resource::barriers, terms_);
      default: return gdsim::words_for(Resource::registers, terms_);
    }
  }

  /// `work-groups 0, 1 and 3 more of a, 4 of c, ...`, or launches.
  std::string holders(const Shortage& shortage) const {
    std::string words;
    std::uint64_t named = 0;
    for (const Holder& holder : shortage.holders) {
      words += words.empty() ? "" : ", ";
      named += std::max<std::uint64_t>(holder.work_groups, 1);
      if (holder.work_groups > 0) words += numbers(holder) + " of ";
      words += launch_name(holder.launch);
    }
    if (words.empty()) return "nothing";
    return shortage.holding > named ? words + fmt::format(", and {} more", shortage.holding - named) : words;
  }

  std::string numbers(const Holder& holder) const {
    std::string words = terms_.work_group + (holder.work_groups > 1 ? "s " : " ");
    for (std::size_t i = 0; i < holder.first.size(); ++i)
      words += (i > 0 ? ", " : "") + std::to_string(number_of(holder.first[i]));
    const std::uint64_t more = holder.work_groups - holder.first.size();
    return more > 0 ? words + fmt::format(" and {} more", more) : words;
  }

  const RunReport& report_;
  const Terms& terms_;
  std::string text_;
};

}  // namespace

std::string stall_text(const RunReport& report) { return StallText(report).write(); }

std::string stored_stall_text(const RunReport& report) {
  RunReport stored = report;
  stored.file = std::filesystem::path(report.file).filename().string();
  return stall_text(stored);
}

}  // namespace gdsim
