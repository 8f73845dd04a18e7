#include <gdsim/compare/diff_files.hpp>

#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace gdsim {
namespace {

using Kind = DiffValue::Kind;

std::string_view unit_of(const DiffRow& row) {
  switch (row.a.kind == Kind::none ? row.b.kind : row.a.kind) {
    case Kind::time: return "ns";
    case Kind::percent: return "percent";
    case Kind::count: return "count";
    default: return "";
  }
}

Ratio of_percent(std::int64_t ten_thousandths) { return {static_cast<UInt128>(std::abs(ten_thousandths)), 10'000}; }

void write_cell(const DiffValue& value, CsvWriter& csv) {
  switch (value.kind) {
    case Kind::none: csv.text(""); break;
    case Kind::time: csv.time(Duration{value.number}); break;
    case Kind::percent: csv.fraction(of_percent(value.number)); break;
    case Kind::count: csv.count(static_cast<std::uint64_t>(value.number)); break;
    case Kind::words: csv.text(value.words); break;
  }
}

void write_json_value(std::string_view key, const DiffValue& value, JsonWriter& json) {
  json.key(key);
  switch (value.kind) {
    case Kind::none: json.none(); break;
    case Kind::time: json.time(Duration{value.number}); break;
    case Kind::percent: json.fraction(of_percent(value.number)); break;
    case Kind::count: json.count(static_cast<std::uint64_t>(value.number)); break;
    case Kind::words: json.text(value.words); break;
  }
}

std::string signed_change(std::int64_t change) { return (change < 0 ? "-" : "") + to_fixed(of_percent(change), 4); }

}  // namespace

std::string diff_value_text(const DiffValue& value) {
  switch (value.kind) {
    case Kind::none: return "-";
    case Kind::time: return to_rounded_text(Duration{value.number});
    case Kind::percent: return to_fixed(of_percent(value.number), 1) + " %";
    case Kind::count: return std::to_string(value.number);
    case Kind::words: return value.words;
  }
  return {};
}

std::string diff_word_text(const std::string& word, const NamedRuns& runs) {
  const std::string threads = thread_word(runs.a, runs.b) + "s";
  if (word == "threads") return threads;
  return word == "time of threads" ? "time of " + threads : word;
}

std::string diff_change_text(const DiffRow& row) {
  if (row.is_equal()) return "=";
  const auto change = row.change();
  if (!change) return {};
  return (*change < 0 ? "-" : "+") + to_fixed(of_percent(*change), 1) + " %";
}

void write_diff_csv(const NamedRuns& runs, Sink& sink) {
  CsvWriter csv(sink, {"section", "name", "unit", "a", "b", "change_percent"});
  for (const DiffRow& row : diff_runs(runs.a, runs.b, runs.of)) {
    csv.text(row.section).text(row.name).text(unit_of(row));
    write_cell(row.a, csv);
    write_cell(row.b, csv);
    const auto change = row.change();
    csv.text(change ? signed_change(*change) : "").end_row();
  }
  csv.finish();
}

void write_diff_json(const NamedRuns& runs, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("a").text(runs.name_a);
  json.key("b").text(runs.name_b);
  json.key("rows").open_list();
  for (const DiffRow& row : diff_runs(runs.a, runs.b, runs.of)) {
    json.open_object();
    json.key("section").text(row.section);
    json.key("name").text(row.name);
    json.key("unit").text(unit_of(row));
    write_json_value("a", row.a, json);
    write_json_value("b", row.b, json);
    json.key("change_percent");
    if (const auto change = row.change()) {
      json.number(signed_change(*change));
    } else {
      json.none();
    }
    json.close_object();
  }
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

}  // namespace gdsim
