#include <gdsim/host/copy_duration.hpp>

namespace gdsim {

std::optional<Duration> duration_of(const Copy& copy, const CopyRule& rule) {
  const auto passing = round_product({Decimal::whole(static_cast<std::uint64_t>(copy.bytes.count))},
                                     {kPicosecondsPerSecond, static_cast<UInt128>(rule.bandwidth.count)});
  Duration sum;
  if (!passing || __builtin_add_overflow(*passing, rule.latency.count, &sum.count)) return std::nullopt;
  return sum;
}

}  // namespace gdsim
