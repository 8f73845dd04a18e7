#include <gdsim/device/core_resources.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace gdsim {
namespace {

constexpr std::int64_t divide_up(std::int64_t amount, std::int64_t by) { return (amount + by - 1) / by; }

/// Returns the smallest step that is not below `amount`, or nullopt if all steps are below it.
std::optional<Bytes> step_up(const std::vector<Bytes>& steps, Bytes amount) {
  const auto step = std::lower_bound(steps.begin(), steps.end(), amount);
  if (step == steps.end()) return std::nullopt;
  return *step;
}

}  // namespace

std::optional<Bytes> SlmRule::allocated(Bytes request) const {
  if (sizes.empty()) return Bytes{divide_up(request.count, granule.count) * granule.count} + reserve;
  const auto size = request.count == 0 ? Bytes{} : step_up(sizes, request);
  if (!size) return std::nullopt;
  return *size + reserve;
}

Bytes SlmRule::pool(std::optional<std::uint32_t> carveout_percent, Bytes allocated) const {
  if (!carveout_percent || pools.empty()) return per_core;
  const Bytes wished{divide_up(per_core.count * *carveout_percent, 100)};
  const Bytes chosen = step_up(pools, wished).value_or(per_core);
  return chosen >= allocated ? chosen : step_up(pools, allocated).value_or(per_core);
}

std::uint64_t cycles_per_access(const SlmAccess& slm, std::uint32_t sub_group, std::uint64_t stride,
                                std::uint64_t bytes) {
  const auto width = static_cast<std::uint64_t>(slm.bank_width.count);
  std::set<std::uint64_t> words;
  for (std::uint64_t lane = 0; lane < sub_group; ++lane) {
    const std::uint64_t first = lane * stride * bytes;
    for (std::uint64_t word = first / width; word <= (first + bytes - 1) / width; ++word) words.insert(word);
  }
  std::vector<std::uint64_t> words_of_bank(slm.banks, 0);
  for (const std::uint64_t word : words) ++words_of_bank[word % slm.banks];
  return *std::max_element(words_of_bank.begin(), words_of_bank.end());
}

}  // namespace gdsim
