#include "oracle/variation.hpp"

#include <gdsim/model/draws.hpp>  // the draws are specified there

#include <algorithm>
#include <optional>

namespace gdsim::oracle {
namespace {

const Kernel& kernel_of(const Workload& workload, const ThreadKey& key) {
  return workload.kernel_of(workload.launches[key.launch]);
}

/// Returns the scenario's factor or duration for this work-group, which overrides a draw.
std::optional<WorkGroupFactor> written_for(const Kernel& kernel, const ThreadKey& key) {
  for (const WorkGroupFactor& entry : kernel.variation.factors)
    if (number_of(entry.work_group) == key.work_group) return entry;
  return std::nullopt;
}

/// Returns the factor of the wave, which multiplies any factor, but no own duration.
Decimal of_wave(const Kernel& kernel, const ThreadKey& key) {
  return key.is_first_wave ? kernel.variation.first_wave.value_or(Decimal::whole(1)) : Decimal::whole(1);
}

/// Returns true if no barrier keeps the threads of a work-group together, and none waits for a child.
bool is_free_running(const Program& program) {
  return std::all_of(program.begin(), program.end(), [](const Step& step) {
    if (const auto* loop = std::get_if<Loop>(&step)) return is_free_running(loop->body);
    if (const auto* only = std::get_if<Only>(&step)) return is_free_running(only->body);
    if (const auto* tiles = std::get_if<Tiles>(&step))
      return is_free_running(tiles->body) && (tiles->take == TileTake::by_number || tiles->per == TileTaker::thread);
    return !std::holds_alternative<Barrier>(step) && !std::holds_alternative<Signal>(step) &&
           !std::holds_alternative<Wait>(step) && !std::holds_alternative<LaunchChild>(step);
  });
}

/// Returns the draw, declared or default: a thread that shares something takes up to 0.87 % more or less time.
std::optional<Draw> draw_of(const Kernel& kernel) {
  const Variation& variation = kernel.variation;
  if (variation.draw || variation.is_lock_step || !kernel.shares_resources()) return variation.draw;
  return Draw{Distribution::uniform,  Decimal{5, -3},
              DrawPer::work_group,    0,
              DrawOrigin::by_default, has_instructions_by_kind(kernel.program)};
}

/// The part of its work-group to which a thread belongs, and the first thread of that part.
struct Part {
  std::uint64_t number = 0;
  std::uint32_t first = 0;
};

Part part_of(const Kernel& kernel, std::uint32_t thread) {
  Part part;
  if (!kernel.shares_resources() || !is_free_running(kernel.program)) return part;
  const std::uint64_t threads = kernel.threads_per_work_group();
  const std::uint64_t max = draw_of(kernel)->origin == DrawOrigin::by_default ? 8 : 2;
  const std::uint64_t parts = std::max<std::uint64_t>(std::min(max, threads / 4), 1);
  for (std::uint64_t number = 1; number < parts; ++number) {
    const std::uint64_t first = number * threads / parts + (number * threads % parts > 0 ? 1 : 0);
    if (first <= thread) part = {number, static_cast<std::uint32_t>(first)};
  }
  return part;
}

WorkGroupId drawn_for(const ThreadKey& key) {
  return static_cast<WorkGroupId>(key.tile_group.value_or(key.work_group));
}

std::int64_t drawn(const Kernel& kernel, const ThreadKey& key, std::int64_t amount) {
  const Draw draw = *draw_of(kernel);
  std::uint32_t thread = draw.per == DrawPer::thread ? key.thread : 0;
  if (draw.origin == DrawOrigin::by_default) thread = part_of(kernel, key.thread).first;
  if (key.is_taken_alone) thread = 0;
  const WorkGroupId group = draw.per == DrawPer::launch ? WorkGroupId{0} : drawn_for(key);
  const auto billionths =
      static_cast<std::uint64_t>(FactorDraw(draw).factor({static_cast<LaunchId>(key.launch), group, thread}));
  const UInt128 product = static_cast<UInt128>(amount) * billionths + 500'000'000;
  return std::max<std::int64_t>(static_cast<std::int64_t>(product / 1'000'000'000), 1);
}

}  // namespace

std::optional<bool> is_served_first(const Workload& workload, const ThreadKey& key, bool is_in_loop) {
  const Kernel& kernel = kernel_of(workload, key);
  if (!draw_of(kernel)) return std::nullopt;
  const bool is_first = FactorDraw(*draw_of(kernel)).is_first(static_cast<LaunchId>(key.launch), drawn_for(key));
  return is_first != (is_in_loop && part_of(kernel, key.thread).number % 2 == 1);
}

std::int64_t varied_time(const DeviceSpec& device, const Workload& workload, const ThreadKey& key,
                         const std::vector<RepeatedTime>& parts) {
  const Kernel& kernel = kernel_of(workload, key);
  const auto written = written_for(kernel, key);
  const Hertz clock = device.clock.value_or(Hertz{1});
  if (written && written->duration) return resolve(*written->duration, clock, Decimal::whole(1)).value().count;
  std::int64_t sum = 0;
  const Decimal factor = written ? written->factor : Decimal::whole(1);
  for (const RepeatedTime& part : parts) {
    if (part.is_rounded_up)
      sum += round_product_up({part.time.amount, Decimal::whole(part.times), factor, of_wave(kernel, key)},
                              {kPicosecondsPerSecond, static_cast<UInt128>(clock.count)})
                 .value();
    else
      sum +=
          resolve(part.time, clock, factor, of_wave(kernel, key)).value().count * static_cast<std::int64_t>(part.times);
  }
  return written || !draw_of(kernel) ? sum : drawn(kernel, key, sum);
}

std::int64_t varied_bytes(const Workload& workload, const ThreadKey& key, std::int64_t bytes) {
  const Kernel& kernel = kernel_of(workload, key);
  const auto written = written_for(kernel, key);
  const Decimal factor = written ? written->factor : Decimal::whole(1);
  const std::int64_t all =
      round_product({Decimal::whole(static_cast<std::uint64_t>(bytes)), factor, of_wave(kernel, key)}).value();
  return written || !draw_of(kernel) ? all : drawn(kernel, key, all);
}

}  // namespace gdsim::oracle
