#include <gdsim/base/diagnostic.hpp>
#include <gdsim/store/point_store.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <vector>

// Reads and writes the data of studies, besides their points.

namespace gdsim {
namespace {

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

std::int64_t PointStore::content_number(const std::string& hash) {
  database_.prepare("INSERT OR IGNORE INTO content(hash) VALUES(?1)").bind(1, hash).run();
  auto find = database_.prepare("SELECT id FROM content WHERE hash = ?1");
  find.bind(1, hash).step();
  return find.number(0);
}

void PointStore::open_study(const StudyIdentity& identity, const PointSpace& space, const Shard& shard) {
  Transaction transaction(database_);
  const std::string hash = identity_hash(identity, space.axes(), space.rules());
  content_ = content_number(identity.content);
  study_ = study_number(hash, identity, space, shard);
  write_axes(identity, space.axes());
  auto add_constant = database_.prepare("INSERT OR REPLACE INTO constant(study, name, value) VALUES(?1, ?2, ?3)");
  for (const auto& [name, value] : space.rules().constants)
    add_constant.bind(1, study_).bind(2, name).bind(3, exact_text(value)).run();
  write_words(identity.words);
  write_notes(identity.notes);
  transaction.commit();
  identity_ = hash;
  content_hash_ = identity.content;
  prepare();
}

std::int64_t PointStore::study_number(const std::string& hash, const StudyIdentity& identity, const PointSpace& space,
                                      const Shard& shard) {
  const PointRules& rules = space.rules();
  const std::string digest = study_digest({identity, space.axes(), rules, shard});
  auto add = database_.prepare(
      "INSERT INTO study(identity, content, program, title, zip, condition, sample, seed, shard, shards, digest, "
      "equal_work) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT(identity) DO UPDATE SET "
      "program = excluded.program, title = excluded.title, shard = excluded.shard, shards = excluded.shards, "
      "digest = excluded.digest, equal_work = excluded.equal_work");
  add.bind(1, hash).bind(2, content_).bind(3, identity.program).bind(4, identity.title);
  add.bind(5, std::int64_t{rules.zip}).bind(6, rules.where);
  add.bind(7, rules.sample ? std::optional(static_cast<std::int64_t>(*rules.sample)) : std::nullopt);
  add.bind(8, static_cast<std::int64_t>(rules.seed));
  add.bind(9, static_cast<std::int64_t>(shard.number)).bind(10, static_cast<std::int64_t>(shard.count));
  add.bind(11, digest).bind(12, std::int64_t{identity.has_equal_work}).run();
  auto find = database_.prepare("SELECT id FROM study WHERE identity = ?1");
  find.bind(1, hash).step();
  return find.number(0);
}

void PointStore::write_axes(const StudyIdentity& identity, const std::vector<Axis>& axes) {
  auto add_axis = database_.prepare("INSERT OR REPLACE INTO axis(study, axis, name, own) VALUES(?1, ?2, ?3, ?4)");
  auto add_value =
      database_.prepare("INSERT OR REPLACE INTO axis_value(study, axis, position, value) VALUES(?1, ?2, ?3, ?4)");
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    const auto& own = identity.own_values[i];
    add_axis.bind(1, study_).bind(2, axis).bind(3, axes[i].name);
    add_axis.bind(4, own ? std::optional(static_cast<std::int64_t>(*own)) : std::nullopt).run();
    std::int64_t position = 0;
    for (const std::string& value : axes[i].values)
      add_value.bind(1, study_).bind(2, axis).bind(3, position++).bind(4, value).run();
  }
}

void PointStore::write_words(const Terms& words) {
  auto add = database_.prepare("INSERT OR REPLACE INTO words VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  add.bind(1, study_).bind(2, words.core).bind(3, words.engine).bind(4, words.context);
  add.bind(5, words.thread).bind(6, words.work_group).bind(7, words.slm).run();
}

Terms PointStore::read_words(std::int64_t study) {
  Terms words;
  auto found = database_.prepare("SELECT core, engine, context, thread, work_group, slm FROM words WHERE study = ?1");
  found.bind(1, study);
  if (found.step()) words = {found.text(0), found.text(1), found.text(2), found.text(3), found.text(4), found.text(5)};
  return words;
}

void PointStore::write_notes(const std::vector<std::string>& notes) {
  database_.prepare("DELETE FROM note WHERE study = ?1").bind(1, study_).run();
  auto add = database_.prepare("INSERT INTO note(study, position, text) VALUES(?1, ?2, ?3)");
  std::int64_t position = 0;
  for (const std::string& note : notes) add.bind(1, study_).bind(2, position++).bind(3, note).run();
}

std::vector<std::string> PointStore::read_notes(std::int64_t study) {
  std::vector<std::string> notes;
  auto found = database_.prepare("SELECT text FROM note WHERE study = ?1 ORDER BY position");
  found.bind(1, study);
  while (found.step()) notes.push_back(found.text(0));
  return notes;
}

StoredStudy PointStore::open_only_study() {
  const std::int64_t studies = database_.number("SELECT count(*) FROM study");
  if (studies != 1) database_.fail("holds " + std::to_string(studies) + " studies; one is needed");
  study_ = database_.number("SELECT id FROM study");
  content_ = database_.number("SELECT content FROM study");
  StoredStudy stored = read_study(study_);
  identity_ = identity_hash(stored.identity, stored.axes, stored.rules);
  content_hash_ = stored.identity.content;
  prepare();
  return stored;
}

StoredStudy PointStore::read_study(std::int64_t id) {
  StoredStudy stored;
  auto study = database_.prepare(
      "SELECT s.title, c.hash, s.program, s.zip, s.condition, s.sample, s.seed, s.shard, s.shards, s.equal_work "
      "FROM study s JOIN content c ON c.id = s.content WHERE s.id = ?1");
  if (!study.bind(1, id).step()) fail_as_damaged("study " + std::to_string(id) + " has no content");
  stored.identity.title = study.text(0);
  stored.identity.content = study.text(1);
  stored.identity.program = study.text(2);
  stored.rules.zip = study.number(3) != 0;
  stored.rules.where = study.text(4);
  if (const auto sample = study.optional_number(5)) stored.rules.sample = static_cast<std::uint64_t>(*sample);
  stored.rules.seed = static_cast<std::uint64_t>(study.number(6));
  if (study.number(8) < 1 || study.number(7) < 1 || study.number(7) > study.number(8))
    fail_as_damaged("it is shard " + study.text(7) + " of " + study.text(8));
  stored.shard = {static_cast<std::uint64_t>(study.number(7)), static_cast<std::uint64_t>(study.number(8))};
  stored.identity.has_equal_work = study.number(9) != 0;
  read_axes(id, stored);
  auto constants = database_.prepare("SELECT name, value FROM constant WHERE study = ?1 ORDER BY name");
  constants.bind(1, id);
  while (constants.step()) stored.rules.constants.emplace_back(constants.text(0), exact_number(constants.text(1)));
  stored.identity.words = read_words(id);
  stored.identity.notes = read_notes(id);
  return stored;
}

void PointStore::read_axes(std::int64_t study, StoredStudy& stored) {
  auto axes = database_.prepare("SELECT name, own FROM axis WHERE study = ?1 ORDER BY axis");
  axes.bind(1, study);
  while (axes.step()) {
    stored.axes.push_back({axes.text(0), {}});
    const auto own = axes.optional_number(1);
    stored.identity.own_values.push_back(own ? std::optional(static_cast<std::size_t>(*own)) : std::nullopt);
  }
  auto values = database_.prepare("SELECT axis, value FROM axis_value WHERE study = ?1 ORDER BY axis, position");
  values.bind(1, study);
  while (values.step()) {
    const auto axis = static_cast<std::size_t>(values.number(0));
    if (axis >= stored.axes.size()) fail_as_damaged("it has a value of axis " + values.text(0));
    stored.axes[axis].values.push_back(values.text(1));
  }
  for (std::size_t axis = 0; axis < stored.axes.size(); ++axis)
    if (const auto own = stored.identity.own_values[axis]; own && *own >= stored.axes[axis].values.size())
      fail_as_damaged("the scenario's own value of " + stored.axes[axis].name + " is not there");
}

namespace {

constexpr std::size_t kMaxMissingNamed = 10;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& message) {
  throw InputError({Diagnostic{"merge", message, file.string(), 0, 0, {}}});
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
  std::uint64_t position = 0;
  std::size_t named = 0;
  for (auto next = space.next(0); next; next = space.next(*next + 1), ++position) {
    if (store.has(*next)) continue;
    if (named++ < kMaxMissingNamed) names += (names.empty() ? " " : "; ") + space.name_of(*next);
    missing_shards.insert(shard_of(position, shards));
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

std::uint64_t shard_of(std::uint64_t position, std::uint64_t shards) {
  if (shards == 1) return 1;
  std::uint64_t sum = 0;  // the sum modulo `shards`: each digit is below `shards`
  for (; position > 0; position /= shards) sum = (sum + position % shards) % shards;
  return sum + 1;
}

std::uint64_t points_of(const Shard& shard, std::uint64_t points) {
  std::uint64_t count = points / shard.count;
  for (std::uint64_t position = points - points % shard.count; position < points; ++position)
    if (shard_of(position, shard.count) == shard.number) ++count;
  return count;
}

}  // namespace gdsim
