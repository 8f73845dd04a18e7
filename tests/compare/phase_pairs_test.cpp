#include <gdsim/compare/run_diff.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;

// Which phases of two runs are the same thing.

namespace {

Phase constant(std::uint64_t resident) {
  Phase phase;
  phase.resident = phase.min_resident = phase.max_resident = resident;
  phase.end = SimTime{1};
  return phase;
}

Phase of_kind(PhaseShape kind, std::uint64_t min, std::uint64_t max) {
  Phase phase = constant((min + max) / 2);
  phase.kind = kind;
  phase.min_resident = min;
  phase.max_resident = max;
  return phase;
}

/// `0=1 1- -2`: pairs, and what only one of both has.
std::string pairs(const std::vector<Phase>& a, const std::vector<Phase>& b) {
  std::string text;
  for (const PhasePair& pair : pair_phases({a, 1'000}, {b, 1'000}))
    text += (text.empty() ? "" : " ") + (pair.a ? std::to_string(*pair.a) : "") + (pair.a && pair.b ? "=" : "-") +
            (pair.b ? std::to_string(*pair.b) : "");
  return text;
}

}  // namespace

TEST_CASE("constant phases are the same thing if they hold the same share of their devices") {
  CHECK(is_same_phase(constant(304), 672, constant(304), 672));
  CHECK_FALSE(is_same_phase(constant(304), 672, constant(303), 672));
  CHECK_FALSE(is_same_phase(constant(304), 672, constant(304), 1'344));
  CHECK(is_same_phase(constant(304), 672, constant(608), 1'344));
}

TEST_CASE("phases of one kind are the same thing if they lie as near to each other as a band is high") {
  const auto same = [](const Phase& a, const Phase& b) { return is_same_phase(a, 1'000, b, 1'000); };
  const Phase tail = of_kind(PhaseShape::tail, 0, 500);
  CHECK(same(tail, of_kind(PhaseShape::tail, 25, 525)));
  CHECK_FALSE(same(tail, of_kind(PhaseShape::tail, 0, 526)));
  CHECK_FALSE(same(tail, of_kind(PhaseShape::tail, 26, 500)));
  CHECK_FALSE(same(tail, of_kind(PhaseShape::ramp, 0, 500)));
  CHECK(same(of_kind(PhaseShape::band, 480, 520), of_kind(PhaseShape::band, 460, 590)));
  CHECK_FALSE(same(of_kind(PhaseShape::band, 480, 520), of_kind(PhaseShape::band, 460, 594)));
}

TEST_CASE("as many phases as possible have partners, in the order of both runs") {
  const Phase x = constant(1), y = constant(2), z = constant(3);
  CHECK(pairs({}, {}).empty());
  CHECK(pairs({x}, {}) == "0-");
  CHECK(pairs({}, {x}) == "-0");
  CHECK(pairs({x, y, z}, {x, y, z}) == "0=0 1=1 2=2");
  CHECK(pairs({x}, {y}) == "0=0");  // of one kind, at the same time
  CHECK(pairs({x, y, z}, {x, z}) == "0=0 1- 2=1");
  CHECK(pairs({y, x, y}, {x, y, z}) == "0- 1=0 2=1 -2");
  CHECK(pairs({x, y, x, z}, {y, x, y, z}) == "0- 1=0 2=1 -2 3=3");
}

TEST_CASE("runs of very many phases are paired where they begin and end alike") {
  std::vector<Phase> a(5'000), b(5'000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = constant(i % 2);
    b[i] = of_kind(PhaseShape::ramp, 2 + i % 2, 2 + i % 2);
  }
  a.front() = b.front() = a.back() = b.back() = constant(9);
  const auto found = pair_phases({a, 10}, {b, 10});
  CHECK(found.size() == 2 + 2 * 4'998);
  CHECK(found.front() == PhasePair{0, 0});
  CHECK(found.back() == PhasePair{4'999, 4'999});
}
