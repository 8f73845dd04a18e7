#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/page_data.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/page/plot/plots.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxPhaseRows = 200;
/// The maximum number of bytes of all names in a table; each name may take at least kMinBytesPerName.
constexpr std::size_t kMaxBytesOfNames = 200'000;
constexpr std::size_t kMinBytesPerName = 100;

/// Names of launches side by side, each with its own text direction.
Cell names_cell(const std::vector<std::size_t>& rows, const RunView& view) {
  constexpr std::size_t max = 20;
  Cell cell("");
  for (std::size_t i = 0; i < rows.size() && i < max; ++i) {
    const std::string comma = cell.text.empty() ? "" : ", ";
    const std::string name = shortened(view.launches[rows[i]].name, kMinBytesPerName);
    cell.text += comma + name;
    cell.markup += comma + "<bdi>" + markup_text(name) + "</bdi>";
  }
  if (rows.size() > max) {
    const std::string more = fmt::format(" and {} more", rows.size() - max);
    cell.text += more;
    cell.markup += more;
  }
  return cell;
}

std::string_view words_for(Activity kind, bool has_accesses) {
  switch (kind) {
    case Activity::executing:
      return has_accesses ? "that execute, without contention and accesses to memory"
                          : "that execute, without contention";
    case Activity::barrier: return "that wait at a barrier";
    case Activity::issue: return "that wait for their engine to issue";
    case Activity::memory: return "that wait for memory";
    case Activity::slm: return "that wait for the banks of shared local memory";
    case Activity::held: return "that have ended";
    case Activity::child: return "that wait for a child";
    case Activity::access: return "that access memory, without contention, latency included";
  }
  return {};
}

/// The longest phases, sorted by time.
std::vector<std::size_t> phases_shown(const RunView& view) {
  const std::vector<Phase>& phases = view.record.phases.phases;
  std::vector<std::size_t> rows(phases.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (rows.size() <= kMaxPhaseRows) return rows;
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return phases[a].duration() > phases[b].duration(); });
  rows.resize(kMaxPhaseRows);
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Says which launches determined the end.
std::string critical_path_note(const RunView& view) {
  constexpr std::size_t max = 12;
  if (view.record.critical_path.size() < 2) return {};
  std::string path;
  for (std::size_t i = 0; i < view.record.critical_path.size() && i < max; ++i)
    path += (i > 0 ? " → <bdi>" : "<bdi>") + markup_text(view.launches[index_of(view.record.critical_path[i])].name) +
            "</bdi>";
  if (view.record.critical_path.size() > max) path += fmt::format(" → … ({} in all)", view.record.critical_path.size());
  return "<p class=\"note\" id=\"critical-path\">Critical path: " + path +
         ". Slack is how much later a launch could have ended without a later end of the run.</p>\n";
}

}  // namespace

std::string headline_list(const RunView& view) {
  const TimeAccount account = time_account(view);
  std::string text = "<dl class=\"headline\">";
  const auto item = [&](const std::string& name, const Cell& value) {
    const std::string title = value.title.empty() ? "" : " title=\"" + markup_text(value.title) + "\"";
    text += "<div><dt>" + markup_text(name) + "</dt><dd" + title + ">" + markup_text(value.text) + "</dd></div>";
  };
  item("outcome", std::string(name_of(view.record.outcome)));
  item("duration", time_cell(view.record.duration()));
  if (view.record.active() != view.record.duration()) item("from the first dispatch", time_cell(view.record.active()));
  item("peak occupancy", occupancy_text(view.record.peak_resident, view));
  if (account.whole() > 0)
    item("mean occupancy", to_fixed({(account.running + account.stalled) * 100, account.whole()}, 1) + " %");
  item(view.terms.core + "s", std::to_string(view.cores));
  item("contexts", std::to_string(view.record.contexts_total));
  const std::string groups = std::to_string(view.record.work_groups_total);
  item(view.terms.work_group + "s", view.record.work_groups_ended() == view.record.work_groups_total
                                        ? groups
                                        : fmt::format("{} of {} ended", view.record.work_groups_ended(), groups));
  // Intel's word for a sub-group; elsewhere it means a work-item.
  item(view.terms.thread == "thread" ? "threads (sub-groups)" : view.terms.thread + "s",
       std::to_string(view.record.threads_total));
  if (view.runs > 1) item("runs", std::to_string(view.runs));
  return text + "</dl>\n";
}

std::string repetitions_note(const RunView& view) {
  if (view.runs <= 1) return {};
  return fmt::format(
      "<p class=\"note\" id=\"repetitions\">The scenario is repeated: the numbers are those of the first of {} "
      "runs{}.</p>\n",
      view.runs, view.bands.empty() ? "" : "; &ldquo;All runs&rdquo; shows how far they are apart");
}

std::string phase_table(const RunView& view) {
  if (view.record.first_dispatch >= view.record.end) return {};
  HtmlTable table("Phases: what resident " + view.terms.thread + "s do",
                  {"phase", "start", "end", "duration", "kind", view.terms.thread + "s", "occupancy",
                   view.time_series.empty() ? "running" : "executing", view.terms.core + "s busy"},
                  0, "phases");
  const TimeScale time(view.record.first_dispatch, view.record.end);
  for (const std::size_t i : phases_shown(view)) {
    const Phase& phase = view.record.phases.phases[i];
    const Ratio executing = view.time_series.empty() ? phase.mean_running() : mean_executing(phase, view.time_series);
    table.row({std::to_string(i + 1), time_cell(phase.begin), time_cell(phase.end), time_cell(phase.end - phase.begin),
               std::string(name_of(phase.kind)), phase_threads_text(phase),
               to_fixed(phase.occupancy_percent(view.record.contexts_total), 1) + " %", to_fixed(executing, 1),
               std::to_string(phase.cores_busy)},
              fmt::format(" data-from=\"{}\" data-to=\"{}\"", time.x(phase.begin), time.x(phase.end)));
  }
  std::string text = table.finish();
  if (view.record.phases.phases.size() > kMaxPhaseRows)
    text += fmt::format("<p class=\"note\">The longest {} of {} phases; phases.csv has all.</p>\n", kMaxPhaseRows,
                        view.record.phases.phases.size());
  if (view.record.phases.transitions.size() > 0)
    text += fmt::format("<p class=\"note\">Between them: {} interval{} too short to be phases.</p>\n",
                        view.record.phases.transitions.size(), view.record.phases.transitions.size() == 1 ? "" : "s");
  return text;
}

std::string time_table(const RunView& view) {
  const TimeAccount account = time_account(view);
  HtmlTable table("Where the time of the contexts went", {"contexts", "share"}, 1);
  const auto share = [&](UInt128 part) { return to_fixed({part * 100, account.whole()}, 2) + " %"; };
  const std::string held = "held by " + view.terms.thread + "s ";
  if (view.time_use) {
    TimeUse use = *view.time_use;
    use.add(Activity::barrier, -view.exchange_time);
    for (std::size_t kind = 0; kind < kActivityCount; ++kind)
      if (use.spent[kind] != 0)
        table.row({held + std::string(words_for(static_cast<Activity>(kind), use.spent_on(Activity::access) != 0)),
                   share(static_cast<UInt128>(use.spent[kind]))});
    if (view.exchange_time != 0)
      table.row({held + "of collectives that wait for other devices and for links",
                 share(static_cast<UInt128>(view.exchange_time))});
  } else {
    table.row({held + "that run", share(account.running)});
    table.row({held + "that do not", share(account.stalled)});
  }
  table.row({"free on " + view.terms.core + "s that hold others", share(account.beside)});
  table.row({"free on empty " + view.terms.core + "s", share(account.empty)});
  return table.finish();
}

std::string limit_table(const RunView& view) {
  if (view.limits.empty()) return {};
  HtmlTable table(
      "What limits residency: " + view.terms.work_group + "s that an empty " + view.terms.core + " could hold",
      {"kernel", "by", view.terms.work_group + "s", "limiter"}, 2);
  for (const LimitRow& row : view.limits)
    table.row(
        {row.kernel, row.resource, std::to_string(row.work_groups), row.is_limiting ? std::string("◀ limits") : ""},
        row.is_limiting ? " class=\"least\"" : "");
  return table.finish();
}

std::string launch_table(const RunView& view, const LaunchSelection& selection) {
  const std::size_t longest_name =
      std::max(kMinBytesPerName, kMaxBytesOfNames / std::max<std::size_t>(selection.rows.size(), 1));
  HtmlTable table(
      "Launches",
      {"launch", "kernel", "after", "waited for", "ready", "first dispatch", "all dispatched", "ended", "slack"}, 4);
  for (const std::size_t i : selection.rows) {
    const LaunchRow& launch = view.launches[i];
    const LaunchRecord& life = view.record.launches[i];
    const Cell slack = view.is_critical(i) ? Cell(std::string(kCriticalMark) + " critical") : time_or_dash(life.slack);
    const std::string waits = waits_text(life.waited, view.terms, to_rounded_text, launch.hardware_queue);
    const std::string exact = waits_text(life.waited, view.terms, to_text, launch.hardware_queue);
    table.row({shortened(launch.name, longest_name),
               shortened(launch.kernel, longest_name),
               names_cell(launch.after, view),
               {waits, waits == exact ? "" : exact},
               time_or_dash(life.ready),
               time_or_dash(life.first_dispatched),
               time_or_dash(life.fully_dispatched),
               time_or_dash(life.ended),
               slack},
              view.is_critical(i) ? " class=\"least\"" : "");
  }
  std::string text = table.finish();
  if (!selection.is_whole()) text += "<p class=\"note\">" + markup_text(selection_words(selection)) + "</p>\n";
  return text + critical_path_note(view);
}

namespace {

constexpr std::size_t kMaxKernelRows = 200;
constexpr std::size_t kMaxHistograms = 20;
constexpr std::size_t kSlowestShown = 10;
constexpr std::size_t kLongestCellName = 100;

/// A time, and its picoseconds to sort by.
template <class Time>
Cell sortable_time(Time time) {
  Cell cell = time_cell(time);
  cell.value = std::to_string(time.count);
  return cell;
}

Duration mean_of(UInt128 sum, std::uint64_t count) {
  return {static_cast<std::int64_t>((2 * sum + count) / (2 * UInt128{count}))};
}

/// Sums that exceed 64 bits of picoseconds are written in seconds.
Cell sum_cell(UInt128 sum) {
  constexpr UInt128 max = std::numeric_limits<std::int64_t>::max();
  if (sum <= max) return sortable_time(Duration{static_cast<std::int64_t>(sum)});
  Cell cell(to_fixed({sum, UInt128{kPicosecondsPerSecond}}, 0) + " s");
  cell.value = to_fixed({sum, 1}, 0);
  return cell;
}

Cell histogram_cell(const Histogram& histogram) {
  constexpr std::uint64_t width = 6, height = 28;
  const std::uint64_t most = *std::max_element(histogram.bins.begin(), histogram.bins.end());
  PathData bars;
  for (std::size_t i = 0; i < Histogram::kBins; ++i) {
    if (histogram.bins[i] == 0) continue;
    const std::uint64_t bar_height = std::max<std::uint64_t>(histogram.bins[i] * height / most, 1);
    bars.box(i * width, height - bar_height, i * width + width - 1, height);
  }
  Cell cell("");
  cell.markup = fmt::format(
      "<svg class=\"histogram\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{} durations from {} to {}, half of "
      "them up to {}\">{}</svg>",
      width * Histogram::kBins, height, histogram.count, to_rounded_text(histogram.min), to_rounded_text(histogram.max),
      to_rounded_text(histogram.median), path_element("busy", bars));
  return cell;
}

void add_histogram(HtmlTable& table, const std::string& name, const Histogram& histogram) {
  Cell count(std::to_string(histogram.count));
  count.value = count.text;
  table.row({shortened(name, kLongestCellName), count, sortable_time(histogram.min), sortable_time(histogram.median),
             sortable_time(mean_of(histogram.sum, histogram.count)), sortable_time(histogram.p95),
             sortable_time(histogram.max), histogram_cell(histogram)});
}

struct SlowGroup {
  GroupLife life;
  std::size_t core = 0;
};

/// Work-groups that take longer than the median of their kernel, the longest first.
std::vector<SlowGroup> slowest(const std::vector<std::vector<GroupLife>>& lives, const KernelUses& uses,
                               const std::vector<Histogram>& durations) {
  std::vector<SlowGroup> slow_groups;
  for (std::size_t core = 0; core < lives.size(); ++core)
    for (const GroupLife& life : lives[core])
      if (life.has_ended && life.duration() > durations[uses.kernel_of[life.launch]].median)
        slow_groups.push_back({life, core});
  const auto rank = [](const SlowGroup& slow) {
    return std::tuple(-slow.life.duration().count, slow.life.launch, slow.life.group);
  };
  const auto end = slow_groups.begin() + static_cast<std::ptrdiff_t>(std::min(slow_groups.size(), kSlowestShown));
  std::partial_sort(slow_groups.begin(), end, slow_groups.end(),
                    [&](const SlowGroup& a, const SlowGroup& b) { return rank(a) < rank(b); });
  slow_groups.erase(end, slow_groups.end());
  return slow_groups;
}

/// Empty if no work-group takes longer than the median of its kernel.
std::string slowest_table(const RunView& view, const std::vector<std::vector<GroupLife>>& lives, const KernelUses& uses,
                          const std::vector<Histogram>& durations) {
  const std::vector<SlowGroup> slow_groups = slowest(lives, uses, durations);
  if (slow_groups.empty()) return {};
  const TimeScale time(view.record.first_dispatch, view.record.end);
  HtmlTable table("The " + view.terms.work_group + "s that take longest, among those above the median of their kernel",
                  {view.terms.work_group, "launch", view.terms.core, "start", "duration", "of its kernel's median"}, 2);
  for (const SlowGroup& slow : slow_groups) {
    const std::size_t kernel = uses.kernel_of[slow.life.launch];
    const auto median = static_cast<std::uint64_t>(durations[kernel].median.count);
    const auto duration = static_cast<std::uint64_t>(slow.life.duration().count);
    const std::string name = fmt::format("{} {}", view.terms.work_group, slow.life.group);
    table.row({std::to_string(slow.life.group), shortened(view.launches[slow.life.launch].name, kLongestCellName),
               std::to_string(slow.core), sortable_time(slow.life.begin), sortable_time(slow.life.duration()),
               median == 0 ? Cell("–") : Cell(to_fixed({UInt128{duration} * 100, median}, 0) + " %")},
              fmt::format(" data-from=\"{}\" data-to=\"{}\" data-name=\"{}\"", time.x(slow.life.begin),
                          time.x(slow.life.end), markup_text(name)));
  }
  return table.finish();
}

}  // namespace

std::string kernel_table(const RunView& view) {
  const KernelUses uses = kernel_uses(view);
  if (uses.kernels.empty()) return {};
  std::vector<std::size_t> rows(uses.kernels.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return uses.kernels[a].sum > uses.kernels[b].sum; });
  std::erase_if(rows, [&](std::size_t row) { return uses.kernels[row].is_remote; });
  const std::size_t count = rows.size();
  if (rows.size() > kMaxKernelRows) rows.resize(kMaxKernelRows);
  UInt128 all = 0;
  for (const KernelUse& kernel : uses.kernels) all += kernel.sum;
  HtmlTable table("Kernels and copies", {"kernel", "launches", "sum", "mean", "longest", "share"}, 1, "kernels");
  for (const std::size_t row : rows) {
    const KernelUse& kernel = uses.kernels[row];
    Cell launches(std::to_string(kernel.launches));
    launches.value = launches.text;
    Cell share(all == 0 ? "–" : to_fixed({kernel.sum * 100, all}, 1) + " %");
    share.value = to_fixed({kernel.sum, 1}, 0);
    const bool has_ended = kernel.ended > 0;
    table.row({shortened(kernel.name, kLongestCellName), launches, has_ended ? sum_cell(kernel.sum) : Cell("–"),
               has_ended ? sortable_time(mean_of(kernel.sum, kernel.ended)) : Cell("–"),
               has_ended ? sortable_time(kernel.longest) : Cell("–"), share},
              fmt::format(" data-kernel=\"{}\" data-work-groups=\"{}\"", row, kernel.work_groups));
  }
  std::string text = table.finish();
  if (count > rows.size())
    text += fmt::format("<p class=\"note\">The {} of {} kernels that take most.</p>\n", rows.size(), count);
  return text;
}

std::string group_tables(const RunView& view) {
  const auto lives = lives_by_core(view);
  const KernelUses uses = kernel_uses(view);
  std::vector<std::vector<Duration>> by_kernel(uses.kernels.size());
  for (const std::vector<GroupLife>& core : lives)
    for (const GroupLife& life : core)
      if (life.has_ended) by_kernel[uses.kernel_of[life.launch]].push_back(life.duration());
  std::vector<Histogram> durations;
  std::vector<std::size_t> rows;
  for (std::vector<Duration>& kernel : by_kernel) {
    durations.push_back(histogram_of(std::move(kernel)));
    if (durations.back().count > 0) rows.push_back(durations.size() - 1);
  }
  if (rows.empty()) return {};
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return durations[a].sum > durations[b].sum; });
  const std::size_t all = rows.size();
  rows.resize(std::min(all, kMaxHistograms));
  HtmlTable table("How long " + view.terms.work_group + "s take",
                  {"kernel", view.terms.work_group + "s", "min", "median", "mean", "95 %", "max", "min to max"}, 1,
                  "group-durations");
  for (const std::size_t row : rows) add_histogram(table, uses.kernels[row].name, durations[row]);
  const Histogram gaps = histogram_of(replacement_gaps(lives));
  if (gaps.count > 0) add_histogram(table, "gap until the next one takes its place", gaps);
  std::string text = table.finish();
  if (all > rows.size())
    text += fmt::format("<p class=\"note\">The {} of {} kernels whose {}s take most.</p>\n", rows.size(), all,
                        markup_text(view.terms.work_group));
  return text + slowest_table(view, lives, uses, durations);
}

}  // namespace gdsim
