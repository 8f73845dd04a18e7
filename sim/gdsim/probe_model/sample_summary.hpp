#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gdsim {

/// Samples of one figure, in thousandths of its unit: their number, their median, and the range of the middle half.
struct SampleSummary {
  std::uint64_t count = 0;
  std::int64_t low = 0;  ///< a quarter of the samples are below
  std::int64_t median = 0;
  std::int64_t high = 0;  ///< a quarter of the samples are above
};

/// Nothing if there are none.
std::optional<SampleSummary> summary_of(std::vector<std::int64_t> samples);

/// `468`, `1.19`: thousandths as a decimal number, rounded to `digits` significant digits.
std::string rounded_thousandths(std::int64_t thousandths, int digits);

}  // namespace gdsim
