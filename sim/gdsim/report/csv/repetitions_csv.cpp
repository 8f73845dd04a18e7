#include <gdsim/report/csv/repetitions_csv.hpp>

#include <gdsim/base/check.hpp>
#include <gdsim/report/csv/csv_writer.hpp>

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
  const Repetitions& all = *report.repetitions;
  CsvWriter csv(sink, {"start_ns", "end_ns", "mean_percent", "min_percent", "p5_percent", "p50_percent", "p95_percent",
                       "max_percent"});
  for (const Band& band : all.bands) {
    const UInt128 whole = static_cast<UInt128>((band.end - band.start).count) * all.contexts_total;
    const auto percent = [&](Int128 integral, UInt128 runs) {
      return Ratio{static_cast<UInt128>(integral) * 100, whole * runs};
    };
    csv.time(band.start).time(band.end).fraction(percent(band.sum, all.runs.size()));
    const Spread<Int128>& spread = band.resident_time;
    for (const Int128 integral : {spread.least, spread.p5, spread.p50, spread.p95, spread.most})
      csv.fraction(percent(integral, 1));
    csv.end_row();
  }
  csv.finish();
}

std::string repetitions_text(const RunReport& report) {
  const Repetitions& all = *report.repetitions;
  if (all.runs.empty()) return fmt::format("none of {} runs was finished\n", all.planned);
  std::vector<Picoseconds> durations;
  UInt128 sum = 0;
  for (const Repetition& one : report.repetitions->runs) {
    durations.push_back(one.record.duration());
    sum += static_cast<UInt128>(one.record.duration().count);
  }
  std::sort(durations.begin(), durations.end());
  const auto spread = spread_of(durations);
  const Picoseconds mean{static_cast<std::int64_t>(sum / durations.size())};
  return fmt::format("{}{} runs, seeds one higher each: mean {}; least {}, 5 % {}, 50 % {}, 95 % {}, most {}\n",
                     durations.size(), all.runs.size() < all.planned ? fmt::format(" of {}", all.planned) : "",
                     to_rounded_text(mean), to_rounded_text(spread.least), to_rounded_text(spread.p5),
                     to_rounded_text(spread.p50), to_rounded_text(spread.p95), to_rounded_text(spread.most));
}

}  // namespace gdsim
