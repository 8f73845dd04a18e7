#include <gdsim/model/factor_cache.hpp>

#include <gdsim/model/many_factors.hpp>

#include <bit>

namespace gdsim {
namespace {

constexpr unsigned kFactorBits = std::bit_width(kFactorsAtOnce) - 1;
static_assert(kFactorsAtOnce == std::size_t{1} << kFactorBits);

}  // namespace

DrawnFactor FactorCache::factor(const FactorDraw& draw, const Sample& sample, std::uint32_t threads) {
  const auto factors = factors_from(draw, sample, threads, 1);
  return factors.empty() ? draw.factor(sample) : DrawnFactor{factors.front()};
}

/// An entry is replaced only after kFactorsAtOnce / 2 requests: so drawing ahead never costs much more than drawing one
/// by one, whatever is asked for in turn.
std::span<const std::uint64_t> FactorCache::factors_from(const FactorDraw& draw, const Sample& sample,
                                                         std::uint32_t threads, std::uint32_t count) {
  const auto thread_bits = static_cast<unsigned>(std::bit_width(threads - 1));
  if (thread_bits > kFactorBits) return {};
  if (entries_.empty()) entries_.resize(kEntries);
  const unsigned group_bits = kFactorBits - thread_bits;
  const std::uint64_t group = number_of(sample.work_group);
  const Key key{sample.launch, group >> group_bits, thread_bits};
  const std::uint64_t first_group = key.number << group_bits;
  Entry& entry = entries_[(key.number + index_of(key.launch)) % kEntries];
  if (entry.key != key) {
    if (entry.requests < kFactorsAtOnce / 2) {
      entry.requests += count;
      return {};
    }
    entry.key = key;
    entry.requests = 0;
    entry.factors = many_factors(draw, {sample.launch, WorkGroupId{first_group}, 0}, thread_bits);
  }
  entry.requests += count;
  return std::span(entry.factors).subspan((group - first_group) << thread_bits | sample.thread, count);
}

}  // namespace gdsim
