#include <gdsim/infer/decision_store.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/store/point_store.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
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

std::string digest_of(std::uint64_t choice, const std::string& text) {
  return ContentHash().add(std::to_string(choice)).add(text).finish();
}

/// The identification at the beginning of a file.
struct FileHead {
  InferenceIdentity identity;
  Shard shard;
  std::uint64_t choices = 0;
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
  head.choices = number("parts");
  head.decisions = number("decisions");
  return head;
}

void require_same(Database& database, const FileHead& head, const InferenceIdentity& identity, std::uint64_t choices,
                  std::uint64_t decisions) {
  if (head.identity.program != identity.program)
    database.fail("was written by " + printable(head.identity.program) + ", and not by " + identity.program);
  if (head.identity.content != identity.content || head.choices != choices || head.decisions != decisions)
    database.fail("is of another inference: its log, device or models differ");
  if (head.shard.count == 0 || head.shard.number == 0 || head.shard.number > head.shard.count)
    database.fail("is damaged: it is of no shard");
}

}  // namespace

DecisionStore::DecisionStore(const std::filesystem::path& file, const InferenceIdentity& identity, const Shard& shard,
                             std::uint64_t choices, std::uint64_t decisions)
    : database_(file) {
  if (!database_.has_table("inference")) {
    Transaction transaction(database_);
    database_.run(
        "CREATE TABLE inference(program TEXT, content TEXT, shard INTEGER, shards INTEGER, parts INTEGER, decisions "
        "INTEGER); CREATE TABLE decision(part INTEGER PRIMARY KEY, bits TEXT, digest TEXT)");
    auto insert = database_.prepare("INSERT INTO inference VALUES(?, ?, ?, ?, ?, ?)");
    insert.bind(1, identity.program).bind(2, identity.content);
    insert.bind(3, static_cast<std::int64_t>(shard.number)).bind(4, static_cast<std::int64_t>(shard.count));
    insert.bind(5, static_cast<std::int64_t>(choices)).bind(6, static_cast<std::int64_t>(decisions));
    insert.run();
    transaction.commit();
  }
  const FileHead head = head_of(database_);
  require_same(database_, head, identity, choices, decisions);
  if (head.shard.number != shard.number || head.shard.count != shard.count)
    database_.fail(fmt::format("is that of shard {}/{}", head.shard.number, head.shard.count));
}

bool DecisionStore::has(std::uint64_t choice) {
  auto find = database_.prepare("SELECT 1 FROM decision WHERE part = ?");
  find.bind(1, static_cast<std::int64_t>(choice));
  return find.step();
}

void DecisionStore::add(std::uint64_t choice, const DecisionBits& right) {
  const std::string text = text_of(right);
  auto insert = database_.prepare("INSERT OR REPLACE INTO decision VALUES(?, ?, ?)");
  const std::string digest = digest_of(choice, text);
  insert.bind(1, static_cast<std::int64_t>(choice)).bind(2, text).bind(3, digest);
  insert.run();
}

KnownDecisions merge_decisions(std::span<const std::filesystem::path> files, const InferenceIdentity& identity,
                               std::uint64_t choices, std::uint64_t decisions) {
  KnownDecisions known;
  std::uint64_t shards = 1;
  for (const std::filesystem::path& file : files) {
    if (!std::filesystem::exists(file))
      throw InputError({Diagnostic{"merge", "there is no such file", file.string(), 0, 0, {}}});
    ReadBudget budget(file.string());
    Database database = Database::to_read(file, budget);
    const FileHead head = head_of(database);
    require_same(database, head, identity, choices, decisions);
    shards = std::max(shards, head.shard.count);
    auto rows = database.prepare("SELECT part, bits, digest FROM decision ORDER BY part");
    while (rows.step()) {
      const auto choice = static_cast<std::uint64_t>(rows.number(0));
      const std::string text = rows.text(1);
      auto bits = bits_of(text, decisions);
      if (!bits || choice >= choices || rows.text(2) != digest_of(choice, text)) database.fail("is damaged");
      const auto [found, is_new] = known.emplace(choice, *bits);
      if (!is_new && !(found->second == *bits)) database.fail("says otherwise than another file of the same shard");
    }
  }
  std::set<std::uint64_t> missing;
  for (std::uint64_t choice = 0; choice < choices; ++choice)
    if (!known.contains(choice)) missing.insert(shard_of(choice, shards));
  if (missing.empty()) return known;
  std::string list;
  for (const std::uint64_t shard : missing) list += fmt::format("{}{}/{}", list.empty() ? "" : ", ", shard, shards);
  throw InputError("not all choices of cores were decided; run these shards: " + list);
}

std::uint64_t bits_against_chance(const ChanceLevel& chance, std::uint64_t right) {
  if (chance.decisions == 0) return 0;
  const auto n = static_cast<double>(chance.decisions);
  const double found = static_cast<double>(right) / n;
  const double expected = static_cast<double>(chance.expected) / static_cast<double>(kCertain) / n;
  if (found <= expected || expected >= 1) return 0;
  if (expected <= 0) return right > 0 ? chance.decisions : 0;
  const double hit = found > 0 ? found * std::log2(found / expected) : 0;
  const double miss = found < 1 ? (1 - found) * std::log2((1 - found) / (1 - expected)) : 0;
  const double bits = n * (hit + miss);
  return bits > 0 ? static_cast<std::uint64_t>(bits) : 0;
}

std::uint64_t bits_of_choice(std::uint64_t alternatives) {
  return alternatives < 2 ? 0 : static_cast<std::uint64_t>(std::bit_width(alternatives - 1));
}

bool are_distinguishable(std::uint64_t more, std::uint64_t less) {
  const std::uint64_t all = more + less;
  // The tail of a fair coin, exactly: sum of C(n, k) for k from `more` on, against 2^n / 20.
  constexpr std::uint64_t max_exact = 100;
  if (all > max_exact) {
    // For larger n, by Chebyshev's bound: more - less lies within sqrt(20 n) of 0 in at least 19 of 20 cases.
    const UInt128 difference = more > less ? more - less : 0;
    return difference * difference > UInt128{20} * all;
  }
  UInt128 tail = 0;
  UInt128 coefficient = 1;  // C(n, n)
  for (std::uint64_t k = all;; --k) {
    if (k < more) break;
    tail += coefficient;
    if (k == 0) break;
    coefficient = coefficient * k / (all - k + 1);
  }
  return tail * 20 <= (UInt128{1} << all);
}

bool is_distinguishably_better(std::uint64_t better, std::uint64_t other, std::uint64_t both) {
  const std::uint64_t more = better - both;
  const std::uint64_t less = other - both;
  return (less == 0 && more > 0) || are_distinguishable(more, less);
}

namespace {

void add(DecisionSet& set, const ReplayStep& step) {
  set.bits.set(step.bit);
  set.chance.add(step.candidates, step.fits);
}

}  // namespace

DecisionMasks decision_masks(const PlacementLog& log, const std::vector<Replay>& replays, LogClock clock) {
  const DecisionSet none{DecisionBits(log.groups()), {}};
  DecisionMasks masks{none, none, none, none, none.bits, {}};
  std::uint32_t bit = 0;
  for (const LogSession& session : log.sessions)
    for (const LoggedLaunch& launch : session.launches) {
      const auto count = static_cast<std::uint32_t>(launch.groups.size());
      const bool is_named = session.name.find(launch.name) != std::string::npos || log.sessions.size() == 1;
      const std::string& name = log.sessions.size() == 1 ? launch.name : session.name;
      masks.launches.push_back({is_named ? name : session.name + " " + launch.name, bit, bit + count, 0});
      bit += count;
    }
  std::size_t first_launch = 0;
  for (std::size_t i = 0; i < replays.size(); ++i) {
    for (const ReplayStep& step : replays[i].steps) {
      add(masks.judged, step);
      ++masks.launches[first_launch + step.launch].judged;
      if (step.continues_launch && step.repeats_core) masks.repeats.set(step.bit);
      if (step.candidates < 2 && step.fits) continue;
      if (step.is_uncertain || (clock == LogClock::coarse && step.is_released_now)) continue;
      add(masks.open, step);
      add(step.is_first_wave ? masks.first_wave : masks.replacements, step);
    }
    first_launch += log.sessions[i].launches.size();
  }
  return masks;
}

DecisionSet of_launch(const DecisionSet& set, const LaunchDecisions& launch, const std::vector<Replay>& replays) {
  DecisionSet part{DecisionBits(set.bits.words() * 64), {}};
  for (const Replay& replay : replays)
    for (const ReplayStep& step : replay.steps)
      if (launch.first <= step.bit && step.bit < launch.last && set.bits.test(step.bit)) add(part, step);
  return part;
}

}  // namespace gdsim
