#include <gdsim/device/device_spec.hpp>

#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/dispatch_rules.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace gdsim {

std::string_view name_of(Resource resource) {
  switch (resource) {
    case Resource::threads: return "threads";
    case Resource::work_group_slots: return "work_group_slots";
    case Resource::slm: return "slm";
    case Resource::barriers: return "barriers";
    case Resource::registers: return "registers";
    case Resource::scalar_registers: return "scalar_registers";
  }
  return {};
}

std::uint64_t ResourceLimits::work_groups_per_core() const {
  std::optional<std::uint64_t> least;
  for (const std::optional<std::uint64_t>& limit : work_groups)
    if (limit) least = std::min(*limit, least.value_or(*limit));
  return least.value_or(0);
}

std::vector<Resource> ResourceLimits::limiters() const {
  std::vector<Resource> limiters;
  const std::uint64_t count = work_groups_per_core();
  for (std::size_t i = 0; i < work_groups.size(); ++i)
    if (work_groups[i] == count) limiters.push_back(static_cast<Resource>(i));
  return limiters;
}

namespace {

std::uint64_t round_up(std::uint64_t amount, std::uint64_t granule) {
  return (amount + granule - 1) / granule * granule;
}

}  // namespace

std::uint64_t RegisterRule::per_lane(std::uint64_t registers, std::uint64_t accumulation_registers) const {
  if (accumulation_registers == 0 || accumulation == Accumulation::none) return registers;
  if (accumulation == Accumulation::separate) return std::max(registers, accumulation_registers);
  return round_up(registers, accumulation_alignment) + accumulation_registers;
}

std::uint64_t RegisterRule::per_thread(std::uint64_t per_lane_registers, std::uint32_t sub_group) const {
  return round_up(per_lane_registers * sub_group, granule);
}

std::uint64_t ScalarRegisterRule::per_thread(std::uint64_t registers) const {
  return round_up(registers, granule) + reserve;
}

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

std::vector<CoreId> TieOrder::cores_of(std::uint32_t count) const {
  if (kind != Pattern::evens_then_odds) return cores;
  std::vector<CoreId> order;
  for (std::uint32_t parity = 0; parity < 2; ++parity)
    for (std::uint32_t core = parity; core < count; core += 2) order.push_back(CoreId{core});
  return order;
}

}  // namespace gdsim
