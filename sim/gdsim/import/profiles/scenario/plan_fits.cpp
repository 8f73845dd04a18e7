#include <gdsim/import/profiles/scenario/plan_fits.hpp>

#include <gdsim/compile/compile.hpp>
#include <gdsim/device/clock_schedule.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/profiles/scenario/plan_devices.hpp>
#include <gdsim/import/profiles/scenario/plan_times.hpp>
#include <gdsim/occupancy/occupancy.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gdsim {
namespace {

constexpr std::uint64_t kPartsOfWork = 1'000'000;
constexpr std::uint64_t kMax = 10'000 * kPartsOfWork;
constexpr unsigned kMaxWorkFits = 16;
constexpr std::int64_t kTolerance = 1'000;  ///< a thousandth of the measured time

std::int64_t distance(Duration a, Duration b) { return std::max((a - b).count, (b - a).count); }

}  // namespace

WorkFit::WorkFit(const DeviceSpec& device, const Kernel& kernel, CountedWork work, StopToken stop)
    : device_(device), kernel_(kernel), work_(std::move(work)), stop_(std::move(stop)) {}

Duration WorkFit::lasts(std::uint64_t millionths) {
  set_counted_work(work_, millionths, kernel_);
  const Duration lasts = lone_duration(device_, kernel_, stop_);
  known_.emplace(millionths, lasts);
  return lasts;
}

/// Interpolates linearly between the nearest known points; with points on one side only, scales in proportion.
std::uint64_t WorkFit::next_guess(Duration measured) const {
  const auto above = std::find_if(known_.begin(), known_.end(), [&](const auto& one) { return one.second > measured; });
  if (above == known_.begin() || above == known_.end()) {
    const auto& [factor, lasts] = above == known_.begin() ? *above : *std::prev(above);
    const auto scaled = UInt128{factor} * static_cast<std::uint64_t>(measured.count) /
                        static_cast<std::uint64_t>(std::max<std::int64_t>(lasts.count, 1));
    // The time of dispatching is not in proportion, so the guess goes further.
    const UInt128 further = above == known_.begin() ? scaled - scaled / 8 : scaled + scaled / 8;
    return static_cast<std::uint64_t>(std::clamp<UInt128>(further, 1, kMax));
  }
  const auto below = std::prev(above);
  const std::int64_t height = (above->second - below->second).count;
  const std::uint64_t width = above->first - below->first;
  const auto step =
      static_cast<std::uint64_t>(UInt128{width} * static_cast<std::uint64_t>((measured - below->second).count) /
                                 static_cast<std::uint64_t>(std::max<std::int64_t>(height, 1)));
  return below->first + std::clamp<std::uint64_t>(step, width / 16, width - width / 16);
}

FittedWork WorkFit::fit(Duration measured) {
  if (known_.empty()) lasts(kPartsOfWork);
  const auto nearest = [&] {
    return std::min_element(known_.begin(), known_.end(), [&](const auto& a, const auto& b) {
      return distance(a.second, measured) < distance(b.second, measured);
    });
  };
  for (unsigned i = 0; i < kMaxWorkFits && distance(nearest()->second, measured) > measured.count / kTolerance; ++i) {
    const std::uint64_t guess = next_guess(measured);
    if (known_.contains(guess)) break;
    lasts(guess);
  }
  const auto found = nearest();
  return {found->first, found->second};
}

namespace {

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kThousand = 1'000;
constexpr std::uint64_t kMaxIterations = 32;
/// The minimum number of instructions in an iteration. Rounding would be too coarse for fewer.
constexpr std::uint64_t kMinInstructions = 50;
constexpr std::uint64_t kUsualInFlight = 256;

std::uint64_t rounded(UInt128 dividend, UInt128 divisor) {
  return static_cast<std::uint64_t>((dividend + divisor / 2) / divisor);
}

/// A thread requests `in_flight` bytes at a time and executes instructions in between.
std::uint64_t iterations_of(const CountedWork& work, const DeviceSpec& device) {
  const std::uint64_t in_flight =
      device.memory->in_flight ? static_cast<std::uint64_t>(device.memory->in_flight->count) : kUsualInFlight;
  const std::uint64_t most = std::min(kMaxIterations, work.instructions / kThousand / kMinInstructions);
  return std::clamp<std::uint64_t>(work.bytes / std::max<std::uint64_t>(in_flight, 1), 1,
                                   std::max<std::uint64_t>(most, 1));
}

/// The second to last level serves min(capacity, W) / W of the repeated accesses to W bytes.
void share_caches(const ProfiledCounters& counters, const DeviceSpec& device, CountedWork& work) {
  if (counters.memory_bytes >= counters.cache_bytes || device.memory->levels.size() < 2) return;
  const MemoryLevel& cache = device.memory->levels[device.memory->levels.size() - 2];
  if (!cache.capacity) return;
  const std::uint64_t cached = counters.cache_bytes - counters.memory_bytes;
  const UInt128 set = UInt128{static_cast<std::uint64_t>(cache.capacity->count)} * counters.cache_bytes / cached;
  if (set > kMaxProfiledBytes) return;
  work.shared_working_set = Bytes{static_cast<std::int64_t>(set)};
  work.cached_hundredths = rounded(UInt128{cached} * 10'000, counters.cache_bytes);
}

}  // namespace

std::optional<CountedWork> counted_work(const ProfiledCounters& counters, const Kernel& kernel,
                                        const DeviceSpec& device) {
  const std::uint64_t threads = kernel.threads_total();
  if (!device.memory || device.memory->levels.empty() || !device.clock || threads == 0 || threads > kMaxCountedThreads)
    return std::nullopt;
  CountedWork work;
  work.bytes = rounded(counters.cache_bytes, threads);
  work.instructions = rounded(UInt128{counters.instructions} * kThousand, threads);
  for (const auto& [kind, count] : counters.by_kind)
    if (rate_of(device.arithmetic, kind) != nullptr)
      work.by_kind.emplace_back(kind, rounded(UInt128{count} * kThousand, threads));
  share_caches(counters, device, work);
  work.iterations = iterations_of(work, device);
  return work;
}

void set_counted_work(const CountedWork& work, std::uint64_t millionths, Kernel& kernel) {
  const UInt128 parts = UInt128{kMillion} * work.iterations;
  Program body;
  body.reserve(3);
  if (const std::uint64_t bytes = rounded(UInt128{work.bytes} * millionths, parts); bytes > 0)
    body.emplace_back(Memory{Bytes{static_cast<std::int64_t>(bytes)}});
  IssueSlots kinds;
  std::uint64_t counted = 0;  // thousandths
  for (const auto& [kind, count] : work.by_kind)
    if (const std::uint64_t some = rounded(UInt128{count} * millionths, parts * kThousand); some > 0) {
      kinds.by_kind.push_back({kind, some});
      counted += some * kThousand;
    }
  if (!kinds.by_kind.empty()) body.emplace_back(std::move(kinds));
  // Each of the other instructions takes an issue slot.
  const std::uint64_t all = std::max<std::uint64_t>(rounded(UInt128{work.instructions} * millionths, parts), 1);
  if (all > counted) body.emplace_back(IssueSlots{StepTime{Decimal{all - counted, -3}, StepTime::Unit::cycles}, {}});
  if (work.iterations == 1) {
    kernel.program = std::move(body);
  } else {
    kernel.program.clear();
    kernel.program.emplace_back(Loop{work.iterations, std::move(body)});
  }
  kernel.has_placeholder = false;
  kernel.shared_working_set = work.shared_working_set;
}

namespace {

constexpr std::int64_t kFitTolerance = 10'000;  ///< a ten-thousandth of the measured time
constexpr unsigned kMaxFits = 80;
constexpr unsigned kSecants = 12;  ///< after this many, every second guess bisects

}  // namespace

DurationFit::DurationFit(const DeviceSpec& device, Kernel kernel, StopToken stop)
    : device_(device), kernel_(std::move(kernel)), stop_(std::move(stop)), groups_(kernel_.range.group_count()) {
  kernel_.program = {Compute{StepTime{Decimal::whole(1), StepTime::Unit::picoseconds}}};
  const Compilation ready = compile(device_, lone_launch(kernel_));
  if (!ready) {
    refusals_ = ready.issues();
    return;
  }
  const Occupancy occupancy = occupancy_of(kernel_, device_, GlobalSize::given);
  at_once_ = occupancy.work_groups_per_core * std::uint64_t{device_.cores};
  if (at_once_ > 0) waves_ = static_cast<std::int64_t>(std::min<std::uint64_t>((groups_ - 1) / at_once_ + 1, 1U << 30));
  recovery_ = recovery_of(device_);
  may_compute_ = has_equal_waves();
}

bool DurationFit::has_equal_waves() const {
  const DispatchRules& rules = device_.dispatch;
  return at_once_ > 0 && waves_ < (1 << 30) && rules.admission == Admission::whole && kernel_.cluster.empty() &&
         kernel_.cluster_size() <= 1 && rules.own_placements.empty() && !clock_may_change(device_) &&
         (!rules.partition || has_equal_groups(device_));
}

/// Simulates the launch with the first `groups` of its work-groups.
Duration DurationFit::simulate(Duration compute, std::uint64_t groups) {
  Kernel kernel = kernel_;
  kernel.program = {
      Compute{StepTime{Decimal::whole(static_cast<std::uint64_t>(compute.count)), StepTime::Unit::picoseconds}}};
  if (groups != groups_)
    kernel.range.global = {kernel.range.local[0], kernel.range.local[1], kernel.range.local[2] * groups};
  ++simulated_;
  simulated_groups_ += groups;
  return lone_duration(device_, kernel, stop_);
}

/// Returns the launch's duration by the rule, or nullopt if the rule is not known to hold for this computing time.
std::optional<Duration> DurationFit::by_waves(Duration compute) {
  if (!may_compute_ || compute <= dispatched_) return std::nullopt;
  if (!least_by_waves_ || compute < *least_by_waves_) {
    const std::uint64_t last_wave = (groups_ - 1) % at_once_ + 1;
    const Duration one = simulate(compute, last_wave);
    if (waves_ > 1 && simulate(compute, last_wave + at_once_) != one + compute + recovery_) {
      dispatched_ = compute;
      return std::nullopt;
    }
    least_by_waves_ = compute;
    constant_ = one - compute;
  }
  return constant_ + compute + times(compute + recovery_, static_cast<std::uint64_t>(waves_ - 1));
}

Duration DurationFit::lasts(Duration compute) {
  if (const auto known = known_.find(compute); known != known_.end()) return known->second;
  const std::optional<Duration> computed = by_waves(compute);
  const Duration lasts = computed ? *computed : simulate(compute, groups_);
  known_.emplace(compute, lasts);
  Duration& longest = by_lasts_[lasts];
  longest = std::max(longest, compute);
  return lasts;
}

/// Returns true if a simulation of the last waves gives what the rule says. Verifies the rule once.
bool DurationFit::holds(Duration compute) {
  if (is_verified_ || !may_compute_ || !least_by_waves_ || compute <= *least_by_waves_) return true;
  const std::uint64_t waves = std::min<std::uint64_t>(static_cast<std::uint64_t>(waves_), 2);
  is_verified_ = simulate(compute, (groups_ - 1) % at_once_ + 1 + (waves - 1) * at_once_) ==
                 constant_ + compute + times(compute + recovery_, waves - 1);
  return is_verified_;
}

/// Returns a computing time with which the launch is shorter than measured, so that most others are longer.
Duration DurationFit::first_guess(Duration measured) const {
  const Duration least = measured - launch_cost_of(device_) - times(recovery_, static_cast<std::uint64_t>(waves_ - 1));
  const Duration other = measured - launch_cost_of(device_);
  return {std::max((least.count > 0 ? least : other).count / waves_ / 8 * 7, kLeast.count)};
}

/// Interpolates linearly between the longest computing known to be short enough and the shortest known to be too long,
/// or bisects if that did not help. If one of them is unknown, the slope is the number of waves of work-groups that
/// fit.
Duration DurationFit::next_guess(Duration measured, unsigned attempt) const {
  const auto above = by_lasts_.upper_bound(measured);
  const bool has_above = above != by_lasts_.end();
  if (above == by_lasts_.begin()) {
    if (!has_above) return first_guess(measured);
    const std::int64_t excess = above->first.count - measured.count;
    const std::int64_t step = attempt > kSecants ? above->second.count / 2 + 1 : excess / waves_ + 1;
    return {std::max<std::int64_t>(above->second.count - step, kLeast.count)};
  }
  const auto below = std::prev(above);
  const std::int64_t missing = measured.count - below->first.count;
  if (!has_above) return {below->second.count + std::max<std::int64_t>(missing / waves_, 1)};
  const Int128 width = Int128{above->second.count} - below->second.count;
  if (width <= 1) return below->second;
  Int128 step = Int128{missing} * width / (above->first.count - below->first.count);
  if (attempt > kSecants && attempt % 2 == 0) step = width / 2;
  return {below->second.count + static_cast<std::int64_t>(std::clamp<Int128>(step, 1, width - 1))};
}

FittedDuration DurationFit::fit(Duration measured) {
  const FittedDuration found = search(measured);
  if (holds(found.compute)) return found;
  may_compute_ = false;
  known_.clear();
  by_lasts_.clear();
  return search(measured);
}

FittedDuration DurationFit::search(Duration measured) {
  for (unsigned attempt = 0; attempt < kMaxFits; ++attempt) {
    const auto above = by_lasts_.upper_bound(measured);
    if (above != by_lasts_.begin() && measured - std::prev(above)->first <= Duration{measured.count / kFitTolerance})
      break;
    const Duration guess = next_guess(measured, attempt);
    if (known_.contains(guess)) break;  // no value lies between, or none is shorter
    lasts(guess);
  }
  const auto above = by_lasts_.upper_bound(measured);
  if (above == by_lasts_.begin()) return fitted(kLeast, lasts(kLeast));
  return fitted(std::prev(above)->second, std::prev(above)->first);
}

FittedDuration DurationFit::fitted(Duration compute, Duration lasts) const {
  const Duration computing = times(compute, static_cast<std::uint64_t>(waves_));
  return {compute, lasts, std::max(lasts - computing, Duration{})};
}

}  // namespace gdsim
