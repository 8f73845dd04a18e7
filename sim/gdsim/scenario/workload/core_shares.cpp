#include <gdsim/scenario/workload/core_shares.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/scenario/keys/keys.hpp>

#include <string>

namespace gdsim {
namespace {

CoreRange range_of(std::uint64_t first, std::uint64_t behind) {
  return {CoreId{static_cast<std::uint32_t>(first)}, CoreId{static_cast<std::uint32_t>(behind - 1)}};
}

}  // namespace

CoreSelection CoreShares::own_cores(const YamlNode& node, const ValueReader& values) {
  const MapReader map(node, "cores", keys::kOwnCores, values);
  std::uint32_t count = 0;
  std::uint32_t granule = 1;
  map.read_required("count", count, &ValueReader::whole32, 1U);
  map.read("granule", granule, &ValueReader::whole32, 1U);
  if (!cores_ || count == 0 || granule == 0) return {};
  const std::uint64_t whole = (std::uint64_t{count} + granule - 1) / granule * granule;
  if (next_ + whole > *cores_) {
    values.fail(node, "cores",
                "needs " + std::to_string(whole) + " cores, but the earlier queues leave only " +
                    std::to_string(*cores_ - next_) + " of " + std::to_string(*cores_));
    return {};
  }
  const CoreRange range = range_of(next_, next_ + whole);
  next_ += static_cast<std::uint32_t>(whole);
  return {range};
}

CoreSelection CoreShares::share(const YamlNode& node, const ValueReader& values) {
  const auto text = percent_number(node);
  const ParsedDecimal percent = text ? parse_decimal(*text) : ParsedDecimal{};
  const bool is_share = percent.value && !percent.value->is_zero() && compare(*percent.value, Decimal::whole(100)) <= 0;
  if (!is_share) {
    values.fail(node, "share", "is " + describe(node) + "; a share must be above 0 % and at most 100 %: `share: 50 %`");
    return {};
  }
  if (!cores_ || *cores_ == 0) return {};
  const auto count = static_cast<std::uint64_t>(round_product_up({*percent.value}, {*cores_, 100}).value_or(*cores_));
  const std::uint64_t first = next_ % *cores_;
  const std::uint64_t behind = first + count;
  next_ = static_cast<std::uint32_t>(behind % *cores_);
  if (behind <= *cores_) return {range_of(first, behind)};
  return normalized({range_of(first, *cores_), range_of(0, behind - *cores_)});
}

}  // namespace gdsim
