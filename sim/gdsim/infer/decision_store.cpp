#include <gdsim/infer/decision_store.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/store/store_digests.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace gdsim {
namespace {

constexpr std::size_t kDigits = 16;  ///< of a word, in hexadecimal

std::string text_of(const DecisionBits& bits) {
  std::string text;
  for (std::size_t i = 0; i < bits.words(); ++i) text += fmt::format("{:016x}", bits.word(i));
  return text;
}

std::optional<DecisionBits> bits_of(const std::string& text, std::uint64_t decisions) {
  DecisionBits bits(decisions);
  if (text.size() != bits.words() * kDigits) return std::nullopt;
  for (std::size_t i = 0; i < bits.words(); ++i) {
    const char* begin = text.data() + i * kDigits;
    const auto [end, error] = std::from_chars(begin, begin + kDigits, bits.word(i), 16);
    if (error != std::errc() || end != begin + kDigits) return std::nullopt;
  }
  return bits;
}

std::string digest_of(std::uint64_t part, const std::string& text) {
  return ContentHash().add(std::to_string(part)).add(text).finish();
}

/// The identification at the beginning of a file.
struct FileHead {
  InferenceIdentity identity;
  Shard shard;
  std::uint64_t parts = 0;
  std::uint64_t decisions = 0;
};

FileHead head_of(Database& database) {
  if (!database.has_table("inference")) database.fail("is no file of `gdsim infer --shard`");
  FileHead head;
  head.identity = {database.text("SELECT program FROM inference"), database.text("SELECT content FROM inference")};
  const auto number = [&](const char* column) {
    return static_cast<std::uint64_t>(database.number(std::string("SELECT ") + column + " FROM inference"));
  };
  head.shard = {number("shard"), number("shards")};
  head.parts = number("parts");
  head.decisions = number("decisions");
  return head;
}

void require_same(Database& database, const FileHead& head, const InferenceIdentity& identity, std::uint64_t parts,
                  std::uint64_t decisions) {
  if (head.identity.program != identity.program)
    database.fail("was written by " + printable(head.identity.program) + ", and not by " + identity.program);
  if (head.identity.content != identity.content || head.parts != parts || head.decisions != decisions)
    database.fail("is of another inference: its log, device or models differ");
  if (head.shard.count == 0 || head.shard.number == 0 || head.shard.number > head.shard.count)
    database.fail("is damaged: it is of no shard");
}

}  // namespace

DecisionStore::DecisionStore(const std::filesystem::path& file, const InferenceIdentity& identity, const Shard& shard,
                             std::uint64_t parts, std::uint64_t decisions)
    : database_(file) {
  if (!database_.has_table("inference")) {
    Transaction transaction(database_);
    database_.run(
        "CREATE TABLE inference(program TEXT, content TEXT, shard INTEGER, shards INTEGER, parts INTEGER, decisions "
        "INTEGER); CREATE TABLE decision(part INTEGER PRIMARY KEY, bits TEXT, digest TEXT)");
    auto insert = database_.prepare("INSERT INTO inference VALUES(?, ?, ?, ?, ?, ?)");
    insert.bind(1, identity.program).bind(2, identity.content);
    insert.bind(3, static_cast<std::int64_t>(shard.number)).bind(4, static_cast<std::int64_t>(shard.count));
    insert.bind(5, static_cast<std::int64_t>(parts)).bind(6, static_cast<std::int64_t>(decisions));
    insert.run();
    transaction.commit();
  }
  const FileHead head = head_of(database_);
  require_same(database_, head, identity, parts, decisions);
  if (head.shard.number != shard.number || head.shard.count != shard.count)
    database_.fail(fmt::format("is that of shard {}/{}", head.shard.number, head.shard.count));
}

bool DecisionStore::has(std::uint64_t part) {
  auto find = database_.prepare("SELECT 1 FROM decision WHERE part = ?");
  find.bind(1, static_cast<std::int64_t>(part));
  return find.step();
}

void DecisionStore::add(std::uint64_t part, const DecisionBits& right) {
  const std::string text = text_of(right);
  auto insert = database_.prepare("INSERT OR REPLACE INTO decision VALUES(?, ?, ?)");
  const std::string digest = digest_of(part, text);
  insert.bind(1, static_cast<std::int64_t>(part)).bind(2, text).bind(3, digest);
  insert.run();
}

KnownDecisions merge_decisions(std::span<const std::filesystem::path> files, const InferenceIdentity& identity,
                               std::uint64_t parts, std::uint64_t decisions) {
  KnownDecisions known;
  std::uint64_t shards = 1;
  for (const std::filesystem::path& file : files) {
    if (!std::filesystem::exists(file))
      throw InputError({Diagnostic{"merge", "there is no such file", file.string(), 0, 0, {}}});
    ReadBudget budget(file.string());
    Database database = Database::to_read(file, budget);
    const FileHead head = head_of(database);
    require_same(database, head, identity, parts, decisions);
    shards = std::max(shards, head.shard.count);
    auto rows = database.prepare("SELECT part, bits, digest FROM decision ORDER BY part");
    while (rows.step()) {
      const auto part = static_cast<std::uint64_t>(rows.number(0));
      const std::string text = rows.text(1);
      auto bits = bits_of(text, decisions);
      if (!bits || part >= parts || rows.text(2) != digest_of(part, text)) database.fail("is damaged");
      const auto [found, is_new] = known.emplace(part, *bits);
      if (!is_new && !(found->second == *bits)) database.fail("says otherwise than another file of the same shard");
    }
  }
  std::set<std::uint64_t> missing;
  for (std::uint64_t part = 0; part < parts; ++part)
    if (!known.contains(part)) missing.insert(shard_of(part, shards));
  if (missing.empty()) return known;
  std::string list;
  for (const std::uint64_t shard : missing) list += fmt::format("{}{}/{}", list.empty() ? "" : ", ", shard, shards);
  throw InputError("not all choices of cores were decided; run these shards: " + list);
}

}  // namespace gdsim
