#include <gdsim/sweep/study_curve.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/sweep/study_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kHeight = 300;
constexpr std::uint64_t kTicks = 4;
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
    for (std::uint64_t i = 0; i <= kTicks; ++i) {
      const std::int64_t value = marks_.max() / static_cast<std::int64_t>(kTicks) * static_cast<std::int64_t>(i);
      const double at = y(value);
      frame_.raw(fmt::format("<path class=\"grid\" d=\"M{} {:.1f}h{}\"/>", PictureFrame::kLeft, at,
                             PictureFrame::kPlotPixels));
      frame_.text(PictureFrame::kLeft - 6, static_cast<std::uint64_t>(at) + 4, "end", metric_value_text(value, metric));
    }
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

  void mark(const StudyRow& row, std::size_t place) {
    const double at = x(row.ordinal);
    const bool is_best = row.rank && *row.rank == 1;
    const double reach = std::clamp(static_cast<double>(PictureFrame::kPlotPixels) /
                                        static_cast<double>(3 * std::max<std::uint64_t>(space_.size(), 1)),
                                    1.2, 4.0);
    frame_.raw(marks_.open(row, place, 0));
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

}  // namespace gdsim
