#include <gdsim/page/html/cases_page.hpp>

#include <gdsim/page/html/html_parts.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/html/run_body.hpp>
#include <gdsim/page/markup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
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
  std::size_t rest = kMaxCasesPage - std::min(bytes_, kMaxCasesPage);
  for (const Row& row : rows_) {
    fits.push_back(!row.body.empty() && (row.is_listed || row.body.size() <= rest));
    if (!row.is_listed && fits.back()) rest -= row.body.size();
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
