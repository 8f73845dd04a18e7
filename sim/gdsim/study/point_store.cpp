#include <gdsim/study/point_store.hpp>

#include <gdsim/study/content_hash.hpp>

#include <charconv>

namespace gdsim {
namespace {

/// `gdst`, by which a file is known to be a store of studies, and the version of its tables.
constexpr std::int64_t kApplication = 0x67647374;
constexpr std::int64_t kFormat = 1;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS content(id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS study(
  id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, content INTEGER NOT NULL, program TEXT NOT NULL,
  title TEXT NOT NULL, zip INTEGER NOT NULL, condition TEXT NOT NULL, sample INTEGER, seed INTEGER NOT NULL,
  shard INTEGER NOT NULL, shards INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS axis(
  study INTEGER NOT NULL, axis INTEGER NOT NULL, name TEXT NOT NULL, own INTEGER, PRIMARY KEY(study, axis)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS axis_value(
  study INTEGER NOT NULL, axis INTEGER NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(study, axis, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS constant(
  study INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(study, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS result(
  id INTEGER PRIMARY KEY, content INTEGER NOT NULL, point TEXT NOT NULL, status INTEGER NOT NULL, duration_ps INTEGER,
  peak_occupancy INTEGER, mean_occupancy INTEGER, fit_occupancy INTEGER, limiter TEXT NOT NULL,
  work_groups_per_core INTEGER, waves INTEGER, reason TEXT NOT NULL, UNIQUE(content, point));
CREATE TABLE IF NOT EXISTS point(
  study INTEGER NOT NULL, ordinal INTEGER NOT NULL, result INTEGER NOT NULL, PRIMARY KEY(study, ordinal)) WITHOUT ROWID;
)";

/// Files that were written before studies had words have no such table.
constexpr const char* kWordsTable =
    "CREATE TABLE IF NOT EXISTS words(study INTEGER PRIMARY KEY, core TEXT NOT NULL, engine TEXT NOT NULL, "
    "context TEXT NOT NULL, thread TEXT NOT NULL, work_group TEXT NOT NULL, slm TEXT NOT NULL)";

/// As many digits as a double has.
std::string exact_text(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

double exact_number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::string identity_hash(const StudyIdentity& identity, const std::vector<Axis>& axes, const PointRules& rules) {
  ContentHash hash;
  hash.add(identity.content).add(rules.zip ? "zip" : "product").add(rules.where);
  hash.add(rules.sample ? std::to_string(*rules.sample) + " " + std::to_string(rules.seed) : "all");
  for (const Axis& axis : axes) {
    hash.add(axis.name).add(std::to_string(axis.values.size()));
    for (const std::string& value : axis.values) hash.add(value);
  }
  return hash.finish();
}

PointStore::PointStore(const std::filesystem::path& file) : database_(file) {
  require_format();
  // Writers do not wait for the disk, but nothing is lost with the process: what it wrote is the system's by then.
  database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  if (database_.number("PRAGMA user_version") == kFormat) return;
  Transaction transaction(database_);
  database_.run(kTables);
  database_.run("PRAGMA application_id = " + std::to_string(kApplication) +
                "; PRAGMA user_version = " + std::to_string(kFormat));
  transaction.commit();
}

/// All is read at one moment: another process may be making the tables.
void PointStore::require_format() {
  const Snapshot snapshot(database_);
  const std::int64_t application = database_.number("PRAGMA application_id");
  const std::int64_t version = database_.number("PRAGMA user_version");
  if (application == 0 && version == 0 && database_.number("SELECT count(*) FROM sqlite_master") == 0) return;
  if (application != kApplication)
    database_.fail("is an SQLite file, but no study of gdsim; nothing in it was changed. Choose another name");
  if (version != kFormat)
    database_.fail("was written by another version of gdsim: its format is " + std::to_string(version) +
                   ", this one knows " + std::to_string(kFormat) + "; nothing in it was changed. Choose another name");
  const std::string health = database_.text("PRAGMA quick_check(1)");
  if (health != "ok") fail_as_damaged(health);
}

void PointStore::prepare() {
  database_.run("CREATE TEMP TABLE IF NOT EXISTS ranking(ordinal INTEGER PRIMARY KEY, rank INTEGER)");
  has_ = database_.prepare("SELECT 1 FROM point WHERE study = ?1 AND ordinal = ?2");
  find_ = database_.prepare("SELECT id FROM result WHERE content = ?1 AND point = ?2");
  add_result_ = database_.prepare(
      "INSERT INTO result(content, point, status, duration_ps, peak_occupancy, mean_occupancy, fit_occupancy, limiter, "
      "work_groups_per_core, waves, reason) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
      "ON CONFLICT(content, point) DO UPDATE SET status = excluded.status, duration_ps = excluded.duration_ps, "
      "peak_occupancy = excluded.peak_occupancy, mean_occupancy = excluded.mean_occupancy, "
      "fit_occupancy = excluded.fit_occupancy, limiter = excluded.limiter, "
      "work_groups_per_core = excluded.work_groups_per_core, waves = excluded.waves, reason = excluded.reason "
      "RETURNING id");
  add_point_ = database_.prepare("INSERT OR REPLACE INTO point(study, ordinal, result) VALUES(?1, ?2, ?3)");
}

std::int64_t PointStore::content_number(const std::string& hash) {
  database_.prepare("INSERT OR IGNORE INTO content(hash) VALUES(?1)").bind(1, hash).run();
  auto find = database_.prepare("SELECT id FROM content WHERE hash = ?1");
  find.bind(1, hash).step();
  return find.number(0);
}

void PointStore::open_study(const StudyIdentity& identity, const PointSpace& space, const Shard& shard) {
  Transaction transaction(database_);
  const std::string hash = identity_hash(identity, space.axes(), space.rules());
  const PointRules& rules = space.rules();
  content_ = content_number(identity.content);
  auto add = database_.prepare(
      "INSERT OR IGNORE INTO study(identity, content, program, title, zip, condition, sample, seed, shard, shards) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
  add.bind(1, hash).bind(2, content_).bind(3, identity.program).bind(4, identity.title);
  add.bind(5, std::int64_t{rules.zip}).bind(6, rules.where);
  add.bind(7, rules.sample ? std::optional(static_cast<std::int64_t>(*rules.sample)) : std::nullopt);
  add.bind(8, static_cast<std::int64_t>(rules.seed));
  add.bind(9, static_cast<std::int64_t>(shard.number)).bind(10, static_cast<std::int64_t>(shard.count)).run();
  auto find = database_.prepare("SELECT id FROM study WHERE identity = ?1");
  find.bind(1, hash).step();
  study_ = find.number(0);
  find.reset();
  database_.prepare("UPDATE study SET shard = ?2, shards = ?3 WHERE id = ?1")
      .bind(1, study_)
      .bind(2, static_cast<std::int64_t>(shard.number))
      .bind(3, static_cast<std::int64_t>(shard.count))
      .run();
  auto add_axis = database_.prepare("INSERT OR IGNORE INTO axis(study, axis, name, own) VALUES(?1, ?2, ?3, ?4)");
  auto add_value =
      database_.prepare("INSERT OR IGNORE INTO axis_value(study, axis, position, value) VALUES(?1, ?2, ?3, ?4)");
  for (std::size_t i = 0; i < space.axes().size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    const auto& own = identity.own_values[i];
    add_axis.bind(1, study_).bind(2, axis).bind(3, space.axes()[i].name);
    add_axis.bind(4, own ? std::optional(static_cast<std::int64_t>(*own)) : std::nullopt).run();
    std::int64_t position = 0;
    for (const std::string& value : space.axes()[i].values)
      add_value.bind(1, study_).bind(2, axis).bind(3, position++).bind(4, value).run();
  }
  auto add_constant = database_.prepare("INSERT OR IGNORE INTO constant(study, name, value) VALUES(?1, ?2, ?3)");
  for (const auto& [name, value] : rules.constants)
    add_constant.bind(1, study_).bind(2, name).bind(3, exact_text(value)).run();
  write_words(identity.words);
  transaction.commit();
  prepare();
}

void PointStore::write_words(const Terms& words) {
  database_.run(kWordsTable);
  auto add = database_.prepare("INSERT OR REPLACE INTO words VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  add.bind(1, study_).bind(2, words.core).bind(3, words.engine).bind(4, words.context);
  add.bind(5, words.thread).bind(6, words.work_group).bind(7, words.slm).run();
}

Terms PointStore::read_words() {
  Terms words;
  if (database_.number("SELECT count(*) FROM sqlite_master WHERE name = 'words'") == 0) return words;
  auto found = database_.prepare("SELECT core, engine, context, thread, work_group, slm FROM words WHERE study = ?1");
  found.bind(1, study_);
  if (found.step()) words = {found.text(0), found.text(1), found.text(2), found.text(3), found.text(4), found.text(5)};
  return words;
}

void PointStore::fail_as_damaged(const std::string& why) const {
  database_.fail("is damaged (" + why + "); nothing in it was changed");
}

StoredStudy PointStore::open_only_study() {
  const std::int64_t studies = database_.number("SELECT count(*) FROM study");
  if (studies != 1) database_.fail("holds " + std::to_string(studies) + " studies; one is needed");
  StoredStudy stored;
  auto study = database_.prepare(
      "SELECT s.id, s.title, c.hash, s.program, s.zip, s.condition, s.sample, s.seed, s.shard, s.shards, c.id "
      "FROM study s JOIN content c ON c.id = s.content");
  study.step();
  study_ = study.number(0);
  content_ = study.number(10);
  stored.identity.title = study.text(1);
  stored.identity.content = study.text(2);
  stored.identity.program = study.text(3);
  stored.rules.zip = study.number(4) != 0;
  stored.rules.where = study.text(5);
  if (const auto sample = study.optional_number(6)) stored.rules.sample = static_cast<std::uint64_t>(*sample);
  stored.rules.seed = static_cast<std::uint64_t>(study.number(7));
  if (study.number(9) < 1 || study.number(8) < 1 || study.number(8) > study.number(9))
    fail_as_damaged("it is shard " + study.text(8) + " of " + study.text(9));
  stored.shard = {static_cast<std::uint64_t>(study.number(8)), static_cast<std::uint64_t>(study.number(9))};
  auto axes = database_.prepare("SELECT name, own FROM axis WHERE study = ?1 ORDER BY axis");
  axes.bind(1, study_);
  while (axes.step()) {
    stored.axes.push_back({axes.text(0), {}});
    const auto own = axes.optional_number(1);
    stored.identity.own_values.push_back(own ? std::optional(static_cast<std::size_t>(*own)) : std::nullopt);
  }
  auto values = database_.prepare("SELECT axis, value FROM axis_value WHERE study = ?1 ORDER BY axis, position");
  values.bind(1, study_);
  while (values.step()) {
    const auto axis = static_cast<std::size_t>(values.number(0));
    if (axis >= stored.axes.size()) fail_as_damaged("it has a value of axis " + values.text(0));
    stored.axes[axis].values.push_back(values.text(1));
  }
  for (std::size_t axis = 0; axis < stored.axes.size(); ++axis)
    if (const auto own = stored.identity.own_values[axis]; own && *own >= stored.axes[axis].values.size())
      fail_as_damaged("the scenario's own value of " + stored.axes[axis].name + " is not there");
  const std::int64_t unknown = database_.number("SELECT count(*) FROM result WHERE status NOT BETWEEN 0 AND 3");
  if (unknown > 0) fail_as_damaged("it has results of an unknown status");
  auto constants = database_.prepare("SELECT name, value FROM constant WHERE study = ?1 ORDER BY name");
  constants.bind(1, study_);
  while (constants.step()) stored.rules.constants.emplace_back(constants.text(0), exact_number(constants.text(1)));
  stored.identity.words = read_words();
  prepare();
  return stored;
}

std::uint64_t PointStore::count() {
  auto statement = database_.prepare("SELECT count(*) FROM point WHERE study = ?1");
  statement.bind(1, study_).step();
  return static_cast<std::uint64_t>(statement.number(0));
}

bool PointStore::has(std::uint64_t ordinal) {
  const bool found = has_->bind(1, study_).bind(2, static_cast<std::int64_t>(ordinal)).step();
  has_->reset();
  return found;
}

bool PointStore::adopt(std::uint64_t ordinal, std::string_view point) {
  if (!find_->bind(1, content_).bind(2, point).step()) return false;
  const std::int64_t result = find_->number(0);
  find_->reset();
  add_point_->bind(1, study_).bind(2, static_cast<std::int64_t>(ordinal)).bind(3, result).run();
  return true;
}

void PointStore::add(std::uint64_t ordinal, std::string_view point, const PointResult& result) {
  Transaction transaction(database_);
  add_result_->bind(1, content_).bind(2, point).bind(3, static_cast<std::int64_t>(result.status));
  add_result_->bind(4, result.duration).bind(5, result.peak_occupancy).bind(6, result.mean_occupancy);
  add_result_->bind(7, result.fit_occupancy).bind(8, result.limiter).bind(9, result.work_groups_per_core);
  add_result_->bind(10, result.waves).bind(11, result.reason).step();
  const std::int64_t id = add_result_->number(0);
  add_result_->run();
  add_point_->bind(1, study_).bind(2, static_cast<std::int64_t>(ordinal)).bind(3, id).run();
  transaction.commit();
}

}  // namespace gdsim
