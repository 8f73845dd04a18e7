#include <gdsim/sweep/study_writers.hpp>

#include <gdsim/page/markup.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kHeight = 300;
constexpr std::int64_t kTicks = 4;
constexpr std::size_t kMaxLabels = 12;

class StudyCurve {
 public:
  StudyCurve(const StudyMarks& marks, PictureFrame& frame)
      : marks_(marks), space_(marks.table().space()), frame_(frame), top_(frame.y() + 8) {}

  void draw() {
    frame_.move_down(8);
    frame_.raw(fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                           PictureFrame::kLeft, top_, PictureFrame::kPlotPixels, kHeight));
    value_axis();
    lines();
    for (std::size_t i = 0; i < marks_.rows().size(); ++i) mark(marks_.rows()[i], i);
    labels();
    frame_.move_down(kHeight + 40);
  }

 private:
  /// Returns the position of a point among all points of the axis.
  double x(std::uint64_t ordinal) const {
    const double share = (static_cast<double>(ordinal) + 0.5) / static_cast<double>(space_.size());
    return static_cast<double>(PictureFrame::kLeft) + share * static_cast<double>(PictureFrame::kPlotPixels);
  }
  double y(std::int64_t value) const {
    const double whole = static_cast<double>(std::max<std::int64_t>(marks_.max(), 1)) * 1.08;
    return static_cast<double>(top_) + static_cast<double>(kHeight) * (1 - static_cast<double>(value) / whole);
  }

  void value_axis() {
    const Metric& metric = marks_.table().metric();
    const std::int64_t step = round_step(marks_.max());
    for (std::int64_t value = 0; value <= std::max(marks_.max(), std::int64_t{1}); value += step) {
      const double at = y(value);
      frame_.raw(fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>", PictureFrame::kLeft, at,
                             PictureFrame::kPlotPixels));
      frame_.text(PictureFrame::kLeft - 6, static_cast<std::uint64_t>(at) + 4, "end", metric_value_text(value, metric));
    }
  }

  /// The smallest step of 1, 2 or 5 times a power of ten that leaves at most kTicks above 0.
  static std::int64_t round_step(std::int64_t max) {
    for (std::int64_t power = 1;; power *= 10)
      for (const std::int64_t factor : {1, 2, 5})
        if (power * factor >= (max - 1) / kTicks + 1) return power * factor;
  }

  bool has_numbers() const {
    return space_.axes().size() == 1 &&
           std::all_of(space_.axes().front().values.begin(), space_.axes().front().values.end(),
                       [](const std::string& value) { return number_of(value).has_value(); });
  }

  /// Draws lines between consecutive points that are ok.
  void lines() {
    if (!has_numbers()) return;
    std::string path;
    bool is_open = false;
    for (const StudyRow& row : marks_.rows()) {
      const auto value = marks_.value(row);
      if (value) path += fmt::format("{}{:.1f} {:.1f}", is_open ? "L" : "M", x(row.ordinal), y(*value));
      is_open = value.has_value();
    }
    frame_.raw("<path class=\"line\" d=\"" + path + "\"/>\n");
  }

  void mark(const StudyRow& row, std::size_t position) {
    const double at = x(row.ordinal);
    const bool is_best = row.rank && *row.rank == 1;
    const double reach = std::clamp(static_cast<double>(PictureFrame::kPlotPixels) /
                                        static_cast<double>(3 * std::max<std::uint64_t>(space_.size(), 1)),
                                    1.2, 4.0);
    frame_.raw(marks_.open(row, position, 0));
    if (const auto value = marks_.value(row)) {
      frame_.raw(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", at, y(*value),
                             is_best ? reach + 3 : reach));
    } else {
      const double bottom = static_cast<double>(top_ + kHeight) - reach - 4;
      frame_.raw(fmt::format("<path d=\"M{0:.1f} {1:.1f}l{2:.1f} {2:.1f}m0 -{2:.1f}l-{2:.1f} {2:.1f}\"/>", at - reach,
                             bottom - reach, 2 * reach));
    }
    frame_.raw("</g>\n");
  }

  void labels() {
    const std::uint64_t points = space_.size();
    const std::uint64_t step = (points + kMaxLabels - 1) / kMaxLabels;
    for (std::uint64_t ordinal = 0; ordinal < points; ordinal += std::max<std::uint64_t>(step, 1)) {
      std::string label = space_.value(ordinal, 0);
      for (std::size_t axis = 1; axis < space_.axes().size(); ++axis) label += " / " + space_.value(ordinal, axis);
      frame_.text(static_cast<std::uint64_t>(x(ordinal)), top_ + kHeight + 16, "middle", shortened(label, 14));
    }
    std::string names;
    for (const Axis& axis : space_.axes()) names += (names.empty() ? "" : " / ") + axis.name;
    frame_.text(PictureFrame::kLeft + PictureFrame::kPlotPixels, top_ + kHeight + 33, "end", shortened(names, 60));
  }

  const StudyMarks& marks_;
  const PointSpace& space_;
  PictureFrame& frame_;
  std::uint64_t top_;
};

}  // namespace

void draw_study_curve(const StudyMarks& marks, PictureFrame& frame) { StudyCurve(marks, frame).draw(); }

namespace {

constexpr std::uint64_t kMaxMaps = 48;
constexpr std::uint64_t kGap = 16;
constexpr std::size_t kShades = 9;

/// The position of a heat map, in pixels, and its number of cells.
struct MapBox {
  std::uint64_t left = 0;
  std::uint64_t top = 0;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t columns = 1;
  std::uint64_t rows = 1;

  double x(std::uint64_t column) const { return edge_of(left, width, column, columns); }
  double y(std::uint64_t row) const { return edge_of(top, height, row, rows); }

 private:
  static double edge_of(std::uint64_t begin, std::uint64_t length, std::uint64_t part, std::uint64_t parts) {
    return static_cast<double>(begin) + static_cast<double>(length * part) / static_cast<double>(parts);
  }
};

class StudyHeatMaps {
 public:
  StudyHeatMaps(const StudyMarks& marks, PictureFrame& frame)
      : marks_(marks), space_(marks.table().space()), axes_(space_.axes()), frame_(frame) {}

  void draw() {
    const std::size_t across = axes_.size() - 1;
    columns_ = axes_[across].values.size();
    rows_ = axes_[across - 1].values.size();
    const std::uint64_t maps = space_.size() / (columns_ * rows_);
    const std::uint64_t drawn = std::min(maps, kMaxMaps);
    per_line_ = drawn == 1 ? 1 : std::clamp<std::uint64_t>(36 / std::max<std::uint64_t>(columns_, 1), 2, 4);
    per_line_ = std::min(per_line_, drawn);
    for (std::uint64_t first = 0; first < drawn; first += per_line_) line(first, std::min(first + per_line_, drawn));
    legend();
    if (maps > drawn) {
      frame_.text(PictureFrame::kLeft, frame_.y() + 12, "start",
                  fmt::format("The first {} of {} maps; tables have all points.", drawn, maps));
      frame_.move_down(20);
    }
  }

 private:
  /// Draws a row of maps.
  void line(std::uint64_t first, std::uint64_t end) {
    const std::uint64_t caption = axes_.size() > 2 ? 20 : 4;
    const std::uint64_t width = (PictureFrame::kPlotPixels - kGap * (per_line_ - 1)) / per_line_;
    const std::uint64_t height = rows_ * std::clamp<std::uint64_t>(260 / rows_, 6, per_line_ == 1 ? 34 : 22);
    for (std::uint64_t map = first; map < end; ++map) {
      const MapBox box{
          PictureFrame::kLeft + (map - first) * (width + kGap), frame_.y() + caption, width, height, columns_, rows_};
      if (axes_.size() > 2) frame_.text(box.left, box.top - 6, "start", caption_of(map, width));
      frame_.raw(fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", box.left,
                             box.top, box.width, box.height));
      cells(map, box);
      if (map == first) row_labels(box);
      column_labels(box);
    }
    frame_.move_down(caption + height + 40);
  }

  std::string caption_of(std::uint64_t map, std::uint64_t width) const {
    std::string text;
    const std::uint64_t ordinal = map * columns_ * rows_;
    for (std::size_t axis = 0; axis + 2 < axes_.size(); ++axis)
      text += (text.empty() ? "" : ", ") + axes_[axis].name + "=" + space_.value(ordinal, axis);
    return shortened(text, static_cast<std::size_t>(width / 7));
  }

  void cells(std::uint64_t map, const MapBox& box) {
    const std::uint64_t size = rows_ * columns_;
    for (const StudyRow& point : marks_.rows())
      if (point.ordinal / size == map) cell(point, box, map, point.ordinal % size / columns_, point.ordinal % columns_);
  }

  void cell(const StudyRow& point, const MapBox& box, std::uint64_t map, std::uint64_t row, std::uint64_t column) {
    const double left = box.x(column), right = box.x(column + 1), top = box.y(row), bottom = box.y(row + 1);
    const auto value = marks_.value(point);
    const std::size_t shade =
        value ? 1 + static_cast<std::size_t>(marks_.shades().goodness(*value) * (static_cast<double>(kShades) - 0.001))
              : 0;
    frame_.raw(marks_.open(point, static_cast<std::size_t>(column), static_cast<std::size_t>(map * rows_ + row)));
    frame_.raw(fmt::format("<rect class=\"cell{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                           shade, left, top, right - left, bottom - top));
    const bool has_room = right - left >= 56 && bottom - top >= 15;
    if (!value) {
      const double inset = std::min(right - left, bottom - top) * 0.3;
      const double x = (left + right) / 2 - inset / 2, y = (top + bottom) / 2 - inset / 2;
      frame_.raw(
          fmt::format("<path d=\"M{0:.1f} {1:.1f}l{2:.1f} {2:.1f}m0 -{2:.1f}l-{2:.1f} {2:.1f}\"/>", x, y, inset));
    } else if (has_room) {
      frame_.raw(fmt::format("<text class=\"on{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                             shade > 5 ? "dark" : "light", (left + right) / 2, (top + bottom) / 2 + 4,
                             markup_text(metric_text(point, marks_.table().metric()))));
    }
    frame_.raw("</g>\n");
  }

  void row_labels(const MapBox& box) {
    const Axis& axis = axes_[axes_.size() - 2];
    const std::uint64_t step = (rows_ * 14 + box.height - 1) / box.height;
    for (std::uint64_t row = 0; row < rows_; row += step)
      frame_.text(box.left - 6, static_cast<std::uint64_t>((box.y(row) + box.y(row + 1)) / 2) + 4, "end",
                  shortened(axis.values[row], 12));
    frame_.text(box.left - 6, box.top + box.height + 16, "end", shortened(axis.name, 14));
  }

  void column_labels(const MapBox& box) {
    const Axis& axis = axes_.back();
    std::size_t longest = 1;
    for (const std::string& value : axis.values) longest = std::max(longest, std::min<std::size_t>(value.size(), 12));
    const std::uint64_t step = (columns_ * (longest * 7 + 6) + box.width - 1) / box.width;
    for (std::uint64_t column = 0; column < columns_; column += step)
      frame_.text(static_cast<std::uint64_t>((box.x(column) + box.x(column + 1)) / 2), box.top + box.height + 14,
                  "middle", shortened(axis.values[column], 12));
    frame_.text(box.left + box.width, box.top + box.height + 30, "end", shortened(axis.name, 30));
  }

  void legend() {
    const Metric& metric = marks_.table().metric();
    const StudyShades& scale = marks_.shades();
    const std::uint64_t y = frame_.y();
    std::uint64_t x = PictureFrame::kLeft;
    const std::string beyond = metric.largest_is_best ? " or less" : " or more";
    const std::string from = metric_value_text(scale.worst(), metric) + (scale.has_beyond() ? beyond : "");
    frame_.text(x, y + 10, "start", from);
    x += 7 * from.size() + 10;
    for (std::size_t shade = 1; shade <= kShades; ++shade, x += 18)
      frame_.raw(fmt::format("<rect class=\"cell{}\" x=\"{}\" y=\"{}\" width=\"18\" height=\"10\"/>", shade, x, y));
    frame_.text(x + 6, y + 10, "start",
                fmt::format("{} (the best); {} scale", metric_value_text(scale.best(), metric),
                            scale.is_logarithmic() ? "logarithmic" : "linear"));
    frame_.text(PictureFrame::kLeft, y + 28, "start", "framed: the best point; crossed: not run to its end");
    frame_.move_down(42);
  }

  const StudyMarks& marks_;
  const PointSpace& space_;
  const std::vector<Axis>& axes_;
  PictureFrame& frame_;
  std::uint64_t columns_ = 1;
  std::uint64_t rows_ = 1;
  std::uint64_t per_line_ = 1;
};

}  // namespace

void draw_study_heat_maps(const StudyMarks& marks, PictureFrame& frame) { StudyHeatMaps(marks, frame).draw(); }

namespace {

constexpr std::size_t kLongestTitle = 100;

}  // namespace

std::string study_picture(const StudyTable& table) {
  PictureFrame frame;
  const std::string title = shortened(table.identity().title, kLongestTitle);
  frame.raw(style_element(page_assets().study_picture_css));
  frame.raw(
      fmt::format("<text class=\"title\" x=\"{}\" y=\"18\">{}</text>\n", PictureFrame::kLeft, markup_text(title)));
  frame.text(PictureFrame::kLeft, 36, "start", shortened(best_sentence(table), 120));
  frame.text(PictureFrame::kLeft, 56, "start", table.metric().words);
  frame.move_down(62);
  if (table.rows() > kMaxMarks) {
    frame.text(PictureFrame::kLeft, frame.y() + 14, "start",
               fmt::format("{} points are too many to be drawn; the table has them all, --best N draws the best.",
                           table.rows()));
    frame.move_down(30);
    return frame.finish(title, best_sentence(table));
  }
  const StudyMarks marks(table);
  if (table.space().axes().size() == 1 || table.space().rules().zip) {
    draw_study_curve(marks, frame);
  } else {
    draw_study_heat_maps(marks, frame);
  }
  return frame.finish(title, best_sentence(table), "group");
}

void write_study_svg(const StudyTable& table, Sink& sink) { sink.write(study_picture(table)); }

}  // namespace gdsim
