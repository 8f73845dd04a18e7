#include <gdsim/analysis/words.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// The maximum number of entries about stalled work-groups: there may be thousands that differ.
constexpr std::size_t kMaxEntries = 20;
/// The maximum number of runs of work-groups, cores or flags that an entry names.
constexpr std::size_t kMaxRuns = 5;

std::string quoted(const std::string& name) { return name.empty() ? "the barrier" : "'" + printable(name) + "'"; }

/// `3`, `0 to 7`, or `0 to 3, 9, ... and 4 more`: these numbers, in ascending order.
std::string words_of(const std::set<std::int64_t>& numbers) {
  std::string words;
  std::size_t runs = 0;
  std::size_t named = 0;
  for (auto at = numbers.begin(); at != numbers.end() && runs < kMaxRuns; ++runs) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    for (; at != numbers.end() && *at <= last + 1; ++at, ++named) last = *at;
    words += (runs > 0 ? ", " : "") + std::to_string(first);
    if (last > first) words += (last == first + 1 ? " and " : " to ") + std::to_string(last);
  }
  return named < numbers.size() ? words + fmt::format(" and {} more", numbers.size() - named) : words;
}

/// Work-groups that wait for the same, or each for its own flag of one name.
struct EqualGroups {
  LaunchId launch{};
  std::string before;   ///< `4 of 4 warps wait `, of a flag `4 of 4 warps wait for `
  std::string flag;     ///< the name of the flag, in quotes; empty: they wait for something else
  std::string after;    ///< the rest of the line
  std::string details;  ///< further lines
  std::set<std::int64_t> groups{};
  std::set<std::int64_t> cores{};
  std::set<std::int64_t> flags{};

  bool is_equal(const EqualGroups& other) const {
    return launch == other.launch && before == other.before && flag == other.flag && after == other.after &&
           details == other.details;
  }
};

class DeadlockText {
 public:
  explicit DeadlockText(const RunReport& report) : report_(report), terms_(report.device.terms) {}

  std::string write() {
    text_ = "Nothing can happen any more:\n";
    const std::vector<EqualGroups> all = equal_groups();
    for (std::size_t i = 0; i < all.size() && i < kMaxEntries; ++i) entry(all[i]);
    if (all.size() > kMaxEntries) {
      std::size_t more = 0;
      for (std::size_t i = kMaxEntries; i < all.size(); ++i) more += all[i].groups.size();
      text_ += fmt::format("  ... and {} more {}s; `--print summary` lists all\n", more, terms_.work_group);
    }
    cycle();
    for (const DeadlockedLaunch& entry : report_.record.deadlock.launches) launch(entry);
    return std::move(text_);
  }

 private:
  std::string launch_name(LaunchId launch) const { return printable(report_.workload.launches[index_of(launch)].name); }

  std::string place(const DeadlockedGroup& group) const {
    if (group.line == 0) return fmt::format("in step {}", group.step + 1);
    return fmt::format("in step {} ({}:{})", group.step + 1, report_.file.empty() ? "line" : printable(report_.file),
                       group.line);
  }

  /// Returns the stalled work-groups, equal ones together, in the order in which the first of each appears.
  std::vector<EqualGroups> equal_groups() const {
    std::vector<EqualGroups> groups;
    for (const DeadlockedGroup& group : report_.record.deadlock.groups) {
      EqualGroups described = describe(group);
      auto same = std::find_if(groups.begin(), groups.end(),
                               [&](const EqualGroups& other) { return other.is_equal(described); });
      if (same == groups.end()) same = groups.insert(groups.end(), std::move(described));
      same->groups.insert(static_cast<std::int64_t>(number_of(group.work_group)));
      same->cores.insert(static_cast<std::int64_t>(index_of(group.core)));
      if (group.flag_index) same->flags.insert(*group.flag_index);
    }
    return groups;
  }

  void entry(const EqualGroups& stalled) {
    const auto plural = [](std::size_t count) { return count > 1 ? "s" : ""; };
    text_ +=
        fmt::format("  {}{} {} of {} on {}{} {}: {}{}", terms_.work_group, plural(stalled.groups.size()),
                    words_of(stalled.groups), launch_name(stalled.launch), terms_.core, plural(stalled.cores.size()),
                    words_of(stalled.cores), stalled.groups.size() > 1 ? "of each, " : "", stalled.before);
    if (!stalled.flags.empty())
      text_ += fmt::format("flag{} {} of {}", plural(stalled.flags.size()), words_of(stalled.flags), stalled.flag);
    text_ += stalled.after + "\n" + stalled.details;
  }

  EqualGroups describe(const DeadlockedGroup& group) const {
    EqualGroups described;
    described.launch = group.launch;
    described.before = fmt::format("{} of {} {}s wait ", group.waiting, group.threads, terms_.thread);
    switch (group.kind) {
      case ThreadWait::child: described.after = fmt::format("for the child {} ", launch_name(*group.child)); break;
      case ThreadWait::grid:
      case ThreadWait::dependencies: describe_wait_for_others(group, described); break;
      case ThreadWait::flag: describe_flag(group, described); break;
      case ThreadWait::barrier:
      case ThreadWait::wait: describe_barrier(group, described);
    }
    described.after += place(group);
    return described;
  }

  /// Explains a wait for all work-groups of the launch, as at a grid barrier, for other devices, or for the launches
  /// before it.
  void describe_wait_for_others(const DeadlockedGroup& group, EqualGroups& described) const {
    const bool is_grid = group.kind == ThreadWait::grid;
    const KernelLaunch& work = report_.workload.launches[index_of(group.launch)].as_kernel();
    const std::string at_grid =
        work.is_part_of_collective ? "for the exchange with other devices " : "at the grid barrier ";
    described.after = is_grid ? at_grid : "for the launches before it ";
    const auto& launches = report_.record.deadlock.launches;
    const auto entry = std::find_if(launches.begin(), launches.end(),
                                    [&](const DeadlockedLaunch& launch) { return launch.launch == group.launch; });
    if (work.is_part_of_collective)
      described.details =
          fmt::format("    it begins once the {}s of the collective on all devices are resident\n", terms_.work_group);
    if (!is_grid || entry == launches.end() || entry->work_groups_unplaced == 0) return;
    const Kernel& kernel = report_.workload.kernel_of(report_.workload.launches[index_of(group.launch)]);
    described.details +=
        fmt::format("    it needs all {} {}s at once; {} have no room {}\n", kernel.range.group_count(),
                    terms_.work_group, entry->work_groups_unplaced,
                    work.is_cooperative ? "beside what other launches hold"
                                        : "until one of these ends; with `cooperative: true` the launch is refused "
                                          "where they do not all fit");
  }

  void describe_flag(const DeadlockedGroup& group, EqualGroups& described) const {
    described.before += "for ";
    described.flag = quoted(group.name);
    described.after = " ";
    described.details = fmt::format("    {} {}{} signal{} it\n", group.expected, terms_.work_group,
                                    group.expected == 1 ? "" : "s", group.expected == 1 ? "s" : "");
    add_times(group, described);
  }

  void describe_barrier(const DeadlockedGroup& group, EqualGroups& described) const {
    const bool is_barrier = group.kind == ThreadWait::barrier;
    described.after = std::string(is_barrier ? "at " : "for ") + (is_barrier && !group.name.empty() ? "barrier " : "") +
                      quoted(group.name) + " ";
    if (group.expected == 0) {
      described.details = fmt::format("    no {} ever signals {}\n", terms_.thread, quoted(group.name));
    } else {
      described.details = fmt::format("    it needs {} of them; {} have no context, {} have ended\n", group.expected,
                                      group.unplaced, group.ended);
      add_times(group, described);
    }
    for (const std::string& name : group.held_by)
      described.details +=
          name == group.name
              ? fmt::format("    the waiting {}s are those that should arrive at {}\n", terms_.thread, quoted(name))
              : fmt::format("    {}s that should arrive wait at {}\n", terms_.thread, quoted(name));
  }

  static void add_times(const DeadlockedGroup& group, EqualGroups& described) {
    if (group.awaited > 1)
      described.details += fmt::format("    this would be time {}; so far all arrived {}\n", group.awaited,
                                       group.happened == 1 ? "once" : fmt::format("{} times", group.happened));
  }

  void cycle() {
    const auto& launches = report_.record.deadlock.launch_cycle;
    if (!launches.empty()) {
      std::string path;
      for (const LaunchId launch : launches) path += launch_name(launch) + " -> ";
      text_ += "  launches wait for each other in a cycle: " + path + launch_name(launches.front()) + "\n";
    }
    const auto& names = report_.record.deadlock.cycle;
    if (names.empty()) return;
    std::string path;
    for (const std::string& name : names) path += quoted(name) + " -> ";
    text_ += "  barriers and flags wait for each other in a cycle: " + path + quoted(names.front()) + "\n";
  }

  void launch(const DeadlockedLaunch& entry) {
    // All its work-groups are placed, and their waits are listed above.
    if (entry.work_groups_unplaced == 0 && entry.waits_for.empty() && entry.wait_causes.empty()) return;
    text_ += fmt::format("  launch {}: {} {}{} not placed\n", launch_name(entry.launch), entry.work_groups_unplaced,
                         terms_.work_group, entry.work_groups_unplaced == 1 ? " is" : "s are");
    for (const LaunchId before : entry.waits_for)
      text_ += fmt::format("    it waits for {} to end\n", launch_name(before));
    for (const WaitCause& cause : entry.wait_causes) text_ += "    " + words_for(cause) + "\n";
  }

  /// `core 0 has 0 B of SLM free, the next work-group needs 32768: held by work-groups 0, 1 of a; the same on 6 cores`.
  std::string words_for(const WaitCause& cause) const {
    switch (cause.reason) {
      case WaitReason::host: return "the host has not submitted it";
      case WaitReason::other_launches: return "it is not its turn before " + holders(cause);
      case WaitReason::ports: return "no port is free: held by " + holders(cause);
      default: break;
    }
    std::string words = fmt::format("{} {} ", terms_.core, index_of(*cause.core));
    if (cause.reason == WaitReason::core_sharing) {
      words += "belongs to others";
    } else if (cause.reason == WaitReason::context_ranges) {
      words += fmt::format("has {} {}s free, but no aligned run of {} for {}", *cause.free, terms_.context,
                           *cause.needed, requester(cause));
    } else if (cause.free) {
      const char* unit = cause.reason == WaitReason::slm ? "B of " : "";
      words += fmt::format("has {} {}{} free, {} needs {}", *cause.free, unit, resource(cause.reason), requester(cause),
                           *cause.needed);
    } else if (cause.reason == WaitReason::slm_pool) {
      words += fmt::format("must drain before its {} is set anew for {}", resource(cause.reason), requester(cause));
    } else {
      words += fmt::format("has too few {} free for {}", resource(cause.reason), requester(cause));
    }
    words += ": held by " + holders(cause);
    return cause.cores > 1 ? words + fmt::format("; the same on {} {}s", cause.cores, terms_.core) : words;
  }

  std::string requester(const WaitCause& cause) const {
    return cause.rest_of ? fmt::format("the rest of {} {}", terms_.work_group, number_of(*cause.rest_of))
                         : "the next " + terms_.work_group;
  }

  std::string resource(WaitReason reason) const {
    switch (reason) {
      case WaitReason::contexts: return gdsim::words_for(Resource::threads, terms_);
      case WaitReason::work_group_slots: return gdsim::words_for(Resource::work_group_slots, terms_);
      case WaitReason::slm:
      case WaitReason::slm_pool: return gdsim::words_for(Resource::slm, terms_);
      case WaitReason::barriers: return gdsim::words_for(Resource::barriers, terms_);
      default: return gdsim::words_for(Resource::registers, terms_);
    }
  }

  /// `work-groups 0, 1 and 3 more of a, 4 of c, ...`, or launches.
  std::string holders(const WaitCause& cause) const {
    std::string words;
    std::uint64_t named = 0;
    for (const Holder& holder : cause.holders) {
      words += words.empty() ? "" : ", ";
      named += std::max<std::uint64_t>(holder.work_groups, 1);
      if (holder.work_groups > 0) words += numbers(holder) + " of ";
      words += launch_name(holder.launch);
    }
    if (words.empty()) return "nothing";
    return cause.holding > named ? words + fmt::format(", and {} more", cause.holding - named) : words;
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

std::string deadlock_text(const RunReport& report) { return DeadlockText(report).write(); }

std::string stored_deadlock_text(const RunReport& report) {
  RunReport stored = report;
  stored.file = std::filesystem::path(report.file).filename().string();
  return deadlock_text(stored);
}

}  // namespace gdsim
