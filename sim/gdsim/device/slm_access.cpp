#include <gdsim/device/slm_access.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace gdsim {

std::uint64_t cycles_per_access(const SlmAccess& slm, std::uint32_t sub_group, std::uint64_t stride,
                                std::uint64_t bytes) {
  const auto width = static_cast<std::uint64_t>(slm.bank_width.count);
  std::set<std::uint64_t> words;
  for (std::uint64_t lane = 0; lane < sub_group; ++lane) {
    const std::uint64_t first = lane * stride * bytes;
    for (std::uint64_t word = first / width; word <= (first + bytes - 1) / width; ++word) words.insert(word);
  }
  std::vector<std::uint64_t> asked(slm.banks, 0);
  for (const std::uint64_t word : words) ++asked[word % slm.banks];
  return *std::max_element(asked.begin(), asked.end());
}

}  // namespace gdsim
