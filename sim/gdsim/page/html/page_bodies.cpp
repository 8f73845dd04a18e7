#include <gdsim/page/html/page_bodies.hpp>

#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/page_data.hpp>
#include <gdsim/page/markup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace gdsim {

bool has_scripts(const RunView& view) { return view.record.first_dispatch < view.record.end; }

namespace {

/// Of several launches, the lanes are what a page shows first.
bool has_many_launches(const RunView& view) { return view.launches.size() > 1; }

/// The maximum size of a page in bytes.
constexpr std::size_t kMaxPage = 1'950'000;

/// Notes on what limits conclusions from the run.
std::string notes(const RunView& view) {
  std::string text;
  for (const std::string& note : view.notes) text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  return text;
}

/// A warning if the run did not end regularly.
std::string alert(const RunView& view) {
  if (view.record.outcome == Outcome::completed) return {};
  const std::string groups = fmt::format("{} of {} {}s had ended.", view.record.work_groups_ended(),
                                         view.record.work_groups_total, markup_text(view.terms.work_group));
  const std::string at = markup_text(to_rounded_text(view.record.end));
  const std::string what = view.record.outcome == Outcome::deadlock
                               ? "The run deadlocked at " + at + ": nothing can happen any more. "
                           : view.record.outcome == Outcome::bounded ? "The run was bounded, and cut at " + at + ". "
                                                                     : "The run was interrupted at " + at + ". ";
  return "<p id=\"alert\" class=\"" + std::string(name_of(view.record.outcome)) + "\"><b>" + what + "</b>" + groups +
         "</p>\n";
}

std::string header(const RunView& view) {
  return "<header>\n<h1>" + markup_text(view.title) + "</h1>\n<p class=\"device\">on <bdi>" + markup_text(view.device) +
         "</bdi></p>\n" + alert(view) + headline_list(view) +
         (view.finding.empty() ? "" : "<p class=\"note\" id=\"finding\">" + markup_text(view.finding) + "</p>\n") +
         notes(view) + "</header>\n";
}

/// Explains a deadlock.
std::string deadlock(const RunView& view) {
  if (view.deadlock.empty()) return {};
  return "<section>\n<h2>Why it deadlocked</h2>\n<pre id=\"stall\" tabindex=\"0\">" + markup_text(view.deadlock) +
         "</pre>\n</section>\n";
}

std::string all_runs(const RunView& view) {
  const std::string figure = run_bands_figure(view);
  if (figure.empty()) return {};
  return "<section>\n<h2>All " + std::to_string(view.runs) + " runs</h2>\n" + figure + "</section>\n";
}

/// The maximum number of sentences on what would help most; the table below lists everything.
constexpr std::size_t kMaxSentences = 3;

std::string link_to_run(const ExplainRow& row) {
  return row.shown_as.empty() ? "" : " <a href=\"" + case_address(row.shown_as) + "\">Show its run.</a>";
}

/// Shows what would help, if --explain was given: the greatest savings as sentences, then everything that was tried.
std::string help(const RunView& view) {
  if (!view.help) return {};
  std::string sentences;
  std::size_t drawn = 0;
  for (const ExplainRow& row : *view.help)
    if (row.is_saving && drawn++ < kMaxSentences)
      sentences += "<li>" + markup_text(row.sentence) + link_to_run(row) + "</li>\n";
  HtmlTable table("Runs with one thing changed each", {"what", "in words", "duration", "against this run"}, 2);
  for (const ExplainRow& row : *view.help)
    table.row({Cell(row.what), Cell(row.sentence), time_cell(row.duration), Cell(row.change)});
  return "<section id=\"help\">\n<h2>What would help</h2>\n" +
         (sentences.empty() ? "<p class=\"note\">Nothing that was tried makes the run shorter.</p>\n"
                            : "<ol>\n" + sentences + "</ol>\n") +
         "<details><summary>Show all that was tried</summary>\n" + table.finish() + "</details>\n</section>\n";
}

/// What is long is folded away.
std::string folded(const std::string& summary, const std::string& content, bool is_open) {
  return fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open" : "", markup_text(summary),
                     content);
}

constexpr std::size_t kMaxRowsOpen = 12;

std::string pictures(const RunView& view) {
  if (!has_scripts(view)) return "<p class=\"note\">There is nothing to draw: the run took no time.</p>\n";
  const std::string words = markup_text(capitalized(view.terms.work_group));
  const std::string groups = group_tables(view);
  return "<section aria-labelledby=\"over-time\">\n<h2 id=\"over-time\">Over time</h2>\n" + thread_legend(view) +
         html_figure(device_plot(view)) + time_figure(view) + core_figures(view) + core_group_figures(view) +
         "</section>\n" + tile_section(view) + all_runs(view) + "<section id=\"groups-section\">\n<h2>" + words +
         "s</h2>\n" + group_legend(view) + group_figure(view) +
         (groups.empty() ? ""
                         : folded("How long " + view.terms.work_group + "s take", groups, !has_many_launches(view))) +
         "</section>\n";
}

/// Launches and their kernels. Many rows are folded away: the page's script draws them in lanes above.
std::string launch_part(const RunView& view, const LaunchSelection& selection) {
  std::string rows;
  if (has_scripts(view)) rows = launch_legend(view, selection) + launch_figure(view, selection);
  rows += launch_table(view, selection);
  if (selection.rows.size() > kMaxRowsOpen)
    rows = "<details id=\"launch-rows\"><summary>A row for each launch, with what it waits for</summary>\n" + rows +
           "</details>\n";
  return "<section id=\"launches-section\">\n<h2>Launches</h2>\n" + kernel_table(view) + rows + "</section>\n";
}

/// Returns as many launches as fit on the page beside its other parts, which take `rest` bytes.
std::string launch_part(const RunView& view, std::size_t bytes_left) {
  for (std::size_t max_rows = kMaxCriticalDrawn;; max_rows = max_rows * 3 / 4) {
    const LaunchSelection selection = select_launches(view, max_rows);
    std::string part = launch_part(view, selection);
    if (bytes_left + part.size() <= kMaxPage || max_rows <= kMaxLaunchesDrawn) return part;
  }
}

std::string tables(const RunView& view) {
  std::string text = "<section>\n<h2>In numbers</h2>\n" + repetitions_note(view);
  if (const std::string phases = phase_table(view); !phases.empty())
    text += folded("Phases", phases, view.record.phases.phases.size() <= kMaxRowsOpen);
  if (has_scripts(view)) text += time_table(view);
  if (const std::string limits = limit_table(view); !limits.empty())
    text += folded("What limits residency", limits, view.limits.size() <= kMaxRowsOpen);
  return text + "</section>\n";
}

std::string source(const RunView& view) {
  if (view.scenario.empty()) return "<p class=\"note\">Made from the files of a run, without its scenario.</p>\n";
  std::string changes;
  for (const std::string& change : view.changes) changes += "<li>" + markup_text(change) + "</li>";
  if (!changes.empty())
    changes = "<p class=\"note\">Changed for this run:</p><ul class=\"note\">" + changes + "</ul>\n";
  constexpr std::ptrdiff_t max_lines = 40;
  const bool is_short = std::count(view.scenario.begin(), view.scenario.end(), '\n') <= max_lines;
  return "<section>\n<h2>Scenario</h2>\n" + changes +
         folded("Its text", "<pre tabindex=\"0\">" + markup_text(view.scenario) + "</pre>\n", is_short) +
         "</section>\n";
}

}  // namespace

std::string body_of(const RunView& view, const BodyParts& parts, std::size_t bytes_left) {
  std::string begin = header(view) + "<main>\n";
  if (has_scripts(view)) begin += "<div id=\"controls\" hidden></div>\n";
  begin += deadlock(view) + help(view);
  std::string end = parts.tables + source(view) +
                    "</main>\n<footer>Durations follow from what the scenario says and from the rates of the device "
                    "model. Occupancy is "
                    "resident " +
                    markup_text(view.terms.thread) + "s of all contexts of the device.</footer>\n";
  if (has_scripts(view))
    end += "<script type=\"application/json\" id=\"data\">" + page_data(view, parts.lanes) + "</script>\n";
  const std::string launches = launch_part(view, bytes_left + begin.size() + parts.pictures.size() + end.size());
  return begin + (has_many_launches(view) ? launches + parts.pictures : parts.pictures + launches) + end;
}

std::string run_body(const RunView& view, std::size_t bytes_left) {
  const std::string speed = speed_of_light(view) + assumptions(view), drawn = pictures(view) + process_figure(view);
  return body_of(view, {has_many_launches(view) ? speed + drawn : drawn + speed, tables(view), {}}, bytes_left);
}

namespace {

std::string percent_text(Ratio percent) { return to_fixed(percent, 1) + " %"; }

}  // namespace

void CasesPage::add(Row row, const RunRecord& record, std::string body, bool has_scripts) {
  row.outcome = name_of(record.outcome);
  row.figures = Figures{record.duration(), record.peak_occupancy(), record.mean_occupancy()};
  has_scripts_ = has_scripts_ || has_scripts;
  if (!row.is_listed) {
    row.body = std::move(body);
  } else if (rows_.empty() || bytes_ + body.size() <= kMaxCasesPage) {
    bytes_ += body.size();
    row.body = std::move(body);
  } else {
    ++left_out_;
  }
  rows_.push_back(std::move(row));
}

void CasesPage::add(const std::string& name, const RunView& view) {
  add({name, {}, {}, {}}, view.record, run_body(view, page_assets().live_js.text.size()), has_scripts(view));
}

/// Names of cases and devices may be equal.
std::string CasesPage::unused_name(const std::string& wanted, const std::vector<std::string>& more) const {
  const auto is_used = [&](const std::string& name) {
    return std::find(more.begin(), more.end(), name) != more.end() ||
           std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) { return row.name == name; });
  };
  std::string name = wanted;
  for (std::size_t number = 2; is_used(name); ++number) name = fmt::format("{} ({})", wanted, number);
  return name;
}

void CasesPage::add_devices(const std::string& name, DevicesOnPage devices) {
  std::vector<std::string> names{unused_name(name.empty() ? "all devices" : name, {})};
  for (const auto& device : devices.devices)
    names.push_back(unused_name(name.empty() ? device.first : name + ": " + device.first, names));
  devices.pages.assign(names.begin() + 1, names.end());
  const std::size_t scripts = page_assets().live_js.text.size();
  add({names.front(), {}, {}, {}}, devices.all, devices_body(devices, scripts),
      devices.all.first_dispatch < devices.all.end);
  for (std::size_t i = 0; i < devices.devices.size(); ++i) {
    const RunView& view = devices.devices[i].second;
    add({devices.pages[i], {}, {}, {}, false}, view.record, run_body(view, scripts), has_scripts(view));
  }
}

void CasesPage::add_refused(const std::string& name, const std::string& why) {
  rows_.push_back({name, why, std::nullopt, {}});
}

std::vector<bool> CasesPage::fitting_rows() const {
  std::vector<bool> fits;
  std::size_t bytes_left = kMaxCasesPage - std::min(bytes_, kMaxCasesPage);
  for (const Row& row : rows_) {
    fits.push_back(!row.body.empty() && (row.is_listed || row.body.size() <= bytes_left));
    if (!row.is_listed && fits.back()) bytes_left -= row.body.size();
  }
  return fits;
}

std::string CasesPage::table(const std::vector<bool>& fits) const {
  HtmlTable table("All cases", {"case", "outcome", "duration", "peak occupancy", "mean occupancy"}, 2);
  for (const Row& row : rows_) {
    if (!row.is_listed) continue;
    Cell name(row.name);
    if (!row.body.empty()) name.markup = "<a href=\"" + case_address(row.name) + "\">" + markup_text(row.name) + "</a>";
    if (row.figures) {
      table.row({name, Cell(row.outcome), time_cell(row.figures->duration),
                 Cell(percent_text(row.figures->peak_occupancy)), Cell(percent_text(row.figures->mean_occupancy))});
    } else {
      table.row({name, Cell(row.outcome), Cell("–"), Cell("–"), Cell("–")});
    }
  }
  std::string text = "<nav id=\"cases\" aria-label=\"Cases\">\n<p class=\"cases-of\">Cases of <bdi>" +
                     markup_text(title_) + "</bdi></p>\n" + table.finish();
  if (left_out_ > 0)
    text += fmt::format(
        "<p class=\"note\">{} of {} cases are listed only in the table, because the page would exceed {} MB. "
        "`--case NAME` makes a page of one case.</p>\n",
        left_out_, std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.is_listed; }),
        kMaxCasesPage / 1'000'000);
  std::size_t devices = 0, devices_left_out = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].is_listed) continue;
    ++devices;
    if (!fits[i]) ++devices_left_out;
  }
  if (devices_left_out > 0)
    text +=
        fmt::format("<p class=\"note\">{} of {} single devices have no page here, because it would exceed {} MB.</p>\n",
                    devices_left_out, devices, kMaxCasesPage / 1'000'000);
  return text + "</nav>\n";
}

/// The first case is in the page itself, the others in templates for the script.
std::string CasesPage::bodies(const std::vector<bool>& fits) const {
  std::string text;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!fits[i]) continue;
    const std::string name = " data-case=\"" + markup_text(rows_[i].name) + "\">";
    text += text.empty() ? "<div id=\"case\"" + name + "\n" + rows_[i].body + "</div>\n"
                         : "<template" + name + "\n" + rows_[i].body + "</template>\n";
  }
  return text.empty() ? "<main><p class=\"note\">There is no run to show.</p></main>\n" : text;
}

void CasesPage::write(Sink& sink, const ServedPage* served) const {
  const PageAssets assets = page_assets();
  PageContent content{assets.page_css};
  content.scripts = {assets.cases_js};
  if (has_scripts_) content.scripts.insert(content.scripts.end(), {assets.live_js, assets.beside_js, assets.run_js});
  if (served != nullptr) content.scripts.push_back(assets.served_js);
  content.connects_to_server = served != nullptr;
  const std::vector<bool> fits = fitting_rows();
  sink.write(page_head(title_, content) + (served != nullptr ? served_body(*served) : "<body>\n") + table(fits));
  sink.write(bodies(fits));
  std::string end;
  for (const PageAsset& script : content.scripts) end += script_element(script);
  sink.write(end + "</body>\n</html>\n");
}

std::string case_address(std::string_view name) {
  std::string text = "#case=";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.');
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

}  // namespace gdsim
