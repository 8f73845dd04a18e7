#include <gdsim/sweep/study_page.hpp>

#include <gdsim/base/quantity.hpp>
#include <gdsim/page/html/page_head.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/sweep/study_picture.hpp>
#include <gdsim/sweep/study_text.hpp>

#include <fmt/format.h>

#include <vector>

namespace gdsim {
namespace {

constexpr std::uint64_t kMaxTableRows = 200;

PageContent content_of_study_page() {
  const PageAssets assets = page_assets();
  return {assets.page_css, {assets.study_picture_css, assets.picture_css, assets.stripes_css}, {assets.study_js}};
}

std::string cell(std::string_view text) { return "<td>" + markup_text(text) + "</td>"; }

class StudyPage {
 public:
  StudyPage(const StudyTable& table, Sink& sink) : table_(table), sink_(sink) {}

  void write() {
    sink_.write(page_head(table_.identity().title, content_of_study_page()) + "<body>\n<header>\n<h1>" +
                markup_text(table_.identity().title) + "</h1>\n<p class=\"device\">" +
                markup_text(best_sentence(table_)) + "</p>\n" + notes() + headline() + "</header>\n<main>\n");
    sink_.write("<section aria-labelledby=\"points\">\n<h2 id=\"points\">All points</h2>\n<div class=\"study\">\n" +
                study_picture(table_) +
                "</div>\n<p class=\"note\" id=\"readout\">Point at a mark, or go from mark to mark with "
                "the arrow keys.</p>\n</section>\n");
    best_rows();
    other_rows();
    sink_.write("</main>\n<footer>Durations follow from what the scenario says; ranks are by " +
                markup_text(table_.metric().words) + ". " + markup_text(table_.identity().program) + ", study " +
                markup_text(table_.identity().content) + ".</footer>\n" + script_element(page_assets().study_js) +
                "</body>\n</html>\n");
  }

 private:
  std::string headline() const {
    std::string text = "<dl class=\"headline\">";
    const auto item = [&](std::string_view name, const std::string& value) {
      text += "<div><dt>" + markup_text(name) + "</dt><dd>" + markup_text(value) + "</dd></div>";
    };
    item("points", std::to_string(table_.points()));
    for (const PointStatus status :
         {PointStatus::ok, PointStatus::deadlocked, PointStatus::refused, PointStatus::interrupted})
      if (table_.count(status) > 0) item(name_of(status), std::to_string(table_.count(status)));
    return text + "</dl>\n";
  }

  std::string notes() const {
    std::string text;
    for (const std::string& note : table_.identity().notes) text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
    return text;
  }

  std::string head_of_table(const std::string& caption, const std::vector<std::string_view>& columns) const {
    std::string text = table_box(caption) + "<table><caption>" + markup_text(caption) + "</caption><thead><tr>";
    for (const Axis& axis : table_.space().axes()) text += "<th scope=\"col\">" + markup_text(axis.name) + "</th>";
    for (const std::string_view column : columns) text += "<th scope=\"col\">" + markup_text(column) + "</th>";
    return text + "</tr></thead><tbody>\n";
  }

  std::string values_of(const StudyRow& row) const {
    std::string text;
    for (std::size_t axis = 0; axis < table_.space().axes().size(); ++axis)
      text += cell(table_.space().value(row.ordinal, axis));
    return text;
  }

  void best_rows() {
    if (!table_.is_ranked()) return;
    std::string text = "<section>\n<h2>The best</h2>\n" +
                       head_of_table("By rank", {"rank", "duration", "speed-up", "mean occupancy", "limited by"});
    table_.for_best(kMaxTableRows, [&](const StudyRow& row) {
      text += "<tr>" + values_of(row) + cell(std::to_string(*row.rank)) +
              cell(row.result.duration ? to_rounded_text(Duration{*row.result.duration}) : "–") +
              cell(row.speedup ? to_fixed(*row.speedup, 2) : "–") +
              cell(row.result.mean_occupancy
                       ? to_fixed({static_cast<UInt128>(*row.result.mean_occupancy), 10'000}, 1) + " %"
                       : "–") +
              cell(row.result.limiter) + "</tr>\n";
    });
    sink_.write(text + "</tbody></table></div>\n</section>\n");
  }

  void other_rows() {
    if (table_.count(PointStatus::ok) == table_.points()) return;
    std::string text = "<section>\n<h2>Not ok</h2>\n" +
                       head_of_table("The first of those that did not run to their end", {"status", "reason"});
    std::uint64_t shown = 0;
    table_.for_each([&](const StudyRow& row) {
      if (row.result.status == PointStatus::ok || shown++ >= kMaxTableRows) return;
      text += "<tr>" + values_of(row) + cell(name_of(row.result.status)) + "<td class=\"name\">" +
              markup_text(row.result.reason) + "</td></tr>\n";
    });
    sink_.write(text + "</tbody></table></div>\n</section>\n");
  }

  const StudyTable& table_;
  Sink& sink_;
};

}  // namespace

void write_study_page(const StudyTable& table, Sink& sink) { StudyPage(table, sink).write(); }

}  // namespace gdsim
