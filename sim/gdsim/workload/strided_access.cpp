#include <gdsim/workload/strided_access.hpp>

#include <gdsim/base/decimal.hpp>

#include <limits>
#include <numeric>

namespace gdsim {
namespace {

/// Returns the number of lines of `line` bytes that contain the `bytes` bytes from `begin` on.
UInt128 lines_of(UInt128 begin, UInt128 bytes, UInt128 line) { return (begin + bytes - 1) / line - begin / line + 1; }

/// Returns the number of lines of elements that are so far apart that no line holds bytes of two of them.
UInt128 lines_of_far_elements(UInt128 lanes, UInt128 distance, UInt128 element, UInt128 line) {
  const UInt128 period = line / std::gcd(static_cast<std::uint64_t>(distance % line), static_cast<std::uint64_t>(line));
  UInt128 all = 0;
  UInt128 of_rest = 0;
  for (UInt128 lane = 0; lane < period; ++lane) {
    if (lane == lanes % period) of_rest = all;
    all += lines_of(distance % line * lane % line, element, line);
  }
  return lanes / period * all + of_rest;
}

}  // namespace

std::optional<Bytes> strided_bytes(const StridedAccess& access, std::uint32_t lanes, Bytes line) {
  if (access.element.count <= 0 || line.count <= 0) return std::nullopt;
  if (access.elements == 0 || lanes == 0) return Bytes{0};
  const auto element = static_cast<UInt128>(access.element.count);
  const auto bytes_of_line = static_cast<UInt128>(line.count);
  const UInt128 distance = element * access.stride;
  constexpr auto max = static_cast<UInt128>(std::numeric_limits<std::int64_t>::max());
  // No whole line lies between neighbours: all lines from the first lane to the next thread's first lane are moved.
  const UInt128 of_access = distance == 0 ? lines_of(0, element, bytes_of_line) * bytes_of_line
                            : distance < element + bytes_of_line
                                ? distance * lanes
                                : lines_of_far_elements(lanes, distance, element, bytes_of_line) * bytes_of_line;
  if (of_access > max || of_access > max / access.elements) return std::nullopt;
  return Bytes{static_cast<std::int64_t>(of_access * access.elements)};
}

}  // namespace gdsim
