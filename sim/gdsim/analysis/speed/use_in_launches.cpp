#include <gdsim/analysis/speed/speed_of_light.hpp>

#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/program/instruction_cycles.hpp>
#include <gdsim/program/work_amounts.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <algorithm>
#include <set>

namespace gdsim {
namespace {

constexpr std::uint64_t kMillion = 1'000'000;

UInt128 millionths(const Decimal& value) {
  return static_cast<UInt128>(round_product({value, Decimal::whole(kMillion)}).value_or(0));
}

/// Returns how many launches take tiles from each list.
SharersOfTiles sharers_of_tiles(const Workload& workload) {
  SharersOfTiles sharers;
  const std::set<std::string> shared = shared_tile_lists(workload);
  for (const Launch& launch : workload.launches) {
    if (!launch.is_kernel()) continue;
    for (const Step& step : workload.kernel_of(launch).program)
      if (const auto* tiles = std::get_if<Tiles>(&step); tiles != nullptr && shared.contains(tiles->list))
        ++sharers[tiles->list];
  }
  return sharers;
}

/// Returns the times of the beginnings and ends of launches.
std::vector<SimTime> times_of(const std::vector<LaunchSpan>& spans) {
  std::vector<SimTime> times;
  for (const LaunchSpan& span : spans) times.insert(times.end(), {span.begin, span.end});
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::size_t position_of(const std::vector<SimTime>& times, SimTime time) {
  return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
}

}  // namespace

UseInLaunches::UseInLaunches(const RunReport& report)
    : report_(report),
      clocks_(report.device, report.device.power ? report.record.clock_changes : report.device.clock_changes),
      launches_(report.workload.kernels.size(), 0) {
  for (const Launch& launch : report.workload.launches)
    if (launch.is_kernel()) ++launches_[index_of(launch.as_kernel().kernel)];
  add_resources();
  add_use_of_kernels();
}

void UseInLaunches::add_resources() {
  const DeviceSpec& device = report_.device;
  const UInt128 engines = UInt128{device.cores} * device.engines_per_core;
  if (device.memory)
    for (const MemoryLevel& level : device.memory->levels) {
      const auto copies = core_blocks(device, level.scope);
      const auto bandwidth = static_cast<UInt128>(level.bandwidth.value_or(BytesPerSecond{}).count);
      resources_.push_back({Type::level, level.name, bandwidth * (copies ? copies->size() : 1)});
    }
  for (const ArithmeticRate& rate : device.arithmetic)
    resources_.push_back({Type::pipe, rate.kind, millionths(rate.per_cycle) * engines});
  const std::uint32_t at_once = device.slm_access ? device.slm_access->accesses_per_cycle : 1;
  const bool is_separate = device.l1 && device.l1->slm == SlmPlace::separate;
  resources_.push_back({Type::issue, {}, kMillion * engines});
  resources_.push_back({Type::l1, {}, UInt128{kMillion} * device.cores * (is_separate ? 1 : at_once)});
  if (is_separate) resources_.push_back({Type::slm, {}, UInt128{kMillion} * device.cores * at_once});
  resources_.push_back({Type::atomics, {}, kMillion});
}

void UseInLaunches::add_use_of_kernels() {
  const Workload& workload = report_.workload;
  const SharersOfTiles sharers = sharers_of_tiles(workload);
  for (std::size_t kernel = 0; kernel < workload.kernels.size(); ++kernel) {
    std::vector<UInt128>& used = used_.emplace_back(resources_.size(), 0);
    if (launches_[kernel] == 0) continue;
    const WorkAmounts amounts = work_amounts(workload.kernels[kernel], report_.device, sharers);
    const auto cycles_of = [&](std::uint32_t pipe) {
      const auto found = amounts.cycles.find(pipe);
      return found == amounts.cycles.end() ? UInt128{0} : found->second;
    };
    const auto& traffic = report_.record.traffic;
    std::size_t level = 0;
    for (std::size_t i = 0; i < resources_.size(); ++i) {
      UInt128 of_launch = 0;
      switch (resources_[i].kind) {
        case Type::level:
          if (kernel < traffic.size() && level < traffic[kernel].size())
            used[i] = static_cast<UInt128>(traffic[kernel][level]);
          ++level;
          continue;
        case Type::pipe:
          if (const auto found = amounts.operations.find(resources_[i].name); found != amounts.operations.end())
            of_launch = found->second;
          break;
        case Type::issue: of_launch = cycles_of(kIssueSlots); break;
        case Type::l1: of_launch = cycles_of(kL1Pipe); break;
        case Type::slm: of_launch = cycles_of(kSlmPipe); break;
        case Type::atomics: of_launch = amounts.atomic_cycles; break;
      }
      used[i] = of_launch * launches_[kernel] / kMillion;
    }
  }
}

UInt128 UseInLaunches::hertz_picoseconds(SimTime begin, SimTime end) const {
  UInt128 sum = 0;
  for (std::size_t number = clocks_.number_at(begin); begin < end; ++number) {
    const bool is_last = number + 1 == clocks_.count() || end <= clocks_.begin_of(number + 1);
    const SimTime until = is_last ? end : clocks_.begin_of(number + 1);
    sum += static_cast<UInt128>(clocks_.clock(number).count) * static_cast<UInt128>((until - begin).count);
    begin = until;
  }
  return sum;
}

std::vector<UInt128> UseInLaunches::capacities(SimTime begin, SimTime end) const {
  constexpr std::uint64_t picoseconds_per_second = 1'000'000'000'000;
  const UInt128 microcycles = hertz_picoseconds(begin, end) / kMillion;
  const auto time = static_cast<UInt128>(std::max<std::int64_t>((end - begin).count, 0));
  std::vector<UInt128> capacities;
  for (const Resource& resource : resources_)
    capacities.push_back(resource.kind == Type::level ? resource.rate * time / picoseconds_per_second
                                                      : resource.rate * microcycles / picoseconds_per_second);
  return capacities;
}

std::vector<std::vector<UInt128>> UseInLaunches::while_launches_are_active() const {
  const std::vector<LaunchSpan> spans = launch_spans(report_.workload, report_.record);
  const std::vector<SimTime> times = times_of(spans);
  // By position in `times`: what was used until then.
  std::vector<std::vector<UInt128>> until(times.size(), std::vector<UInt128>(resources_.size(), 0));
  for (const LaunchSpan& span : spans) {
    const std::size_t first = position_of(times, span.begin);
    const std::size_t last = position_of(times, span.end);
    const std::size_t kernel = index_of(span.kernel);
    const auto length = static_cast<UInt128>(std::max<std::int64_t>((span.end - span.begin).count, 1));
    for (std::size_t i = first; i < last; ++i)
      for (std::size_t resource = 0; resource < resources_.size(); ++resource)
        until[i + 1][resource] += used_[kernel][resource] / launches_[kernel] *
                                  static_cast<UInt128>((times[i + 1] - times[i]).count) / length;
  }
  for (std::size_t i = 1; i < until.size(); ++i)
    for (std::size_t resource = 0; resource < resources_.size(); ++resource)
      until[i][resource] += until[i - 1][resource];
  std::vector<std::vector<UInt128>> used(report_.workload.launches.size());
  for (const LaunchSpan& span : spans) {
    used[span.launch] = until.at(position_of(times, span.end));
    const std::vector<UInt128>& before = until.at(position_of(times, span.begin));
    for (std::size_t resource = 0; resource < resources_.size(); ++resource)
      used[span.launch][resource] -= before[resource];
  }
  return used;
}

}  // namespace gdsim
