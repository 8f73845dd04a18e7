#include <gdsim/workload/strided_access.hpp>

#include <gdsim/base/decimal.hpp>

#include <limits>

namespace gdsim {
namespace {

UInt128 divided_up(UInt128 amount, UInt128 by) { return (amount + by - 1) / by; }

}  // namespace

std::optional<Bytes> strided_bytes(const StridedAccess& access, std::uint32_t lanes, Bytes line) {
  if (access.element.count <= 0 || line.count <= 0) return std::nullopt;
  if (access.elements == 0 || lanes == 0) return Bytes{0};
  const auto element = static_cast<UInt128>(access.element.count);
  const auto bytes_of_line = static_cast<UInt128>(line.count);
  const UInt128 distance = element * access.stride;
  const UInt128 lines = distance >= bytes_of_line ? lanes * divided_up(element, bytes_of_line)
                                                  : divided_up(distance * (lanes - 1) + element, bytes_of_line);
  constexpr auto most = static_cast<UInt128>(std::numeric_limits<std::int64_t>::max());
  const UInt128 of_access = lines * bytes_of_line;
  if (of_access > most || of_access > most / access.elements) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(of_access * access.elements)};
}

}  // namespace gdsim
