#include <gdsim/program/drift.hpp>

#include <algorithm>
#include <optional>

namespace gdsim {
namespace {

/// Minimum number of threads of a part. Of smaller work-groups, several are resident, and drift apart as wholes.
constexpr std::uint64_t kMinThreads = 4;

}  // namespace

std::uint32_t lanes_of(const Kernel& kernel, std::uint32_t thread) {
  const std::uint64_t before = std::uint64_t{thread} * kernel.sub_group;
  const std::uint64_t left = kernel.range.group_size() - std::min(before, kernel.range.group_size() - 1);
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel.sub_group, left));
}

std::vector<std::uint32_t> first_threads(const Kernel& kernel) {
  std::vector<std::uint32_t> cuts{0};
  const bool does_something_per_lane = has_step<Slm>(kernel.program) || has_step<Atomic>(kernel.program);
  if (does_something_per_lane && kernel.range.group_size() % kernel.sub_group != 0)
    cuts.push_back(static_cast<std::uint32_t>(kernel.threads_per_work_group() - 1));
  for_each_step(kernel.program, [&](const Step& step) {
    if (const auto* only = std::get_if<Only>(&step))
      for (const ThreadRange& range : only->threads) cuts.insert(cuts.end(), {range.first, range.last + 1});
  });
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  const auto threads = static_cast<std::uint32_t>(kernel.threads_per_work_group());
  std::erase_if(cuts, [threads](std::uint32_t cut) { return cut > 0 && cut >= threads; });
  return cuts;
}

std::vector<std::uint32_t> drift_parts(const Kernel& kernel) {
  const std::optional<Draw> draw = draw_in_force(kernel);
  if (!draw || !kernel.shares_resources() || !kernel.is_free_running()) return {0};
  const std::uint64_t threads = kernel.threads_per_work_group();
  const std::uint64_t max = draw->origin == DrawOrigin::by_default ? 8 : 2;
  const std::uint64_t parts = std::clamp<std::uint64_t>(threads / kMinThreads, 1, max);
  std::vector<std::uint32_t> first;
  for (std::uint64_t part = 0; part < parts; ++part)
    first.push_back(static_cast<std::uint32_t>((part * threads + parts - 1) / parts));
  return first;
}

std::uint64_t scaled_wide(std::int64_t amount, DrawnFactor factor) {
  constexpr std::uint64_t one = static_cast<std::uint64_t>(kNoFactor);
  const UInt128 product = static_cast<UInt128>(amount) * static_cast<std::uint64_t>(factor);
  const UInt128 rounded = (product + one / 2) / one;
  if (rounded > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max())) return kTimeOverflow;
  return std::max<std::uint64_t>(static_cast<std::uint64_t>(rounded), 1);
}

}  // namespace gdsim
