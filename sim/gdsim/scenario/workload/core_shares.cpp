#include <gdsim/scenario/workload/core_shares.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/scenario/keys/keys.hpp>

#include <string>
#include <utility>

namespace gdsim {
namespace {

CoreSelection selection_of(const std::vector<std::uint32_t>& cores) {
  CoreSelection selection;
  for (const std::uint32_t core : cores) selection.push_back({CoreId{core}, CoreId{core}});
  return normalized(std::move(selection));
}

}  // namespace

CoreShares::CoreShares(std::optional<std::uint32_t> cores)
    : cores_(cores), is_named_(cores.value_or(0)), is_owned_(cores.value_or(0)) {}

void CoreShares::name(const CoreSelection& cores) {
  for (const CoreRange& range : cores)
    for (std::size_t core = index_of(range.first); core <= index_of(range.last) && core < is_named_.size(); ++core)
      is_named_[core] = true;
}

CoreSelection CoreShares::own_cores(const YamlNode& node, const ValueReader& values) {
  const MapReader map(node, "cores", keys::kOwnCores, values);
  std::uint32_t count = 0;
  std::uint32_t granule = 1;
  map.read_required("count", count, &ValueReader::whole32, 1U);
  map.read("granule", granule, &ValueReader::whole32, 1U);
  if (!cores_ || count == 0 || granule == 0) return {};
  const std::uint64_t whole = (std::uint64_t{count} + granule - 1) / granule * granule;
  std::vector<std::uint32_t> free;
  for (std::uint32_t core = 0; core < *cores_; ++core)
    if (!is_named_[core] && !is_owned_[core]) free.push_back(core);
  if (whole > free.size()) {
    values.fail(node, "cores",
                "needs " + std::to_string(whole) + " cores, but the other queues leave only " +
                    std::to_string(free.size()) + " of " + std::to_string(*cores_));
    return {};
  }
  free.resize(static_cast<std::size_t>(whole));
  for (const std::uint32_t core : free) is_owned_[core] = true;
  return selection_of(free);
}

CoreSelection CoreShares::share(const YamlNode& node, const ValueReader& values) {
  const auto text = percent_number(node);
  const Parsed<Decimal> percent = text ? parse_decimal(*text) : Parsed<Decimal>{};
  const bool is_share = percent.value && !percent.value->is_zero() && compare(*percent.value, Decimal::whole(100)) <= 0;
  if (!is_share) {
    values.fail(node, "share", "is " + describe(node) + "; a share must be above 0 % and at most 100 %: `share: 50 %`");
    return {};
  }
  if (!cores_ || *cores_ == 0) return {};
  const auto count = static_cast<std::uint64_t>(
      round_product_up({*percent.value}, {*cores_, 100}).value_or(static_cast<std::int64_t>(*cores_)));
  std::vector<std::uint32_t> ring;
  for (std::uint32_t core = 0; core < *cores_; ++core)
    if (!is_owned_[core]) ring.push_back(core);
  if (count > ring.size()) {
    values.fail(node, "share",
                "is " + std::to_string(count) + " cores, but queues with `cores: {count}` leave only " +
                    std::to_string(ring.size()) + " of " + std::to_string(*cores_));
    return {};
  }
  std::vector<std::uint32_t> taken;
  for (std::uint64_t i = 0; i < count; ++i) taken.push_back(ring[(next_ + i) % ring.size()]);
  next_ = (next_ + count) % ring.size();
  return selection_of(taken);
}

}  // namespace gdsim
