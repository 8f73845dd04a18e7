#include <gdsim/probe_model/probed_model.hpp>

#include <gdsim/base/decimal.hpp>

#include <algorithm>
#include <cstddef>

namespace gdsim {

std::optional<SampleSummary> summary_of(std::vector<std::int64_t> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  const std::size_t last = samples.size() - 1;
  const auto between = [&](std::size_t a, std::size_t b) { return samples[a] + (samples[b] - samples[a]) / 2; };
  return SampleSummary{samples.size(), samples[last / 4], between(last / 2, samples.size() / 2),
                       samples[last - last / 4]};
}

std::string rounded_thousandths(std::int64_t thousandths, int digits) {
  const bool is_negative = thousandths < 0;
  auto magnitude = static_cast<std::uint64_t>(is_negative ? -thousandths : thousandths);
  std::uint64_t limit = 1;
  for (int i = 0; i < digits; ++i) limit *= 10;
  int exponent = -3;
  while (magnitude >= limit) {
    magnitude = magnitude / 10 + (magnitude % 10 >= 5 ? 1 : 0);
    ++exponent;
  }
  return (is_negative ? "-" : "") + to_text(Decimal{magnitude, exponent});
}

}  // namespace gdsim
