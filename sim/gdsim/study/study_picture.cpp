#include <gdsim/study/study_picture.hpp>

#include <gdsim/report/markup.hpp>
#include <gdsim/report/picture/picture_frame.hpp>
#include <gdsim/study/study_curve.hpp>
#include <gdsim/study/study_heat_map.hpp>
#include <gdsim/study/study_marks.hpp>
#include <gdsim/study/study_text.hpp>

#include <fmt/format.h>

namespace gdsim {
namespace {

constexpr std::size_t kLongestTitle = 100;

/// The shades of cells, from the worst to the best, and what marks a point.
constexpr std::string_view kStudyPictureStyle =
    "<style>.cell1{fill:#dbe9f6;fill:var(--h1)}.cell2{fill:#c3dbee;fill:var(--h2)}.cell3{fill:#a3cbe3;fill:var(--h3)}"
    ".cell4{fill:#7fb8da;fill:var(--h4)}.cell5{fill:#5ba3cf;fill:var(--h5)}.cell6{fill:#3b8bc2;fill:var(--h6)}"
    ".cell7{fill:#2171b5;fill:var(--h7)}.cell8{fill:#0d529b;fill:var(--h8)}.cell9{fill:#08306b;fill:var(--h9)}"
    ".cell0{fill:#f9d9c2;fill:var(--gap)}.mark rect{stroke:#ffffff;stroke:var(--page);stroke-width:1}"
    ".mark.best rect{stroke:#d55e00;stroke:var(--wait);stroke-width:3}"
    ".mark circle{fill:#0072b2;fill:var(--run)}.mark.best circle{fill:#d55e00;fill:var(--wait)}"
    ".mark path{stroke:#d55e00;stroke:var(--wait);stroke-width:1.6}.line{stroke:#0072b2;stroke:var(--run);"
    "stroke-width:1.6}.mark:focus{outline:none}.mark:focus rect,.mark:focus circle,.mark:focus path{"
    "stroke:#1b1f24;stroke:var(--ink);stroke-width:3}text.onlight{fill:#1b1f24}text.ondark{fill:#ffffff}"
    "@media(prefers-color-scheme:dark){text.onlight{fill:#ffffff}text.ondark{fill:#0d1117}}</style>\n";

}  // namespace

std::string study_picture(const StudyTable& table) {
  PictureFrame frame;
  const std::string title = shortened(table.identity().title, kLongestTitle);
  frame.raw(kStudyPictureStyle);
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
