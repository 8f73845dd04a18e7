#include <gdsim/study/merge_studies.hpp>

#include <gdsim/base/diagnostic.hpp>

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

/// Another store, as a part of the connection to ours for as long as it lives.
class Attached {
 public:
  Attached(Database& database, const std::filesystem::path& file) : database_(database) {
    database_.prepare("ATTACH ?1 AS part").bind(1, file.string()).run();
  }
  ~Attached() {
    try {
      database_.run("DETACH part");
    } catch (const InputError&) {  // whatever made it fail is reported by what failed first
    }
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  Database& database_;
};

/// A point for which a file has another result than an earlier one.
void require_agreement(Database& database, std::int64_t study, std::int64_t part_study, const PointSpace& space,
                       const std::filesystem::path& file) {
  auto differing = database.prepare(
      "SELECT p.ordinal FROM part.point p JOIN part.result r ON r.id = p.result "
      "JOIN main.point q ON q.study = ?1 AND q.ordinal = p.ordinal JOIN main.result s ON s.id = q.result "
      "WHERE p.study = ?2 AND (r.status, r.duration_ps, r.peak_occupancy, r.mean_occupancy, r.fit_occupancy, "
      "r.limiter, "
      "r.work_groups_per_core, r.waves, r.reason) IS NOT (s.status, s.duration_ps, s.peak_occupancy, s.mean_occupancy, "
      "s.fit_occupancy, s.limiter, s.work_groups_per_core, s.waves, s.reason) LIMIT 1");
  if (!differing.bind(1, study).bind(2, part_study).step()) return;
  refuse(file, "has another result for " + space.name_of(static_cast<std::uint64_t>(differing.number(0))) +
                   " than a file before it; one of them is wrong");
}

void copy_results(Database& database, std::int64_t study, std::int64_t content, std::int64_t part_study) {
  constexpr const char* figures =
      "point, status, duration_ps, peak_occupancy, mean_occupancy, fit_occupancy, limiter, work_groups_per_core, "
      "waves, "
      "reason";
  database
      .prepare(std::string("INSERT OR IGNORE INTO main.result(content, ") + figures + ") SELECT ?1, " + figures +
               " FROM part.point p JOIN part.result r ON r.id = p.result WHERE p.study = ?2 ORDER BY p.ordinal")
      .bind(1, content)
      .bind(2, part_study)
      .run();
  database
      .prepare(
          "INSERT OR IGNORE INTO main.point(study, ordinal, result) SELECT ?1, p.ordinal, s.id "
          "FROM part.point p JOIN part.result r ON r.id = p.result "
          "JOIN main.result s ON s.content = ?2 AND s.point = r.point WHERE p.study = ?3")
      .bind(1, study)
      .bind(2, content)
      .bind(3, part_study)
      .run();
}

/// Which points no file has, and which shards have to be run again.
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
  std::map<std::uint64_t, std::uint64_t> parts;  // by number of shards: how many files say so
  std::vector<std::int64_t> studies;
  for (const auto& file : files) {
    if (!std::filesystem::exists(file)) refuse(file, "there is no such file");
    PointStore part(file);
    StoredStudy stored = part.open_only_study();
    studies.push_back(part.study());
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
  Database& database = store.database();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Attached part(database, files[i]);
    Transaction transaction(database);
    require_agreement(database, store.study(), studies[i], space, files[i]);
    copy_results(database, store.study(), store.content(), studies[i]);
    transaction.commit();
  }
  const auto max =
      std::max_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  require_complete(store, space, max->first);
  return std::move(*first);
}

}  // namespace gdsim
