#pragma once

#include <gdsim/study/database.hpp>
#include <gdsim/study/point_result.hpp>
#include <gdsim/study/point_space.hpp>
#include <gdsim/study/shard.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What makes a study the study that it is, beside its points.
struct StudyIdentity {
  std::string title;  ///< of the scenario
  std::string
      content;  ///< hash of the scenario, its models, its overrides, the bounds of runs and the program's version
  std::string program;  ///< name and version
  /// The value that the scenario itself has, by axis: its index; nothing if it is none of the axis.
  std::vector<std::optional<std::size_t>> own_values;
};

/// A study as a file has it.
struct StoredStudy {
  StudyIdentity identity;
  std::vector<Axis> axes;
  PointRules rules;
  Shard shard;  ///< the last one that was written to the file
};

/// Studies in an SQLite file: which points they have, and the results of those that were run. Results are known by
/// what determines them, so that studies which have points in common share their results, and several processes may
/// use one file. Each point is stored when it is added: a process that is killed loses the points that it was at.
///
/// Throws InputError if the file is no store of studies, was written by another version, is damaged or full.
class PointStore {
 public:
  /// An empty path: a temporary store, deleted with this.
  explicit PointStore(const std::filesystem::path& file);

  Database& database() { return database_; }
  /// Writes at once, without a journal: for a new file that no other process uses, and that is deleted if it does not
  /// become complete. Until end_of_bulk().
  void begin_bulk() { database_.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"); }
  void end_of_bulk() { database_.run("PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL"); }
  /// The number of the study that is open.
  std::int64_t study() const { return study_; }
  /// The number of its content.
  std::int64_t content() const { return content_; }

  /// Makes the study known, or finds it if it is, and works with it from now on.
  void open_study(const StudyIdentity& identity, const PointSpace& space, const Shard& shard);
  /// The only study of the file, which it works with from now on. Throws InputError if there is none, or several.
  StoredStudy open_only_study();

  /// How many points of the study have a result.
  std::uint64_t count();
  bool has(std::uint64_t ordinal);
  /// Takes the result of `point`, if it was run for another study. False if it was not.
  bool adopt(std::uint64_t ordinal, std::string_view point);
  /// Keeps a result; one that is there already is replaced.
  void add(std::uint64_t ordinal, std::string_view point, const PointResult& result);

 private:
  void require_format();
  [[noreturn]] void fail_as_damaged(const std::string& why) const;
  void prepare();
  std::int64_t content_number(const std::string& hash);

  Database database_;
  std::int64_t study_ = 0;
  std::int64_t content_ = 0;
  std::optional<Database::Statement> has_, find_, add_result_, add_point_;
};

/// What makes a study another one: its content and its points.
std::string identity_hash(const StudyIdentity& identity, const std::vector<Axis>& axes, const PointRules& rules);

}  // namespace gdsim
