#include <gdsim/compare/phase_pairs.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The maximum number of comparisons, which take memory. Beyond it, phases in the middle of both runs have no partners.
constexpr std::size_t kMaxComparisons = 16'000'000;

/// Returns true if both are the same share of their devices, up to `tolerance`.
bool is_same_share(std::uint64_t a, std::uint64_t contexts_a, std::uint64_t b, std::uint64_t contexts_b,
                   const Ratio& tolerance) {
  const UInt128 of_a = UInt128{a} * contexts_b, of_b = UInt128{b} * contexts_a;
  const UInt128 difference = of_a > of_b ? of_a - of_b : of_b - of_a;
  return difference * tolerance.denominator <= tolerance.numerator * contexts_a * contexts_b;
}

class PhasePairing {
 public:
  PhasePairing(const PhasesOfRun& a, const PhasesOfRun& b) : a_(a), b_(b) {}

  std::vector<PhasePair> pairs() {
    std::size_t begin = 0, end_a = a_.phases.size(), end_b = b_.phases.size();
    while (begin < end_a && begin < end_b && is_same(begin, begin)) ++begin;
    while (end_a > begin && end_b > begin && is_same(end_a - 1, end_b - 1)) --end_a, --end_b;
    for (std::size_t i = 0; i < begin; ++i) pairs_.push_back({i, i});
    middle(begin, end_a, end_b);
    for (std::size_t i = 0; end_a + i < a_.phases.size(); ++i) pairs_.push_back({end_a + i, end_b + i});
    return std::move(pairs_);
  }

 private:
  bool is_same(std::size_t in_a, std::size_t in_b) const {
    return is_same_phase(a_.phases[in_a], a_.contexts, b_.phases[in_b], b_.contexts);
  }

  /// Finds the longest common subsequence of the part that differs.
  void middle(std::size_t begin, std::size_t end_a, std::size_t end_b) {
    const std::size_t rows = end_a - begin, columns = end_b - begin;
    std::vector<std::uint32_t> longest;
    const bool is_small = rows < kMaxComparisons / (columns + 1);
    if (is_small) longest.resize((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
      return longest[row * (columns + 1) + column];
    };
    for (std::size_t row = is_small ? rows : 0; row-- > 0;)
      for (std::size_t column = columns; column-- > 0;)
        at(row, column) = is_same(begin + row, begin + column) ? at(row + 1, column + 1) + 1
                                                               : std::max(at(row + 1, column), at(row, column + 1));
    std::size_t row = 0, column = 0;
    while (row < rows || column < columns) {
      if (is_small && row < rows && column < columns && is_same(begin + row, begin + column)) {
        pairs_.push_back({begin + row++, begin + column++});
      } else if (row < rows && (column == columns || !is_small || at(row + 1, column) >= at(row, column + 1))) {
        pairs_.push_back({begin + row++, std::nullopt});
      } else {
        pairs_.push_back({std::nullopt, begin + column++});
      }
    }
  }

  const PhasesOfRun& a_;
  const PhasesOfRun& b_;
  std::vector<PhasePair> pairs_;
};

}  // namespace

bool is_same_phase(const Phase& a, std::uint64_t contexts_a, const Phase& b, std::uint64_t contexts_b) {
  if (a.kind != b.kind) return false;
  const auto is_same = [&](std::uint64_t of_a, std::uint64_t of_b, const Ratio& tolerance) {
    return is_same_share(of_a, contexts_a, of_b, contexts_b, tolerance);
  };
  const Ratio band = PhaseRules{}.band;
  switch (a.kind) {
    case PhaseKind::constant: return is_same(a.resident, b.resident, {0, 1});
    case PhaseKind::band: return is_same(a.resident, b.resident, band);
    default: return is_same(a.min_resident, b.min_resident, band) && is_same(a.max_resident, b.max_resident, band);
  }
}

std::vector<PhasePair> pair_phases(const PhasesOfRun& a, const PhasesOfRun& b) { return PhasePairing(a, b).pairs(); }

}  // namespace gdsim
