#include "commands/comparison_text.hpp"
#include "every_report.hpp"
#include "support/string_sink.hpp"
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/text/run_text.hpp>

namespace gdsim::fuzz {
namespace {

using testing::StringSink;

void write_formats(const RunReport& report, const std::vector<Format>& formats, Sink& sink) {
  for (const Format& format : formats)
    if (format.keeps != Keeps::repetitions || report.repetitions != nullptr) format.write(report, sink);
}

/// The run beside a measurement that says 50 % for its first half.
std::string comparison_of(const RunView& view) {
  MeasuredOccupancy measured;
  measured.spans.push_back({view.record.first_dispatch,
                            view.record.first_dispatch + Duration{view.record.active().count / 2 + 1},
                            MeasuredOccupancy::kFull / 2});
  StringSink sink;
  write_comparison_svg(view, measured, sink);
  return sink.text + cli::comparison_text(view, measured, compare(view, measured));
}

}  // namespace

std::string tables_of(const cli::CaseRun& run) {
  StringSink sink;
  write_formats(run.report(), built_in_formats(), sink);
  return std::move(sink.text);
}

std::string every_report(const cli::CaseRun& run) {
  const RunReport report = run.report({"--set device.cores=1"});
  StringSink sink;
  write_formats(report, export_formats(), sink);
  sink.text += run_text(report);
  sink.text += chart_text(report, {Glyphs::ascii}) + chart_text(report, {Glyphs::unicode, 200, true});
  RunReport sampled = report;
  sampled.sampled_waits = report.waits;
  samples_table(report.waits->width())->write(sampled, sink);
  const RunView view = view_of(report);
  write_picture_svg(view, sink);
  write_html_report(view, sink);
  return sink.text + comparison_of(view);
}

}  // namespace gdsim::fuzz
