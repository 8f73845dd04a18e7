#pragma once

#include <gdsim/database/database.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/points/point_space.hpp>
#include <gdsim/points/run_point.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {

/// Hashes texts to a short text, which is equal for equal texts and different for others: SHA-1, as a UUID of version
/// 5.
class ContentHash {
 public:
  ContentHash& add(std::string_view text);
  std::string finish() const;

 private:
  std::string gathered_;
};

struct StoredStudy;

// Digests by which a store checks that its data are unchanged. A digest covers a whole row, and the owner of the row.
// It protects against damage, not against manipulation. Thread-safe.

/// Returns the digest of a result of a scenario with its models and program (`content`), at a point.
std::string result_digest(std::string_view content, std::string_view point, const PointResult& result);

/// Returns the digest of a study's reference, under this number, to the result of `point`.
std::string point_digest(std::string_view study, std::uint64_t ordinal, std::string_view point);

/// Returns the digest of all data of a study besides its points.
std::string study_digest(const StoredStudy& study);

/// Returns the value with all digits of a double.
std::string exact_text(double value);

/// One of several parts of a study, counted from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t count = 1;
};

/// Returns the number, from 0, of the shard that runs the point at this place of the study: the sum of the place's
/// digits in base `shards`, modulo `shards`. Of each `shards` successive points, every shard gets one, in an order that
/// changes each time (the Thue-Morse sequence if there are two): costs that follow the axes, or alternate along them,
/// are shared equally. Thread-safe, as is points_of().
std::uint64_t shard_of(std::uint64_t position, std::uint64_t shards);

/// Returns the number of points, out of `points`, that the shard runs.
std::uint64_t points_of(const Shard& shard, std::uint64_t points);

/// Identifies a study, together with its points.
struct StudyIdentity {
  std::string title;  ///< of the scenario
  /// Hash of the scenario, its models, its overrides, the bounds of runs and the program's version.
  std::string content;
  std::string program;  ///< name and version
  /// By axis, the index of the scenario's own value; nullopt if the axis does not have it.
  std::vector<std::optional<std::size_t>> own_values;
  /// The words of the vendor of the scenario's device; if points have devices of their own, those of no vendor.
  Terms words = {};
  /// The assumptions of conclusions: the notes_of() of its points, each once.
  std::vector<std::string> notes = {};
  bool has_equal_work = true;  ///< false: its points do not do the same work, and durations are not ranked
};

/// A study as stored in a file.
struct StoredStudy {
  StudyIdentity identity;
  std::vector<Axis> axes;
  PointRules rules;
  Shard shard;  ///< the last one that was written to the file
};

/// A point of a study that has a result.
struct StoredPoint {
  std::uint64_t ordinal = 0;
  PointResult result;
  std::optional<std::uint64_t> rank;  ///< 1 is the best; nullopt unless it is ok
};

/// Iterates over points of a store, which must outlive this. Must be used by the same thread as the store.
class StoredPoints {
 public:
  explicit StoredPoints(Database::Statement rows) : rows_(std::move(rows)) {}

  /// Returns the next point, or nullopt after the last one.
  std::optional<StoredPoint> next();

 private:
  Database::Statement rows_;
  bool is_at_end_ = false;
};

/// Studies in an SQLite file: their points, and the results of those that were run. The key of a result is the data
/// that determine it, so that studies with common points share their results, and several processes may use one file.
/// Each point is stored when it is added: a process that is killed loses only the points that it was running.
///
/// Every row has a digest: a file whose data were changed counts as damaged.
///
/// Throws InputError if the file is no store of studies, was written by another version, is damaged or full. Not
/// thread-safe; other threads and other processes may use their own store of the same file.
class PointStore {
 public:
  /// Opens or makes the store. An empty path makes a temporary store, deleted with this.
  explicit PointStore(const std::filesystem::path& file);

  /// Writes directly, without a journal, until end_of_bulk(): for a new file that no other process uses, and that is
  /// deleted if it is not completed.
  void begin_bulk() { database_.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"); }
  void end_of_bulk() { database_.run("PRAGMA synchronous = NORMAL; PRAGMA journal_mode = WAL"); }
  /// Adds the study, or finds it if it exists, and uses it from now on.
  void open_study(const StudyIdentity& identity, const PointSpace& space, const Shard& shard);
  /// Uses the only study of the file from now on. Throws InputError if there is none, or several.
  StoredStudy open_only_study();

  /// Returns the number of points of the study that have a result.
  std::uint64_t count();
  bool has(std::uint64_t ordinal);
  /// Reuses the result of `point` if it was run for another study. Returns true if it was.
  bool adopt(std::uint64_t ordinal, std::string_view point);
  /// Stores a result, and replaces an existing one.
  void add(std::uint64_t ordinal, std::string_view point, const PointResult& result);
  /// Imports all results of the only study of another file; existing results stay. If that file has another result for
  /// a point, returns that point and imports nothing, else returns nullopt.
  std::optional<std::uint64_t> import_results(const std::filesystem::path& file);

  /// Returns the number of points of the study with each status.
  std::array<std::uint64_t, 4> counts();
  /// Ranks the points of the study that are ok, ties by their ordinals. The ranks are not stored in the file.
  void rank(const Metric& metric);
  /// Returns the points of the study by their ordinals, with the ranks of the last rank(), if any.
  StoredPoints points();
  /// Returns the points with the ranks 1 to `count`, by rank.
  StoredPoints best_points(std::uint64_t count);
  /// Returns the first point of the study from `from` on that is ok, or nullopt.
  std::optional<StoredPoint> first_ok(std::uint64_t from);

 private:
  void require_format();
  [[noreturn]] void fail_as_damaged(const std::string& why) const;
  void prepare();
  std::int64_t content_number(const std::string& hash);
  /// Of the study with this identity, which is added if it is new.
  std::int64_t study_number(const std::string& hash, const StudyIdentity& identity, const PointSpace& space,
                            const Shard& shard);
  void write_axes(const StudyIdentity& identity, const std::vector<Axis>& axes);
  void write_words(const Terms& words);
  Terms read_words(std::int64_t study);
  void write_notes(const std::vector<std::string>& notes);
  std::vector<std::string> read_notes(std::int64_t study);
  StoredStudy read_study(std::int64_t id);
  void read_axes(std::int64_t study, StoredStudy& stored);
  /// Throws unless all rows agree with their digests.
  void require_digests();
  void require_digests_of_studies();
  void require_digests_of_results();
  void require_digests_of_points();
  void add_point(std::uint64_t ordinal, std::string_view point, std::int64_t result);
  std::optional<std::uint64_t> point_that_differs(std::int64_t part_study);

  Database database_;
  std::int64_t study_ = 0;
  std::int64_t content_ = 0;
  std::string identity_;      ///< of the study: identity_hash()
  std::string content_hash_;  ///< of its identity
  std::optional<Database::Statement> has_, find_, add_result_, add_point_;
};

/// Identifies a study by its content and its points.
std::string identity_hash(const StudyIdentity& identity, const std::vector<Axis>& axes, const PointRules& rules);

/// Copies the results of the shards of one study into `store`, which keeps its own results. Throws InputError if a file
/// is of another study (another scenario, other models, another version, other lists), if two files disagree about a
/// point, or if points are missing; the message then lists them with their shards.
StoredStudy merge_studies(std::span<const std::filesystem::path> files, PointStore& store);

}  // namespace gdsim
