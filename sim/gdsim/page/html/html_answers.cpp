#include <gdsim/page/html/html_parts.hpp>

#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>
#include <gdsim/report/number_format.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace gdsim {
namespace {

/// The size of a bar in a cell, in the units of its picture.
constexpr std::uint64_t kBarWidth = 1'000, kBarHeight = 20;

std::string bar_picture(const std::string& shapes) {
  return fmt::format(
      "<svg class=\"share\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg>",
      kBarWidth, kBarHeight, shapes);
}

/// Lines at 20, 40, 60 and 80 %.
std::string fifths() {
  PathData lines;
  for (std::uint64_t fifth = 1; fifth < 5; ++fifth) lines.move(kBarWidth * fifth / 5, 0).down(kBarHeight);
  return path_element("grid", lines);
}

/// `0 %  50 %  100 %` over the bars of a column.
Cell percent_scale(const std::string& name) {
  Cell cell(name);
  cell.markup = markup_text(name) + "<span class=\"scale\"><i>0 %</i><i>50 %</i><i>100 %</i></span>";
  return cell;
}

/// `part / whole` of the width of a bar; all of it if `part` is more.
std::uint64_t bar_part(UInt128 part, UInt128 whole) {
  return static_cast<std::uint64_t>(std::min<UInt128>((2 * part * kBarWidth + whole) / (2 * whole), kBarWidth));
}

/// The longest of this run and of those with other values.
Duration longest_run(const RunView& view) {
  Duration longest = view.record.duration();
  for (const RestsOn& basis : view.rests_on)
    for (const RestsOn::Alternative& other : basis.alternatives) longest = std::max(longest, other.duration);
  return longest;
}

/// The bar of this run, and a mark at the duration with the other value; what lies between is striped.
std::string changed_duration_bar(Duration own, Duration other, Duration longest) {
  const auto x = [&](Duration time) {
    return bar_part(static_cast<UInt128>(time.count), static_cast<UInt128>(longest.count));
  };
  PathData run, change, mark;
  run.box(0, 5, x(own), kBarHeight - 5);
  change.box(std::min(x(own), x(other)), 8, std::max(x(own), x(other)), kBarHeight - 8);
  mark.move(x(other), 0).down(kBarHeight);
  return bar_picture(path_element("busy", run) + path_element("change", change) + path_element("mark-at", mark));
}

/// `+12.5 %`
std::string change_words(Duration own, Duration other) {
  const Int128 difference = Int128{other.count} - own.count;
  const Ratio percent{static_cast<UInt128>(difference < 0 ? -difference : difference) * 100,
                      static_cast<UInt128>(own.count)};
  return (difference < 0 ? "-" : "+") + to_fixed(percent, 1) + " %";
}

}  // namespace

Cell share_cell(const std::optional<Ratio>& percent, const std::string& unknown) {
  Cell cell(percent ? to_fixed(*percent, 1) + " %" : unknown);
  if (!percent) return cell;
  PathData bar;
  bar.box(0, 0, bar_part(percent->numerator, percent->denominator * 100), kBarHeight);
  cell.markup = bar_picture(fifths() + path_element("busy", bar)) + cell.text;
  return cell;
}

std::string speed_of_light(const RunView& view) {
  if (view.speed.empty() && view.occupancy.empty()) return {};
  HtmlTable table("What was achieved, and how near that is to the peak of each resource",
                  {Cell("resource"), Cell("achieved"), percent_scale("of its peak")}, 1, "speed-bars");
  const auto nearest = std::max_element(view.speed.begin(), view.speed.end(), [](const UseRow& a, const UseRow& b) {
    return b.percent && (!a.percent ||
                         a.percent->numerator * b.percent->denominator < b.percent->numerator * a.percent->denominator);
  });
  for (const UseRow& row : view.speed)
    table.row({Cell(row.name), Cell(row.rate.empty() ? "–" : row.rate), share_cell(row.percent, "no peak is known")},
              row.percent && &row == &*nearest ? " class=\"least\"" : "");
  const std::string occupancy =
      view.occupancy.empty() ? "" : "<p class=\"note\">Occupancy: " + markup_text(view.occupancy) + ".</p>\n";
  return "<section id=\"speed\">\n<h2>Speed of light</h2>\n" + (view.speed.empty() ? "" : table.finish()) + occupancy +
         "</section>\n";
}

std::string assumptions(const RunView& view) {
  if (view.rests_on.empty() || view.record.duration().count == 0) return {};
  const Duration longest = longest_run(view);
  Cell scale("duration with it");
  scale.markup = "duration with it<span class=\"scale\"><i>0</i><i></i><i>" + markup_text(to_rounded_text(longest)) +
                 "</i></span>";
  HtmlTable table("Values of the model that are assumed, or on which sources disagree: the run with another one",
                  {Cell("value"), Cell("in the model"), Cell("another value"), scale, Cell("change")}, 3,
                  "rests-on-bars");
  for (const RestsOn& basis : view.rests_on)
    for (const RestsOn::Alternative& other : basis.alternatives) {
      Cell duration = time_cell(other.duration);
      duration.markup =
          changed_duration_bar(view.record.duration(), other.duration, longest) + markup_text(duration.text);
      table.row({Cell(basis.key), Cell(basis.value), Cell(other.value), duration,
                 Cell(change_words(view.record.duration(), other.duration))});
    }
  return "<section id=\"rests-on\">\n<h2>What the result rests on</h2>\n" + table.finish() +
         "<p class=\"note\">A bar is this run; the line across it is the run with the other value.</p>\n</section>\n";
}

}  // namespace gdsim
