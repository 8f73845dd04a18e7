#include <gdsim/model/drawn_factors.hpp>

#include <gdsim/model/many_factors.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace gdsim {
namespace {

constexpr unsigned kBlockBits = std::bit_width(kFactorsAtOnce) - 1;
static_assert(kFactorsAtOnce == std::size_t{1} << kBlockBits);

}  // namespace

/// A block takes the place of another only when about as many factors were asked for as it costs: so drawing ahead
/// never costs much more than drawing one by one, whatever is asked for in turn.
DrawnFactor DrawnFactors::factor(const FactorDraw& draw, const Sample& sample, std::uint32_t threads) {
  const auto thread_bits = static_cast<unsigned>(std::bit_width(threads - 1));
  if (thread_bits > kBlockBits) return draw.factor(sample);
  if (blocks_.empty()) blocks_.resize(kBlocks);
  const unsigned group_bits = kBlockBits - thread_bits;
  const std::uint64_t group = number_of(sample.work_group);
  const BlockName name{sample.launch, group >> group_bits, thread_bits};
  Block& block = blocks_[(name.number + index_of(name.launch)) % kBlocks];
  if (block.name != name) {
    if (block.asked < kFactorsAtOnce / 2) {
      ++block.asked;
      return draw.factor(sample);
    }
    block.name = name;
    block.asked = 0;
    block.factors = many_factors(draw, {sample.launch, WorkGroupId{name.number << group_bits}, 0}, thread_bits);
  }
  ++block.asked;
  const std::uint64_t group_in_block = group - (name.number << group_bits);
  return DrawnFactor{block.factors[group_in_block << thread_bits | sample.thread]};
}

}  // namespace gdsim
