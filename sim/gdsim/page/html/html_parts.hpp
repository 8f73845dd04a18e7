#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/page/plot/plot_scale.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

struct HtmlPlot;

/// Explains the shades and lines of the device and its cores that occur in this run. If there are too many steps to
/// draw, it also explains how they are summed up.
std::string thread_legend(const RunView& view);
/// The same for work-groups. Empty if they are not drawn.
std::string group_legend(const RunView& view);
std::string launch_legend(const RunView& view, const LaunchSelection& selection);
/// Explains the areas of the time-use figure.
std::string time_legend(const RunView& view);
/// The patterns of the areas of the time-use figure, for a plot of this size: those of the samples in its legend.
std::string hatches(const RunView& view, const HtmlPlot& plot);
/// Explains the bands of a repeated scenario.
std::string run_bands_legend();

/// Returns true if the use of time is known and either threads wait or launches wait for dispatch.
bool draws_time(const RunView& view);

/// The class of a sample, and what it means.
struct LegendEntry {
  std::string_view name;
  std::string words;
};
/// The areas of the time-use figure that occur, and copies.
std::vector<LegendEntry> time_legend_entries(const RunView& view);
/// The shades and lines of the device and its cores that occur in this run.
std::vector<LegendEntry> thread_legend_entries(const RunView& view);

/// Returns true if the device or the lane of a core has more steps than are drawn one by one.
bool is_binned(const RunView& view);

/// A span of time with a label in a plot.
struct PlotMark {
  std::uint64_t from = 0;  ///< on the time axis
  std::uint64_t to = 0;
  std::string label;
};

/// One figure of a page: SVG that stretches with the page, and text labels around it that do not.
struct HtmlPlot {
  std::string id;  ///< unique on the page
  std::string caption;
  std::string fits_note = {};  ///< after the caption while only a part of the device is visible; empty: all is
  std::string description;     ///< alternative text
  std::string shapes;          ///< SVG; kPlotWidth wide
  std::uint64_t height = 0;    ///< of the shapes, in their units
  std::uint64_t cut = 0;       ///< units at the top that are hidden
  std::uint64_t pixels = 0;    ///< of the plot on the page
  std::string series;          ///< name of its data, for the script; may be empty
  std::vector<Tick> left;      ///< from the top, in units of the shapes
  std::vector<Tick> right;
  std::vector<Tick> time;
  /// The other scale that a page may show: the whole, or, if that is shown at first, a part of it; empty: there is
  /// none.
  std::vector<Tick> other_left;
  std::vector<Tick> other_right;
  std::uint64_t other_cut = 0;
  std::vector<PlotMark> marks;
};

/// `<figure>...</figure>`, escaped.
std::string html_figure(const HtmlPlot& plot);

/// `part / whole` as `12.345%`, for styles.
std::string css_percent(std::uint64_t part, std::uint64_t whole);

/// Shows which process used the device when, in one row for each: `busy` while it ran, `part` while it was drained,
/// `wait` while its contexts were saved or restored. Empty without preemption, or if the run took no time.
std::string process_figure(const RunView& view);

/// Up to this many cores are drawn as lanes, more as a heat map.
inline constexpr std::uint32_t kMaxCoreLanes = 8;

/// Labels of the time axis of the whole run.
std::vector<Tick> time_ticks(const RunView& view);
/// The device over time, with its phases named.
HtmlPlot device_plot(const RunView& view);
/// The occupancy of all runs of a repeated scenario, with its legend. Empty if there is only one run.
std::string run_bands_figure(const RunView& view);
/// Shows where the time of threads goes. Empty unless draws_time().
std::string time_figure(const RunView& view);
/// Every core over time, empty ones included: lanes, or a heat map.
std::string core_figures(const RunView& view);
/// Returns true if work-groups are few enough, and known well enough, to be drawn one by one.
bool draws_groups(const RunView& view);
/// Work-groups on their cores, launches as selected; a sentence says why if they are not drawn.
std::string group_figure(const RunView& view);
std::string launch_figure(const RunView& view, const LaunchSelection& selection);

/// The text of a cell, and what the pointer shows in addition.
struct Cell {
  Cell(std::string words, std::string more = {})
      : text(std::move(words)), title(std::move(more)) {}  // implicit: as text
  Cell(const char* words) : text(words) {}                 // implicit: as text

  std::string text;
  std::string title;
  std::string markup = {};  ///< instead of the text, if not empty
  std::string value = {};   ///< sort key; empty: the text
};

/// A duration as in a terminal, with all digits under the pointer.
template <class Time>
Cell time_cell(Time time) {
  const std::string rounded = to_rounded_text(time);
  const std::string exact = to_text(time);
  return {rounded, rounded == exact ? "" : exact};
}

template <class Time>
Cell time_or_dash(CompactOptional<Time> time) {
  return time ? time_cell(*time) : Cell("–");
}

/// A table. All columns after the first `text_columns` hold numbers. The page's script sorts a table that has an id and
/// whose cells have values to sort by.
class HtmlTable {
 public:
  HtmlTable(std::string_view caption, std::initializer_list<Cell> header, std::size_t text_columns,
            std::string_view id = {})
      : text_columns_(text_columns) {
    text_ = table_box(caption) + "<table" + (id.empty() ? "" : " id=\"" + std::string(id) + "\"") + "><caption>" +
            markup_text(caption) + "</caption><thead><tr>";
    std::size_t column = 0;
    for (const Cell& cell : header)
      text_ += "<th scope=\"col\"" + kind(column++) + ">" +
               (cell.markup.empty() ? markup_text(cell.text) : cell.markup) + "</th>";
    text_ += "</tr></thead><tbody>\n";
  }

  /// The first cell is the row's header.
  void row(std::initializer_list<Cell> cells, std::string_view attributes = {}) {
    text_ += "<tr" + std::string(attributes) + ">";
    std::size_t column = 0;
    for (const Cell& cell : cells) {
      const std::string_view element = column == 0 ? "th" : "td";
      text_ += fmt::format("<{}{}{}{}>{}</{}>", element, column == 0 ? " scope=\"row\"" : "", kind(column),
                           title(cell) + value(cell), content(cell), element);
      ++column;
    }
    text_ += "</tr>\n";
  }

  std::string finish() const { return text_ + "</tbody></table></div>\n"; }

 private:
  static std::string title(const Cell& cell) {
    return cell.title.empty() ? "" : " title=\"" + markup_text(cell.title) + "\"";
  }

  static std::string value(const Cell& cell) {
    return cell.value.empty() ? "" : " data-value=\"" + markup_text(cell.value) + "\"";
  }

  /// A text that would make its row very high has a box of its own, which scrolls.
  static std::string content(const Cell& cell) {
    constexpr std::size_t long_text = 160;
    const std::string markup = cell.markup.empty() ? markup_text(cell.text) : cell.markup;
    return cell.text.size() <= long_text ? markup : "<div class=\"long\" tabindex=\"0\">" + markup + "</div>";
  }

  std::string kind(std::size_t column) const { return column < text_columns_ ? " class=\"name\"" : ""; }

  std::size_t text_columns_;
  std::string text_;
};

/// The run in a few numbers, as a list of terms.
std::string headline_list(const RunView& view);
/// Says that this is the first of several runs. Empty if it is the only one.
std::string repetitions_note(const RunView& view);
std::string phase_table(const RunView& view);
/// Shows where the contexts' time went.
std::string time_table(const RunView& view);
/// Shows what each resource allows. Empty if that is not known.
std::string limit_table(const RunView& view);
std::string launch_table(const RunView& view, const LaunchSelection& selection);

/// Launches and copies by kernel: their number and their total time, sorted from the most time to the least.
std::string kernel_table(const RunView& view);
/// Shows by kernel how long work-groups take and how long their slots stay empty, and lists the ten work-groups that
/// take longest. Empty if the record lacks the starts and ends of work-groups.
std::string group_tables(const RunView& view);

/// A bar of a share, from 0 to 100 %, and its number; `unknown` instead if it is not known.
Cell share_cell(const std::optional<Ratio>& percent, const std::string& unknown);
/// Shows how near the run came to the peaks of its device, as bars.
std::string speed_of_light(const RunView& view);
/// Shows how long the run takes with other values of what its model assumes, as bars and marks. Empty if nothing
/// decides the duration, or if other values were not tried.
std::string assumptions(const RunView& view);

/// Shows the tiles that work-groups took, who has none left while the launch goes on, and sums by launch. Empty if no
/// work-group took one, or if that is not known.
std::string tile_section(const RunView& view);
bool has_tiles(const RunView& view);
/// For the script, if there are tiles: the work-groups that took them, and each tile unless these are too many.
std::string tile_data(const RunView& view);

}  // namespace gdsim
