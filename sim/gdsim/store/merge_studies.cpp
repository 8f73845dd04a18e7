#include <gdsim/base/diagnostic.hpp>
#include <gdsim/store/point_store.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxMissingNamed = 10;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw InputError({Diagnostic{"merge", what, file.string(), 0, 0, {}}});
}

std::string difference(const StoredStudy& first, const StoredStudy& other) {
  if (first.identity.program != other.identity.program)
    return "it was written by " + other.identity.program + ", not by " + first.identity.program;
  if (first.identity.content != other.identity.content)
    return "its scenario, models, overrides or bounds differ (" + other.identity.content + ", not " +
           first.identity.content + ")";
  return "it varies other values, or leaves out others";
}

/// Reports the points that no file has, and the shards that have to be run again.
void require_complete(PointStore& store, const PointSpace& space, std::uint64_t shards) {
  const std::uint64_t points = space.count();
  const std::uint64_t found = store.count();
  if (found == points) return;
  std::string names;
  std::set<std::uint64_t> missing_shards;
  std::uint64_t place = 0;
  std::size_t named = 0;
  for (auto next = space.next(0); next; next = space.next(*next + 1), ++place) {
    if (store.has(*next)) continue;
    if (named++ < kMaxMissingNamed) names += (names.empty() ? " " : "; ") + space.name_of(*next);
    missing_shards.insert(shard_of(place, shards));
  }
  std::string list;
  for (const std::uint64_t shard : missing_shards)
    list += (list.empty() ? "" : ", ") + std::to_string(shard) + "/" + std::to_string(shards);
  throw InputError(std::to_string(points - found) + " of " + std::to_string(points) + " points are missing" +
                   (shards > 1 ? "; run these shards again with --resume: " + list : std::string()) +
                   "; the first are" + names);
}

}  // namespace

StoredStudy merge_studies(std::span<const std::filesystem::path> files, PointStore& store) {
  std::optional<StoredStudy> first;
  std::map<std::uint64_t, std::uint64_t> parts;  // by number of shards: number of files with it
  for (const auto& file : files) {
    if (!std::filesystem::exists(file)) refuse(file, "there is no such file");
    PointStore part(file);
    StoredStudy stored = part.open_only_study();
    ++parts[stored.shard.count];
    if (!first) {
      first = std::move(stored);
    } else if (identity_hash(stored.identity, stored.axes, stored.rules) !=
               identity_hash(first->identity, first->axes, first->rules)) {
      refuse(file, "is not of the same study as " + files.front().string() + ": " + difference(*first, stored));
    }
  }
  if (!first)
    throw InputError("--merge needs the files of the shards: gdsim sweep --merge shard-*.sqlite -o all.sqlite");
  const PointSpace space(first->axes, first->rules);
  store.open_study(first->identity, space, {});
  for (const auto& file : files)
    if (const auto differing = store.import_results(file))
      refuse(file,
             "has another result for " + space.name_of(*differing) + " than a file before it; one of them is wrong");
  const auto max =
      std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  require_complete(store, space, max->first);
  return std::move(*first);
}

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
