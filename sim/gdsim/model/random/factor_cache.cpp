#include <gdsim/model/random/factor_cache.hpp>

#include <gdsim/model/random/many_factors.hpp>

#include <bit>

namespace gdsim {
namespace {

constexpr unsigned kFactorBits = std::bit_width(kFactorsAtOnce) - 1;
static_assert(kFactorsAtOnce == std::size_t{1} << kFactorBits);

}  // namespace

/// An entry is replaced only after kFactorsAtOnce / 2 requests. So for any order of requests, drawing ahead never costs
/// much more than drawing one by one.
DrawnFactor FactorCache::factor(const FactorDraw& draw, const Sample& sample, std::uint32_t threads) {
  const auto thread_bits = static_cast<unsigned>(std::bit_width(threads - 1));
  if (thread_bits > kFactorBits) return draw.factor(sample);
  if (entries_.empty()) entries_.resize(kEntries);
  const unsigned group_bits = kFactorBits - thread_bits;
  const std::uint64_t group = number_of(sample.work_group);
  const Key key{sample.launch, group >> group_bits, thread_bits};
  const std::uint64_t first_group = key.number << group_bits;
  Entry& entry = entries_[(key.number + index_of(key.launch)) % kEntries];
  if (entry.key != key) {
    if (entry.requests < kFactorsAtOnce / 2) {
      ++entry.requests;
      return draw.factor(sample);
    }
    entry.key = key;
    entry.requests = 0;
    entry.factors = many_factors(draw, {sample.launch, WorkGroupId{first_group}, 0}, thread_bits);
  }
  ++entry.requests;
  return DrawnFactor{entry.factors[(group - first_group) << thread_bits | sample.thread]};
}

}  // namespace gdsim
