#include <gdsim/page/html/html_tables.hpp>

#include <gdsim/analysis/time_account.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/page/html/html_plot.hpp>
#include <gdsim/page/html/html_table.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/report/phase_label.hpp>
#include <gdsim/page/plot/launch_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxPhaseRows = 200;
/// The maximum size in bytes of all names in a table; each name may take at least kLeastName.
constexpr std::size_t kMaxNames = 200'000;
constexpr std::size_t kLeastName = 100;

/// Names of launches side by side, each with its own text direction.
Cell names_cell(const std::vector<std::size_t>& rows, const RunView& view) {
  constexpr std::size_t max = 20;
  Cell cell("");
  for (std::size_t i = 0; i < rows.size() && i < max; ++i) {
    const std::string comma = cell.text.empty() ? "" : ", ";
    const std::string name = shortened(view.launches[rows[i]].name, kLeastName);
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

std::string_view words_for(TimeKind kind, bool has_accesses) {
  switch (kind) {
    case TimeKind::executing:
      return has_accesses ? "that execute, without contention and accesses to memory"
                          : "that execute, without contention";
    case TimeKind::barrier: return "that wait at a barrier";
    case TimeKind::issue: return "that wait for their engine to issue";
    case TimeKind::memory: return "that wait for memory";
    case TimeKind::slm: return "that wait for the banks of shared local memory";
    case TimeKind::held: return "that have ended";
    case TimeKind::child: return "that wait for a child";
    case TimeKind::access: return "that access memory, without contention, latency included";
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
    use.add(TimeKind::barrier, -view.exchange_time);
    for (std::size_t kind = 0; kind < kTimeKindCount; ++kind)
      if (use.spent[kind] != 0)
        table.row({held + std::string(words_for(static_cast<TimeKind>(kind), use.of(TimeKind::access) != 0)),
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
  const std::size_t longest_name = std::max(kLeastName, kMaxNames / std::max<std::size_t>(selection.rows.size(), 1));
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

}  // namespace gdsim
