#include <gdsim/report/run_text.hpp>

#include <gdsim/base/printable.hpp>

#include <fmt/format.h>

#include <iterator>

namespace gdsim {
namespace {

constexpr std::size_t kMostPhasesShown = 40;

std::string percent(Ratio ratio) { return to_fixed(ratio, 1) + " %"; }

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

class RunText {
 public:
  explicit RunText(const RunReport& report) : report_(report), record_(report.record), terms_(report.device.terms) {}

  std::string write() {
    heading();
    phases();
    means();
    if (record_.outcome == Outcome::stalled) stall();
    line(
        "Durations are those that the scenario declares: they predict the shape of occupancy, not wall "
        "time.");
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_.push_back('\n');
  }

  std::string launch_name(LaunchId launch) const { return printable(report_.workload.launches[index_of(launch)].name); }

  Ratio share(std::uint64_t threads) const { return {UInt128{threads} * 100, record_.contexts_total}; }

  void heading() {
    line("{}", printable(report_.title));
    line("on {}: {}, {} contexts", report_.device.name, counted(report_.device.cores, terms_.core),
         record_.contexts_total);
    line("{} after {}: {}, {}", name_of(record_.outcome), to_text(record_.duration()),
         counted(record_.work_groups_total, terms_.work_group), counted(record_.threads_total, terms_.thread));
    line("");
  }

  void phases() {
    const auto& phases = record_.phases.phases;
    if (phases.empty()) {
      line("No interval is long enough to be a phase (min_phase).");
      return;
    }
    const std::string busy = terms_.core + "s busy";
    line("{:>5}  {:>14}  {:>14}  {:>8}  {:>9}  {:>12}  {}", "phase", "start", "duration", terms_.thread + "s",
         "occupancy", "mean running", busy);
    for (std::size_t i = 0; i < phases.size() && i < kMostPhasesShown; ++i) {
      const Phase& phase = phases[i];
      const Ratio running{static_cast<UInt128>(phase.running_time), static_cast<UInt128>(phase.duration().count)};
      line("{:>5}  {:>14}  {:>14}  {:>8}  {:>9}  {:>12}  {:>{}}", i + 1, to_text(phase.start),
           to_text(phase.duration()), phase.resident, percent(share(phase.resident)), to_fixed(running, 1),
           phase.cores_busy, busy.size());
    }
    if (phases.size() > kMostPhasesShown)
      line("  ... and {} more; `--print phases` shows all", phases.size() - kMostPhasesShown);
  }

  void means() {
    const auto& transitions = record_.phases.transitions;
    if (!transitions.empty())
      line("Too short to be phases: {}; `--print summary` lists them", counted(transitions.size(), "transition"));
    line("");
    line("peak {} {}s ({}), mean occupancy {}", record_.peak_resident, terms_.thread, percent(record_.peak_occupancy()),
         percent(record_.mean_occupancy()));
  }

  void stall() {
    line("");
    line("Nothing can happen any more:");
    for (const StalledGroup& group : record_.stall.groups)
      line(
          "  {} {} of {} on {} {}: {} of {} {}s wait at the barrier in step {}; {} have no context, {} have "
          "ended",
          terms_.work_group, number_of(group.work_group), launch_name(group.launch), terms_.core, index_of(group.core),
          group.waiting, group.threads, terms_.thread, group.step + 1, group.unplaced, group.ended);
    for (const StalledLaunch& launch : record_.stall.launches) {
      line("  launch {}: {} {}s are not placed", launch_name(launch.launch), launch.work_groups_unplaced,
           terms_.work_group);
      for (const LaunchId before : launch.waits_for) line("    it waits for {} to end", launch_name(before));
    }
    line("");
  }

  const RunReport& report_;
  const RunRecord& record_;
  const Terms& terms_;
  std::string text_;
};

}  // namespace

std::string run_text(const RunReport& report) { return RunText(report).write(); }

}  // namespace gdsim
