#include <gdsim/analysis/run_bands.hpp>

#include <gdsim/base/decimal.hpp>

namespace gdsim {

std::vector<BandRow> band_rows(const Repetitions& repetitions) {
  std::vector<BandRow> rows;
  if (repetitions.runs.empty()) return rows;
  for (const Band& band : repetitions.bands) {
    const UInt128 whole = static_cast<UInt128>((band.end - band.begin).count) * repetitions.contexts_total;
    const auto percent = [&](Int128 integral, UInt128 runs) {
      const UInt128 divisor = whole * runs;
      return static_cast<std::uint64_t>((2 * static_cast<UInt128>(integral) * 100 * BandRow::kPerPercent + divisor) /
                                        (2 * divisor));
    };
    const Spread<Int128>& spread = band.resident_time;
    rows.push_back({band.begin,
                    band.end,
                    {percent(band.sum, repetitions.runs.size()), percent(spread.min, 1), percent(spread.p5, 1),
                     percent(spread.p50, 1), percent(spread.p95, 1), percent(spread.max, 1)}});
  }
  return rows;
}

}  // namespace gdsim
