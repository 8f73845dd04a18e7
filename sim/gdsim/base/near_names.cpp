#include <gdsim/base/near_names.hpp>

#include <algorithm>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kLongestName = 64;

/// Returns the edit distance, where a swap of two neighbours counts as one edit (optimal string alignment).
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view found, std::span<const std::string_view> known) {
  if (found.empty() || found.size() > kLongestName) return {};
  const std::size_t allowed = found.size() <= 4 ? 1 : found.size() <= 8 ? 2 : 3;
  std::string_view best;
  std::size_t fewest = allowed + 1;
  for (const std::string_view name : known) {
    if (name.size() > kLongestName) continue;
    const std::size_t count = slips(found, name);
    if (count >= fewest || count >= name.size()) continue;
    fewest = count;
    best = name;
  }
  return best;
}

std::string did_you_mean(std::string_view found, std::span<const std::string_view> known) {
  const std::string_view best = nearest_name(found, known);
  return best.empty() ? std::string() : " did you mean '" + std::string(best) + "'?";
}

std::string known_names(std::string_view found, std::span<const std::string_view> known) {
  const std::string hint = did_you_mean(found, known);
  return "known: " + join(known) + (hint.empty() ? "" : ";" + hint);
}

std::string join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace gdsim
