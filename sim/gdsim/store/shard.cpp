#include <gdsim/store/shard.hpp>

namespace gdsim {

std::uint64_t shard_of(std::uint64_t place, std::uint64_t shards) {
  if (shards == 1) return 1;
  std::uint64_t sum = 0;  // the sum modulo `shards`: each digit is below `shards`
  for (; place > 0; place /= shards) sum = (sum + place % shards) % shards;
  return sum + 1;
}

std::uint64_t points_of(const Shard& shard, std::uint64_t points) {
  std::uint64_t count = points / shard.count;
  for (std::uint64_t place = points - points % shard.count; place < points; ++place)
    if (shard_of(place, shard.count) == shard.number) ++count;
  return count;
}

}  // namespace gdsim
