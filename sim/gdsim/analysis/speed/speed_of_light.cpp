#include <gdsim/analysis/speed/speed_of_light.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/run_report.hpp>
#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/fit/limits.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

bool has_times(const RunReport& report) {
  return report.record.outcome == Outcome::completed && !is_without_duration(report.workload);
}

Ratio per_second(UInt128 amount, Duration time) {
  return {amount * kPicosecondsPerSecond, static_cast<UInt128>(std::max<std::int64_t>(time.count, 1))};
}

bool is_above(const Ratio& a, const Ratio& b) { return a.numerator * b.denominator > b.numerator * a.denominator; }

/// Returns the use of all resources of engines, cores and memory in this time.
SpeedOfLight speed_in(const UseInLaunches& uses, const std::vector<UInt128>& amounts,
                      const std::vector<UInt128>& capacities, Duration time) {
  SpeedOfLight speed;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] == 0) continue;
    const UseInLaunches::Resource& resource = uses.resources()[i];
    std::optional<Ratio> percent;
    if (resource.rate > 0) percent = Ratio{amounts[i] * 100, std::max<UInt128>(capacities[i], 1)};
    switch (resource.kind) {
      case UseInLaunches::Type::level:
        speed.memory.push_back({resource.name, amounts[i], per_second(amounts[i], time), percent});
        break;
      case UseInLaunches::Type::pipe:
        speed.pipes.push_back({resource.name, amounts[i], per_second(amounts[i], time), percent});
        break;
      case UseInLaunches::Type::issue: speed.issue = percent; break;
      case UseInLaunches::Type::l1: speed.l1 = percent; break;
      case UseInLaunches::Type::slm:
        if (!speed.l1 || is_above(*percent, *speed.l1)) speed.l1 = percent;
        break;
      case UseInLaunches::Type::atomics: speed.atomics = percent; break;
    }
  }
  return speed;
}

/// Adds what copies between host and device move, in this direction, and for how much of their time its engines do.
void add_copies(const RunReport& report, CopyDirection direction, SpeedOfLight& speed) {
  const std::string name = direction == CopyDirection::host_to_device ? "to device" : "from device";
  UInt128 bytes = 0;
  UInt128 busy = 0;
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    const OptionalDuration time = report.record.launches[i].active();
    if (!launch.is_copy() || launch.as_copy().direction != direction || !time) continue;
    bytes += static_cast<UInt128>(launch.as_copy().bytes.count);
    busy += static_cast<UInt128>(time->count);
  }
  if (bytes == 0 || !report.device.copy) return;
  const std::uint32_t all = report.device.copy->engines;
  const std::uint32_t engines = direction == CopyDirection::host_to_device ? (all + 1) / 2 : std::max(all / 2, 1U);
  const Duration run = report.record.duration();
  const auto whole = UInt128{engines} * static_cast<UInt128>(std::max<std::int64_t>(run.count, 1));
  speed.copies.push_back({name, bytes, per_second(bytes, run), Ratio{busy * 100, whole}});
}

void add_links(const RunReport& report, SpeedOfLight& speed) {
  if (report.links.empty() || report.record.duration().count <= 0) return;
  std::vector<LaunchSpan> spans;
  for (const LinkSpan& span : report.links) spans.push_back({0, span.begin, span.end});
  speed.links = Ratio{covered_time(spans) * 100, static_cast<UInt128>(report.record.duration().count)};
}

/// Three significant digits and a prefix: `2.90 T`.
std::string with_prefix(Ratio value) {
  constexpr std::array<std::string_view, 6> prefixes{"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (prefix + 1 < prefixes.size() && value.numerator >= value.denominator * 1000) {
    value.denominator *= 1000;
    ++prefix;
  }
  const int decimals = value.numerator >= value.denominator * 100  ? 0
                       : value.numerator >= value.denominator * 10 ? 1
                                                                   : 2;
  return to_fixed(value, decimals) + " " + std::string(prefixes[prefix]);
}

std::string percent_words(Ratio percent) {
  return to_fixed(percent, percent.numerator < percent.denominator * 10 ? 1 : 0) + " %";
}

UseRow row_of(const ResourceUse& use, std::string_view unit, std::uint64_t per_amount = 1) {
  const Ratio rate{use.per_second.numerator * per_amount, use.per_second.denominator};
  return {use.name, with_prefix(rate) + std::string(unit), use.percent};
}

/// Returns the percentage of its engine's bandwidth that a copy reaches, its latency included.
std::optional<Ratio> percent_of_engine(const Launch& launch, const LaunchRecord& life, const RunReport& report) {
  const auto time = static_cast<UInt128>((*life.ended - *life.first_dispatched).count);
  const UInt128 most = time * static_cast<UInt128>(report.device.copy->bandwidth.count);
  if (most == 0) return std::nullopt;
  return Ratio{static_cast<UInt128>(launch.as_copy().bytes.count) * 100 * kPicosecondsPerSecond, most};
}

void consider(std::optional<NearestPeak>& nearest, const std::string& name, const std::optional<Ratio>& percent) {
  if (!percent) return;
  if (!nearest || is_above(*percent, nearest->percent)) nearest = NearestPeak{name, *percent};
}

}  // namespace

SpeedOfLight speed_of_light(const RunReport& report) {
  if (!has_times(report)) return {};
  const UseInLaunches uses(report);
  const RunRecord& record = report.record;
  std::vector<UInt128> amounts(uses.resources().size(), 0);
  for (std::size_t kernel = 0; kernel < report.workload.kernels.size(); ++kernel)
    for (std::size_t i = 0; i < amounts.size(); ++i) amounts[i] += uses.of_kernel(kernel)[i];
  SpeedOfLight speed = speed_in(uses, amounts, uses.capacities(record.first_dispatch, record.end), record.active());
  add_copies(report, CopyDirection::host_to_device, speed);
  add_copies(report, CopyDirection::device_to_host, speed);
  add_links(report, speed);
  return speed;
}

std::vector<SpeedOfLight> speed_of_kernels(const RunReport& report) {
  std::vector<SpeedOfLight> speeds(report.workload.kernels.size());
  if (!has_times(report)) return speeds;
  const UseInLaunches uses(report);
  std::vector<std::vector<LaunchSpan>> spans(speeds.size());
  for (const LaunchSpan& span : launch_spans(report.workload, report.record))
    spans[index_of(span.kernel)].push_back(span);
  for (std::size_t kernel = 0; kernel < speeds.size(); ++kernel) {
    std::vector<UInt128> capacities(uses.resources().size(), 0);
    Duration time{};
    SimTime until;
    for (const LaunchSpan& span : spans[kernel]) {
      const SimTime begin = std::max(until, span.begin);
      if (span.end <= begin) continue;
      until = span.end;
      time = time + (until - begin);
      const std::vector<UInt128> more = uses.capacities(begin, until);
      for (std::size_t i = 0; i < more.size(); ++i) capacities[i] += more[i];
    }
    speeds[kernel] = speed_in(uses, uses.of_kernel(kernel), capacities, time);
  }
  return speeds;
}

std::vector<std::optional<NearestPeak>> bounds_of_launches(const RunReport& report) {
  std::vector<std::optional<NearestPeak>> bounds(report.workload.launches.size());
  if (!has_times(report)) return bounds;
  const UseInLaunches uses(report);
  const std::vector<std::vector<UInt128>> amounts = uses.while_launches_are_active();
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const LaunchRecord& life = report.record.launches[i];
    if (!life.first_dispatched || !life.ended) continue;
    const Launch& launch = report.workload.launches[i];
    if (launch.is_kernel())
      bounds[i] = nearest_to_peak(speed_in(uses, amounts[i], uses.capacities(*life.first_dispatched, *life.ended),
                                           *life.ended - *life.first_dispatched));
    if (launch.is_copy() && report.device.copy)
      consider(bounds[i], "copy engines", percent_of_engine(launch, life, report));
  }
  return bounds;
}

std::optional<NearestPeak> nearest_to_peak(const SpeedOfLight& speed) {
  std::optional<NearestPeak> nearest;
  for (const ResourceUse& use : speed.memory) consider(nearest, use.name, use.percent);
  for (const ResourceUse& use : speed.pipes) consider(nearest, use.name, use.percent);
  consider(nearest, "issue slots", speed.issue);
  consider(nearest, "L1", speed.l1);
  consider(nearest, "atomics", speed.atomics);
  for (const ResourceUse& use : speed.copies) consider(nearest, "copy engines", use.percent);
  consider(nearest, "links", speed.links);
  return nearest;
}

std::vector<UseRow> use_rows(const SpeedOfLight& speed) {
  std::vector<UseRow> rows;
  for (const ResourceUse& use : speed.memory) rows.push_back(row_of(use, "B/s"));
  for (const ResourceUse& use : speed.pipes)
    rows.push_back(is_tensor_kind(use.name) ? row_of(use, "FLOP/s", 2) : row_of(use, "op/s"));
  if (speed.issue) rows.push_back({"issue slots", {}, speed.issue});
  if (speed.l1) rows.push_back({"L1", {}, speed.l1});
  if (speed.atomics) rows.push_back({"atomics", {}, speed.atomics});
  for (const ResourceUse& use : speed.copies) {
    rows.push_back(row_of(use, "B/s"));
    rows.back().name.insert(0, "copies ");
  }
  if (speed.links) rows.push_back({"links", {}, speed.links});
  return rows;
}

std::string achieved_words(const SpeedOfLight& speed) {
  std::string text;
  for (const UseRow& row : use_rows(speed)) {
    text += (text.empty() ? "" : ", ") + row.name + (row.rate.empty() ? "" : " " + row.rate);
    if (row.percent)
      text += row.rate.empty() ? " " + percent_words(*row.percent) : " (" + percent_words(*row.percent) + ")";
  }
  return text;
}

std::optional<OccupancyAnswer> occupancy_answer(const RunReport& report) {
  const Kernel* kernel = longest_own_kernel(report.workload, report.record);
  if (kernel == nullptr) return std::nullopt;
  const ResourceLimits limits = limits_of(*kernel, report.device);
  const std::uint64_t per_wave = work_groups_per_wave(*kernel, report.device);
  if (per_wave == 0 || report.device.contexts_per_core() == 0) return std::nullopt;
  OccupancyAnswer answer;
  answer.theoretical = {UInt128{100} * limits.work_groups_per_core() * kernel->threads_per_work_group(),
                        report.device.contexts_per_core()};
  for (const gdsim::Resource limiter : limits.limiters())
    answer.limit += (answer.limit.empty() ? "" : "+") + std::string(name_of(limiter));
  answer.achieved = report.record.achieved_occupancy();
  answer.waves = {kernel->range.group_count(), per_wave};
  if (own_launched_kernels(report.workload).size() > 1) answer.kernel = kernel->name;
  return answer;
}

std::string occupancy_words(const OccupancyAnswer& occupancy) {
  const std::string limit = occupancy.limit.empty() ? std::string() : " (" + occupancy.limit + ")";
  const std::string theoretical = fmt::format("theoretical {} %{}", to_fixed(occupancy.theoretical, 1), limit);
  const std::string achieved = fmt::format("achieved {} %", to_fixed(occupancy.achieved, 1));
  const std::string waves = to_fixed(occupancy.waves, 1) + " waves";
  if (occupancy.kernel.empty()) return fmt::format("{}, {}, {}", theoretical, achieved, waves);
  return fmt::format("{} over the run; {} and {} are of {}, which lasts longest", achieved, theoretical, waves,
                     printable(occupancy.kernel));
}

}  // namespace gdsim
