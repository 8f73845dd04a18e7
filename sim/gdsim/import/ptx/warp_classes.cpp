#include <gdsim/import/ptx/warp_classes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gdsim {
namespace {

/// The counts in which warps of different classes differ.
std::vector<std::uint64_t> key_of(const PreparedKernel& kernel, const ExecutionCounts& counts) {
  std::vector<std::uint64_t> key = counts.executions;
  for (const LoopCounts& loop : counts.loops) key.insert(key.end(), {loop.entries, loop.iterations});
  for (std::size_t i = 0; i < counts.accesses.size(); ++i) {
    key.push_back(counts.accesses[i].requests);
    if (kernel.instructions[i].traits.role == PtxRole::atomic) key.push_back(counts.accesses[i].lanes);
  }
  return key;
}

}  // namespace

std::vector<WarpClass> warp_classes(const KernelProfile& profile) {
  std::vector<WarpClass> classes;
  std::map<std::vector<std::uint64_t>, std::size_t> known;
  for (std::uint32_t warp = 0; warp < profile.log->by_warp.size(); ++warp) {
    const ExecutionCounts& counts = profile.log->by_warp[warp];
    const auto [at, is_new] = known.try_emplace(key_of(*profile.kernel, counts), classes.size());
    if (is_new) classes.push_back({ExecutionCounts(*profile.kernel), {}});
    classes[at->second].counts.add(counts);
    classes[at->second].warps.push_back(warp);
  }
  return classes;
}

std::string ranges_of(std::vector<std::uint32_t> warps) {
  std::sort(warps.begin(), warps.end());
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < warps.size();) {
    std::size_t last = i;
    while (last + 1 < warps.size() && warps[last + 1] == warps[last] + 1) ++last;
    ranges.push_back(i == last ? std::to_string(warps[i]) : fmt::format("{}-{}", warps[i], warps[last]));
    i = last + 1;
  }
  if (ranges.size() == 1) return ranges.front();
  return fmt::format("[{}]", fmt::join(ranges, ", "));
}

}  // namespace gdsim
