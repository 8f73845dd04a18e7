#include <gdsim/calibrate/calibration.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

std::string in_percent(const Ratio& error) { return to_fixed({error.numerator * 100, error.denominator}, 4); }

/// `--set 'PATH=VALUE'` of every parameter, whatever its Knowledge.
std::string settings(const Calibration& calibration) {
  std::string text;
  for (const FittedParameter& one : calibration.parameters)
    text += fmt::format(" --set '{}={}'", printable(one.path), printable(one.value));
  return text;
}

/// Explains an end of the values that the data do not set; empty if they do.
std::string refused_end(const FittedParameter& one) {
  const bool low = one.low_end == RangeEnd::refused;
  const bool high = one.high_end == RangeEnd::refused;
  if (!low && !high) return "";
  const std::string which = low && high ? fmt::format("below {} and above {}", printable(one.low), printable(one.high))
                            : low       ? "below " + printable(one.low)
                                        : "above " + printable(one.high);
  return fmt::format("{}: {} a row cannot be run; that is no bound of the data.\n", printable(one.path), which);
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  std::string text = printable(calibration.title) + "\n" + calibration.sentence + "\n\n";
  std::size_t width = 9;
  for (const FittedParameter& one : calibration.parameters) width = std::max(width, printable(one.path).size());
  text +=
      fmt::format("{:<{}}  {:>14}  {:>14}  {:>14}  {}\n", "parameter", width, "value", "from", "to", "the data say");
  for (const FittedParameter& one : calibration.parameters)
    text += fmt::format("{:<{}}  {:>14}  {:>14}  {:>14}  {}\n", printable(one.path), width, printable(one.value),
                        printable(one.low), printable(one.high), name_of(one.knowledge));
  if (calibration.is_interrupted) return text + "paste:" + settings(calibration) + "\n";
  text += fmt::format(
      "\nFrom and to: the lowest and the highest value for which, with the others fitted anew, the error is within {} "
      "%.\n",
      in_percent(calibration.bound));
  for (const FittedParameter& one : calibration.parameters) text += refused_end(one);
  for (const FittedParameter& one : calibration.parameters)
    if (one.knowledge == Knowledge::not_determined)
      text += fmt::format("{} is not determined: any value from {} to {} explains the times as well.\n",
                          printable(one.path), printable(one.low), printable(one.high));
  if (calibration.error_own)
    text += fmt::format("With the scenario's own values the error on the fitted rows is {} %.\n",
                        in_percent(*calibration.error_own));
  if (!calibration.error_held_out)
    text += "No row was held out: the error on fitted rows says little of others; --holdout 0.3 keeps some.\n";
  return text + "paste:" + settings(calibration) + "\n" + fmt::format("{} runs\n", calibration.runs);
}

void write_calibration_json(const Calibration& calibration, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(calibration.title);
  json.key("measured").text(calibration.measured);
  json.key("parameters").open_list();
  for (const FittedParameter& one : calibration.parameters) {
    json.open_object();
    json.key("path").text(one.path);
    json.key("value").text(one.value);
    json.key("low").text(one.low);
    json.key("high").text(one.high);
    json.key("knowledge").text(name_of(one.knowledge));
    json.key("low_end").text(name_of(one.low_end));
    json.key("high_end").text(name_of(one.high_end));
    json.close_object();
  }
  json.close_list();
  json.key("rows_fitted").count(calibration.rows_fitted);
  json.key("rows_held_out").count(calibration.rows_held_out);
  json.key("error_fitted_percent").number(in_percent(calibration.error_fitted));
  json.key("error_held_out_percent");
  if (calibration.error_held_out) json.number(in_percent(*calibration.error_held_out));
  if (!calibration.error_held_out) json.none();
  json.key("error_own_percent");
  if (calibration.error_own) json.number(in_percent(*calibration.error_own));
  if (!calibration.error_own) json.none();
  json.key("error_bound_percent").number(in_percent(calibration.bound));
  json.key("seed").count(calibration.seed);
  json.key("runs").count(calibration.runs);
  json.key("sentence").text(calibration.sentence);
  json.key("interrupted").truth(calibration.is_interrupted);
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

void write_calibration_csv(const Calibration& calibration, Sink& sink) {
  CsvWriter csv(sink, {"path", "value", "low", "high", "knowledge", "error_fitted_percent", "error_held_out_percent",
                       "low_end", "high_end"});
  for (const FittedParameter& one : calibration.parameters) {
    csv.text(one.path).text(one.value).text(one.low).text(one.high).text(name_of(one.knowledge));
    csv.text(in_percent(calibration.error_fitted));
    csv.text(calibration.error_held_out ? in_percent(*calibration.error_held_out) : "");
    csv.text(name_of(one.low_end)).text(name_of(one.high_end)).end_row();
  }
  csv.finish();
}

}  // namespace gdsim
