#include <gdsim/report/csv/repetitions_csv.hpp>

#include <gdsim/analysis/run_bands.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/table_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gdsim {

void write_repetitions_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.repetitions != nullptr, "the run was not repeated");
  CsvWriter csv(sink, {"run", "duration_ns", "peak_occupancy_percent", "mean_occupancy_percent", "outcome"});
  for (const Repetition& one : report.repetitions->runs) {
    csv.count(one.number).time(one.record.duration()).fraction(one.record.peak_occupancy());
    csv.fraction(one.record.mean_occupancy()).text(name_of(one.record.outcome)).end_row();
  }
  csv.finish();
}

void write_bands_csv(const RunReport& report, Sink& sink) {
  GDSIM_CHECK(report.repetitions != nullptr, "the run was not repeated");
  std::vector<std::string_view> header{column::kStart, column::kEnd};
  header.insert(header.end(), kBandColumns.begin(), kBandColumns.end());
  CsvWriter csv(sink, header);
  for (const BandRow& row : band_rows(*report.repetitions)) {
    csv.time(row.begin).time(row.end);
    for (const std::uint64_t percent : row.percent) csv.fraction({percent, BandRow::kPerPercent});
    csv.end_row();
  }
  csv.finish();
}

std::string repetitions_text(const RunReport& report) {
  const Repetitions& all = *report.repetitions;
  if (all.runs.empty()) return fmt::format("none of {} runs was finished\n", all.planned);
  std::vector<Duration> durations;
  UInt128 sum = 0;
  for (const Repetition& one : report.repetitions->runs) {
    durations.push_back(one.record.duration());
    sum += static_cast<UInt128>(one.record.duration().count);
  }
  std::sort(durations.begin(), durations.end());
  const auto spread = spread_of(durations);
  const Duration mean{static_cast<std::int64_t>(sum / durations.size())};
  return fmt::format("{}{} runs, seeds one higher each: mean {}; min {}, 5 % {}, 50 % {}, 95 % {}, max {}\n",
                     durations.size(), all.runs.size() < all.planned ? fmt::format(" of {}", all.planned) : "",
                     to_rounded_text(mean), to_rounded_text(spread.min), to_rounded_text(spread.p5),
                     to_rounded_text(spread.p50), to_rounded_text(spread.p95), to_rounded_text(spread.max));
}

}  // namespace gdsim
