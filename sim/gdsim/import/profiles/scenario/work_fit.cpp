#include <gdsim/import/profiles/scenario/work_fit.hpp>

#include <gdsim/device/device_rules.hpp>
#include <gdsim/import/profiles/scenario/plan_check.hpp>

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

}  // namespace gdsim
