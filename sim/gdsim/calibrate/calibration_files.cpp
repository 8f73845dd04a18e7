#include <gdsim/calibrate/calibration.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/report/result_table.hpp>

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

std::string in_percent(const Ratio& error) { return to_fixed({error.numerator * 100, error.denominator}, 4); }

/// A parameter, with the errors of the whole calibration.
struct ParameterRow {
  const FittedParameter& parameter;
  const Calibration& calibration;
};

std::vector<ParameterRow> rows_of(const Calibration& calibration) {
  std::vector<ParameterRow> rows;
  for (const FittedParameter& parameter : calibration.parameters) rows.push_back({parameter, calibration});
  return rows;
}

std::optional<Ratio> times_100(const std::optional<Ratio>& share) {
  return share ? std::optional(Ratio{share->numerator * 100, share->denominator}) : std::nullopt;
}

const ResultColumns<ParameterRow>& parameter_columns() {
  using Row = ParameterRow;
  static const ResultColumns<Row> columns{
      {"path", "parameter", [](const Row& row) { return row.parameter.path; }},
      {"value", "value", [](const Row& row) { return row.parameter.value; }},
      {"low", "from", [](const Row& row) { return row.parameter.low; }},
      {"high", "to", [](const Row& row) { return row.parameter.high; }},
      {"knowledge", "the data say", [](const Row& row) { return name_of(row.parameter.knowledge); }},
      {"error_fitted_percent", "", [](const Row& row) { return times_100(row.calibration.error_fitted); }},
      {"error_held_out_percent", "", [](const Row& row) { return times_100(row.calibration.error_held_out); }},
      {"low_end", "", [](const Row& row) { return name_of(row.parameter.low_end); }},
      {"high_end", "", [](const Row& row) { return name_of(row.parameter.high_end); }}};
  return columns;
}

std::string table_text(const Calibration& calibration) {
  constexpr std::array<std::string_view, 5> shown{"path", "value", "low", "high", "knowledge"};
  const std::vector<std::string> headings = parameter_columns().headings(shown);
  TextTable table({{headings[0], TextTable::Align::left},
                   {headings[1], TextTable::Align::right, 14},
                   {headings[2], TextTable::Align::right, 14},
                   {headings[3], TextTable::Align::right, 14},
                   {headings[4]}});
  for (const ParameterRow& row : rows_of(calibration)) {
    std::vector<std::string> words = parameter_columns().words(row, shown);
    for (std::string& word : words) word = printable(word);
    table.add(std::move(words));
  }
  return table.text();
}

/// `--set 'PATH=VALUE'` of every parameter, whatever its Knowledge.
std::string settings(const Calibration& calibration) {
  std::string text;
  for (const FittedParameter& parameter : calibration.parameters)
    text += fmt::format(" --set '{}={}'", printable(parameter.path), printable(parameter.value));
  return text;
}

/// Explains an end of the values that the data do not set; empty if they do.
std::string refused_end(const FittedParameter& parameter) {
  const bool low = parameter.low_end == RangeEnd::refused;
  const bool high = parameter.high_end == RangeEnd::refused;
  if (!low && !high) return "";
  const std::string which =
      low && high ? fmt::format("below {} and above {}", printable(parameter.low), printable(parameter.high))
      : low       ? "below " + printable(parameter.low)
                  : "above " + printable(parameter.high);
  return fmt::format("{}: {} a row cannot be run; that is no bound of the data.\n", printable(parameter.path), which);
}

}  // namespace

std::string calibration_text(const Calibration& calibration) {
  std::string text = printable(calibration.title) + "\n" + calibration.sentence + "\n\n" + table_text(calibration);
  if (calibration.is_interrupted) return text + "paste:" + settings(calibration) + "\n";
  text += fmt::format(
      "\nFrom and to: the lowest and the highest value for which, with the others fitted anew, the error is within {} "
      "%.\n",
      in_percent(calibration.bound));
  for (const FittedParameter& parameter : calibration.parameters) text += refused_end(parameter);
  for (const FittedParameter& parameter : calibration.parameters)
    if (parameter.knowledge == Knowledge::not_determined)
      text += fmt::format("{} is not determined: any value from {} to {} explains the times as well.\n",
                          printable(parameter.path), printable(parameter.low), printable(parameter.high));
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
  json.key("parameters");
  parameter_columns().write_list(rows_of(calibration), ResultColumns<ParameterRow>::Missing::null, json);
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
  parameter_columns().write_csv(rows_of(calibration), sink);
}

}  // namespace gdsim
