#include <gdsim/explain/explanation_files.hpp>

#include <gdsim/report/html/page_head.hpp>
#include <gdsim/report/markup.hpp>
#include <gdsim/report/picture/picture_frame.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::uint64_t kBar = 16;
constexpr std::uint64_t kBarRow = 34;

class Bars {
 public:
  explicit Bars(const Explanation& explanation) : explanation_(explanation), longest_(explanation.baseline) {
    for (const ChangedRun& run : explanation.changed_runs) longest_ = std::max(longest_, run.duration);
  }

  std::string draw() {
    frame_.raw(style_element(page_assets().bars_css));
    frame_.raw(fmt::format("<text class=\"title\" x=\"{}\" y=\"18\">{}</text>\n", PictureFrame::kLeft,
                           markup_text(shortened(explanation_.title, 100))));
    frame_.text(PictureFrame::kLeft, 36, "start", shortened(explanation_.device, 100));
    frame_.move_down(50);
    bar("as it is", explanation_.baseline, "base", to_rounded_text(explanation_.baseline), "The run as it is.");
    for (const ChangedRun& run : explanation_.changed_runs)
      bar(run.what, run.duration, run.duration > explanation_.baseline ? "more" : "less",
          fmt::format("{} ({}{})", to_rounded_text(run.duration),
                      run.saves > 0   ? "-"
                      : run.saves < 0 ? "+"
                                      : "",
                      saving_text(run.saves)),
          run.sentence);
    frame_.move_down(6);
    return frame_.finish(shortened(explanation_.title, 100), "How long the run takes with one thing changed.", "group");
  }

 private:
  void bar(const std::string& name, Duration duration, std::string_view kind, const std::string& value,
           const std::string& said) {
    const std::uint64_t y = frame_.y();
    const auto whole = static_cast<UInt128>(std::max<std::int64_t>(longest_.count, 1));
    const auto width =
        static_cast<std::uint64_t>(UInt128{PictureFrame::kPlotPixels} * static_cast<UInt128>(duration.count) / whole);
    const std::string words = markup_text(name + ": " + value + ". " + said);
    frame_.raw(
        fmt::format("<g tabindex=\"0\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>"
                    "<rect class=\"bar {1}\" x=\"{2}\" y=\"{3}\" width=\"{4}\" height=\"{5}\"/></g>\n",
                    words, kind, PictureFrame::kLeft, y + 14, std::max<std::uint64_t>(width, 1), kBar));
    frame_.text(PictureFrame::kLeft, y + 11, "start", name + "  " + value);
    frame_.move_down(kBarRow);
  }

  const Explanation& explanation_;
  Duration longest_;
  PictureFrame frame_;
};

PageContent content_of_explanation() {
  const PageAssets assets = page_assets();
  return {assets.page_css, {assets.bars_css, assets.picture_css, assets.stripes_css}};
}

/// Notes for a reader of the unchanged run.
std::string notes(const Explanation& explanation) {
  std::string text;
  for (const std::string& note : explanation.notes) text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  const std::string unused = unused_line(explanation.unused, explanation.terms);
  return unused.empty() ? text : text + "<p class=\"note\">" + markup_text(unused) + "</p>\n";
}

/// The sentences of a list; empty if none of it makes the run shorter.
std::string list_section(const Explanation& explanation, ChangeList list, const std::string& title) {
  std::string items;
  for (const ChangedRun& run : explanation.changed_runs)
    if (run.list == list && run.saves > 0 && !run.may_be_chance)
      items += "<li>" + markup_text(run.sentence) + "</li>\n";
  return items.empty() ? items : "<section>\n<h2>" + title + "</h2>\n<ol>\n" + items + "</ol>\n</section>\n";
}

}  // namespace

void write_explanation_svg(const Explanation& explanation, Sink& sink) { sink.write(Bars(explanation).draw()); }

void write_explanation_page(const Explanation& explanation, Sink& sink) {
  std::string text = page_head(explanation.title, content_of_explanation()) + "<body>\n<header>\n<h1>" +
                     markup_text(explanation.title) + "</h1>\n<p class=\"device\">on <bdi>" +
                     markup_text(explanation.device) + "</bdi>: " + to_rounded_text(explanation.baseline) + "</p>\n" +
                     notes(explanation) + "</header>\n<main>\n" +
                     list_section(explanation, ChangeList::change, "What you can change") +
                     list_section(explanation, ChangeList::bound, "Bounds, which no one can change");
  text +=
      "<p class=\"note\">Each is a run of its own with one thing changed.</p>\n"
      "<section>\n<h2>With one thing changed</h2>\n<div class=\"study\">\n" +
      Bars(explanation).draw() +
      "</div>\n<div class=\"wide\" role=\"group\" aria-label=\"All runs\" tabindex=\"0\"><table><caption>All "
      "runs</caption><thead><tr>"
      "<th scope=\"col\" class=\"name\">what</th><th scope=\"col\">duration</th><th scope=\"col\">saves</th>"
      "<th scope=\"col\" class=\"name\">in words</th></tr></thead><tbody>\n";
  for (const ChangedRun& run : explanation.changed_runs)
    text += "<tr><th scope=\"row\" class=\"name\">" + markup_text(run.what) + "</th><td>" +
            to_rounded_text(run.duration) + "</td><td>" + (run.saves < 0 ? "-" : "") + saving_text(run.saves) +
            "</td><td class=\"name\">" + markup_text(run.sentence) + "</td></tr>\n";
  text += "</tbody></table></div>\n";
  if (const std::string note = note_on_repetitions(explanation); !note.empty())
    text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  if (const std::string note = note_on_interruption(explanation); !note.empty())
    text += "<p class=\"note\">" + markup_text(note) + "</p>\n";
  for (const std::string& one : explanation.not_possible)
    text += "<p class=\"note\">Not possible: " + markup_text(one) + "</p>\n";
  sink.write(text + "</section>\n</main>\n</body>\n</html>\n");
}

}  // namespace gdsim
