#include <gdsim/sweep/study_picture.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/picture/picture_frame.hpp>
#include <gdsim/sweep/study_curve.hpp>
#include <gdsim/sweep/study_heat_map.hpp>
#include <gdsim/sweep/study_marks.hpp>
#include <gdsim/sweep/study_text.hpp>

#include <fmt/format.h>

namespace gdsim {
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
