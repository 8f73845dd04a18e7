#include <gdsim/infer/batch_space.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace gdsim {
namespace {

constexpr std::array<std::uint32_t, 4> kSizes{2, 3, 4, 8};
constexpr std::uint64_t kMaxPerCore = 4;
constexpr std::uint64_t kMaxPlus = 8;

struct Threshold {
  PerCoreCount simplest;
  std::uint64_t count = 0;  ///< number of thresholds with the same effect
};

/// One threshold for each interval between two values: the simplest, which has the smallest `plus`.
std::vector<Threshold> thresholds(const std::set<std::uint64_t>& values, std::uint64_t cores) {
  std::map<std::uint64_t, Threshold> by_effect;  // by the lowest value that reaches it, or the maximum if none does
  for (std::uint64_t plus = 0; plus <= kMaxPlus; ++plus)
    for (std::uint64_t per_core = 0; per_core <= kMaxPerCore; ++per_core) {
      const PerCoreCount one{per_core, plus};
      const auto reached = values.lower_bound(one.on(cores));
      const std::uint64_t effect = reached == values.end() ? UINT64_MAX : *reached;
      Threshold& threshold = by_effect[effect];
      if (threshold.count++ == 0) threshold.simplest = one;
    }
  std::vector<Threshold> found;
  for (const auto& [effect, threshold] : by_effect)
    if (effect != UINT64_MAX) found.push_back(threshold);
  return found;
}

}  // namespace

std::vector<BatchVariant> batch_variants(const std::vector<Replay>& replays, std::uint64_t cores) {
  std::set<std::uint64_t> grids;
  std::set<std::uint64_t> lefts;
  const std::uint64_t highest = kMaxPerCore * cores + kMaxPlus;
  for (const Replay& replay : replays)
    for (const ReplayStep& step : replay.steps) {
      grids.insert(step.grid);
      const std::uint64_t left = step.grid - std::min(step.grid, step.dispatched);
      lefts.insert(std::min(left, highest));
    }
  std::vector<BatchVariant> variants{{std::nullopt, 1}};
  const std::uint64_t all = (kMaxPerCore + 1) * (kMaxPlus + 1);
  std::uint64_t in_force = 0;
  for (const std::uint32_t size : kSizes)
    for (const Threshold& grid : thresholds(grids, cores))
      for (const Threshold& left : thresholds(lefts, cores)) {
        variants.push_back({BatchRule{size, grid.simplest, left.simplest}, grid.count * left.count});
        in_force += grid.count * left.count;
      }
  variants.front().rules += kSizes.size() * all * all - in_force;  // thresholds that no launch reaches
  return variants;
}

DecisionBits batched(const std::vector<Replay>& replays, const BatchRule& rule, std::uint64_t cores,
                     std::size_t decisions) {
  DecisionBits bits(decisions);
  for (const Replay& replay : replays) {
    std::uint32_t more = 0;  // work-groups left in the batch
    for (const ReplayStep& step : replay.steps) {
      const bool is_batched = more > 0 && step.continues_launch && step.previous_fits;
      if (is_batched) bits.set(step.bit);
      if (is_batched && step.repeats_core) {
        --more;
        continue;
      }
      const std::uint64_t left = step.grid - std::min(step.grid, step.dispatched);
      const bool begins = step.grid >= rule.grid_at_least.on(cores) && left >= rule.left_at_least.on(cores);
      more = begins ? rule.work_groups - 1 : 0;
    }
  }
  return bits;
}

}  // namespace gdsim
