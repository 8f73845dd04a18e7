#include <gdsim/page/html/cases_page.hpp>

#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/run_body.hpp>
#include <gdsim/page/markup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace gdsim {
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

void CasesPage::add_devices(const std::string& name, const DevicesOnPage& devices) {
  add({name, {}, {}, {}}, devices.all, devices_body(devices, page_assets().live_js.text.size()),
      devices.all.first_dispatch < devices.all.end);
  for (std::size_t i = 0; i < devices.devices.size(); ++i) {
    const RunView& view = devices.devices[i].second;
    add({devices.pages[i], {}, {}, {}, false}, view.record, run_body(view, page_assets().live_js.text.size()),
        has_scripts(view));
  }
}

void CasesPage::add_refused(const std::string& name, const std::string& why) {
  rows_.push_back({name, why, std::nullopt, {}});
}

std::string CasesPage::table() const {
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
  return text + "</nav>\n";
}

/// The first case is in the page itself, the others in templates for the script. What is not listed takes what room is
/// left.
std::string CasesPage::bodies() const {
  std::string text;
  std::size_t rest = kMaxCasesPage - std::min(bytes_, kMaxCasesPage);
  for (const Row& row : rows_) {
    if (row.body.empty() || (!row.is_listed && row.body.size() > rest)) continue;
    if (!row.is_listed) rest -= row.body.size();
    const std::string name = " data-case=\"" + markup_text(row.name) + "\">";
    text += text.empty() ? "<div id=\"case\"" + name + "\n" + row.body + "</div>\n"
                         : "<template" + name + "\n" + row.body + "</template>\n";
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
  sink.write(page_head(title_, content) + (served != nullptr ? served_body(*served) : "<body>\n") + table());
  sink.write(bodies());
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
