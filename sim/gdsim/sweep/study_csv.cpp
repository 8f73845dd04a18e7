#include <gdsim/sweep/study_csv.hpp>

#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <array>
#include <vector>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, 11> kFigures{"status",
                                                    "duration_ns",
                                                    "speedup",
                                                    "peak_occupancy_percent",
                                                    "mean_occupancy_percent",
                                                    "fit_occupancy_percent",
                                                    "limiter",
                                                    "work_groups_per_core",
                                                    "waves",
                                                    "rank",
                                                    "reason"};

Ratio of_ten_thousandths(std::int64_t value) { return {static_cast<UInt128>(value), 10'000}; }

void write_fraction(const std::optional<std::int64_t>& value, CsvWriter& csv) {
  if (value) {
    csv.fraction(of_ten_thousandths(*value));
  } else {
    csv.text("");
  }
}

void write_count(const std::optional<std::uint64_t>& value, CsvWriter& csv) {
  if (value) {
    csv.count(*value);
  } else {
    csv.text("");
  }
}

std::optional<std::uint64_t> count_of(const std::optional<std::int64_t>& value) {
  return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

void write_row(const StudyRow& row, const PointSpace& space, CsvWriter& csv) {
  const PointResult& result = row.result;
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis) csv.text(space.value(row.ordinal, axis));
  csv.text(name_of(result.status));
  csv.time(result.duration ? std::optional(Duration{*result.duration}) : std::nullopt);
  if (row.speedup) {
    csv.fraction(*row.speedup);
  } else {
    csv.text("");
  }
  write_fraction(result.peak_occupancy, csv);
  write_fraction(result.mean_occupancy, csv);
  write_fraction(result.fit_occupancy, csv);
  csv.text(result.limiter);
  write_count(count_of(result.work_groups_per_core), csv);
  write_fraction(result.waves, csv);
  write_count(row.rank, csv);
  csv.text(result.reason).end_row();
}

/// One point, as an object.
void write_json_row(const StudyRow& row, const PointSpace& space, JsonWriter& json) {
  const PointResult& result = row.result;
  const auto fraction = [&](std::string_view key, const std::optional<std::int64_t>& value) {
    if (value) json.key(key).fraction(of_ten_thousandths(*value));
  };
  json.open_object();
  json.key("values").open_object();
  for (std::size_t axis = 0; axis < space.axes().size(); ++axis)
    json.key(space.axes()[axis].name).text(space.value(row.ordinal, axis));
  json.close_object();
  json.key("status").text(name_of(result.status));
  if (result.duration) json.key("duration_ns").time(Duration{*result.duration});
  if (row.speedup) json.key("speedup").fraction(*row.speedup);
  fraction("peak_occupancy_percent", result.peak_occupancy);
  fraction("mean_occupancy_percent", result.mean_occupancy);
  fraction("fit_occupancy_percent", result.fit_occupancy);
  if (!result.limiter.empty()) json.key("limiter").text(result.limiter);
  if (const auto count = count_of(result.work_groups_per_core)) json.key("work_groups_per_core").count(*count);
  fraction("waves", result.waves);
  if (row.rank) json.key("rank").count(*row.rank);
  if (!result.reason.empty()) json.key("reason").text(result.reason);
  json.close_object();
}

}  // namespace

void write_study_csv(const StudyTable& table, Sink& sink) {
  std::vector<std::string_view> header;
  for (const Axis& axis : table.space().axes()) header.push_back(axis.name);
  header.insert(header.end(), kFigures.begin(), kFigures.end());
  CsvWriter csv(sink, header);
  table.for_each([&](const StudyRow& row) { write_row(row, table.space(), csv); });
  csv.finish();
}

void write_study_json(const StudyTable& table, Sink& sink) {
  JsonWriter json;
  json.open_object();
  json.key("scenario").text(table.identity().title);
  json.key("content").text(table.identity().content);
  json.key("metric").text(table.metric().name);
  json.key("points_total").count(table.points());
  for (const PointStatus status :
       {PointStatus::ok, PointStatus::deadlocked, PointStatus::refused, PointStatus::interrupted})
    json.key(name_of(status)).count(table.count(status));
  json.key("baseline");
  if (table.baseline()) {
    json.text(table.space().name_of(*table.baseline()));
  } else {
    json.none();
  }
  json.key("points").open_list();
  table.for_each([&](const StudyRow& row) {
    write_json_row(row, table.space(), json);
    sink.write(json.take());
  });
  json.close_list();
  json.key("notes").open_list();
  for (const std::string& note : table.identity().notes) json.text(note);
  json.close_list();
  json.key("schema_version").count(1);
  json.close_object();
  sink.write(json.finish());
}

}  // namespace gdsim
