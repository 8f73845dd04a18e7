#include <gdsim/probe_model/model_fit.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/cases/template_pool.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

/// The device's file as a value of `device:`, without comments.
std::string indented(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    if (!line.empty() && line[0] != '#') lines += "  " + line + "\n";
    begin = end + 1;
  }
  return lines;
}

std::string in_percent(const Ratio& error) { return to_fixed({error.numerator * 100, error.denominator}, 2) + " %"; }

}  // namespace

std::string ModelFit::error_text() const {
  if (!found) return problem;
  std::string text = fmt::format("the error is {} on {} rows", in_percent(found->error_fitted), found->rows_fitted);
  if (found->error_held_out)
    text += fmt::format(", {} on {} that were held out", in_percent(*found->error_held_out), found->rows_held_out);
  return text;
}

ModelFit fit_model(const std::string& title, const std::string& device_yaml, const std::string& workload,
                   const std::string& times, const std::vector<std::string>& ranges, const FitSetting& setting) {
  constexpr std::uint64_t held_out_percent = 30;
  constexpr std::uint64_t evaluations = 80;
  ModelFit fit;
  ReadOptions read = setting.read;
  read.overrides.push_back({"device.launch_cost", "0 ns"});  // the tables' times do not include it
  try {
    TemplatePool pool(title, "scenario: " + title + "\ndevice:\n" + indented(device_yaml) + workload, ".", read);
    Diagnostics problems;
    const SourceText text(title, times);
    const MeasuredTimes measured = read_measured_times(text, problems);
    problems.throw_if_any();
    std::vector<FitRange> parsed;
    for (const std::string& range : ranges) parsed.push_back(parse_fit_range(range));
    TimeModel model(pool, parsed, measured, setting.run, setting.jobs);
    Calibration found = calibrate(model, parsed, measured, {held_out_percent, 1, evaluations * ranges.size()});
    if (found.is_interrupted) fit.problem = "the fit was interrupted";
    if (!found.is_interrupted) fit.found = std::move(found);
  } catch (const InputError& error) {
    fit.problem = "it cannot be fitted: " + readable(error.problems().front().message);
  }
  return fit;
}

}  // namespace gdsim
