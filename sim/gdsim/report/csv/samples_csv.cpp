#include <gdsim/report/csv/samples_csv.hpp>

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/notes.hpp>
#include <gdsim/base/check.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/csv/csv_writer.hpp>
#include <gdsim/report/csv/time_use_csv.hpp>
#include <gdsim/report/without_times.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

void require_few_samples(Duration duration, Duration interval) {
  // The last sample may be shorter than the interval.
  const std::int64_t count = duration.count / interval.count + (duration.count % interval.count > 0 ? 1 : 0);
  if (count > kMaxSamples)
    throw InputError("a sample every " + to_text(interval) + " of " + to_text(duration) + " is more than " +
                     std::to_string(kMaxSamples) + " samples");
}

void write_samples_csv(const RunReport& report, Duration interval, Sink& to) {
  CsvWithoutTimes without_times(to);
  Sink& sink = is_without_duration(report.workload) ? static_cast<Sink&>(without_times) : to;
  GDSIM_CHECK(report.timeline != nullptr && report.sampled_waits != nullptr, "the timeline or the waits were not kept");
  const RunRecord& record = report.record;
  require_few_samples(record.active(), interval);
  const ThreadLevels levels = device_levels(*report.timeline);
  const auto resident = bins_of_width(levels.resident, record.first_dispatch, record.end, interval);
  const auto running = bins_of_width(levels.running, record.first_dispatch, record.end, interval);
  const TimeSeries series = time_series(report, *report.sampled_waits);
  const std::vector<std::string> names = time_cell_names(series);
  std::vector<std::string_view> header{"time_ns",          "duration_ns",     "occupancy_percent",
                                       "threads_resident", "threads_running", "threads_stalled"};
  header.insert(header.end(), names.begin(), names.end());
  CsvWriter csv(sink, header);
  for (std::size_t i = 0; i < resident.size(); ++i) {
    const Bin& bin = resident[i];
    const Ratio mean = bin.mean();
    csv.time(bin.begin).time(bin.end - bin.begin);
    csv.fraction({mean.numerator * 100, mean.denominator * record.contexts_total});
    csv.fraction(mean).fraction(running[i].mean());
    csv.fraction({bin.integral - running[i].integral, mean.denominator});
    write_time_cells(series, series.rows[i], csv);
    csv.end_row();
  }
  csv.finish();
}

}  // namespace gdsim
