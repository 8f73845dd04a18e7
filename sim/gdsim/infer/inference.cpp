#include <gdsim/infer/inference.hpp>

#include <gdsim/infer/log/placement_log.hpp>

#include <algorithm>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

RuleKey count_key(std::string key, const PerCoreCount& count) {
  RuleKeys keys;
  if (count.per_core > 0) keys.push_back(number_key("per_core", count.per_core));
  if (count.plus > 0) keys.push_back(number_key("plus", count.plus));
  return mapping_key(std::move(key), std::move(keys));
}

YamlValue value_of(const RuleKeys& keys) {
  YamlValue value = YamlValue::in_line();
  for (const RuleKey& key : keys) value.entry(key.key, value_of(key));
  return value;
}

}  // namespace

YamlValue value_of(const RuleKey& key) {
  switch (key.kind) {
    case RuleKey::Shape::word: return YamlValue::word(key.word);
    case RuleKey::Shape::number: return key.numbers.front();
    case RuleKey::Shape::mapping: return value_of(key.keys);
    case RuleKey::Shape::list: break;
  }
  return YamlValue::list_in_line({key.numbers.begin(), key.numbers.end()});
}

RuleKey word_key(std::string key, std::string word) { return {std::move(key), std::move(word)}; }

RuleKey number_key(std::string key, std::uint64_t number) {
  return {std::move(key), {}, {number}, {}, RuleKey::Shape::number};
}

RuleKey mapping_key(std::string key, RuleKeys keys) {
  return {std::move(key), {}, {}, std::move(keys), RuleKey::Shape::mapping};
}

RuleKey batch_key(const BatchRule& batch) {
  RuleKeys keys{number_key("work_groups", batch.work_groups)};
  if (batch.work_groups > 1) {
    for (const auto& [key, count] :
         {std::pair("grid_at_least", batch.grid_at_least), {"left_at_least", batch.left_at_least}})
      if (count.per_core > 0 || count.plus > 0) keys.push_back(count_key(key, count));
  }
  return mapping_key("batch", std::move(keys));
}

RuleKey tie_order_key(const TieOrder& order) {
  if (order.kind != TieOrder::Pattern::listed)
    return word_key("tie_order", order.kind == TieOrder::Pattern::ascending ? "ascending" : "evens_then_odds");
  RuleKey key{"tie_order", {}, {}, {}, RuleKey::Shape::list};
  for (const CoreId core : order.cores) key.numbers.push_back(index_of(core));
  return key;
}

std::string to_yaml(const RuleKeys& keys) { return value_of(keys).line(); }

void write_json(const RuleKeys& keys, JsonWriter& json) {
  json.open_object();
  for (const RuleKey& key : keys) {
    json.key(key.key);
    switch (key.kind) {
      case RuleKey::Shape::word: json.text(key.word); break;
      case RuleKey::Shape::number: json.count(key.numbers.front()); break;
      case RuleKey::Shape::mapping: write_json(key.keys, json); break;
      case RuleKey::Shape::list:
        json.open_list();
        for (const std::uint64_t number : key.numbers) json.count(number);
        json.close_list();
        break;
    }
  }
  json.close_object();
}

namespace {

/// Returns a session for each launch.
std::vector<LogSession> apart(const LogSession& session) {
  std::vector<LogSession> sessions;
  for (const LoggedLaunch& launch : session.launches)
    sessions.push_back({launch.name, session.cores, session.is_in_order, {launch}});
  return sessions;
}

}  // namespace

void separate_launches(PlacementLog& log, const DeviceSpec& device) {
  if (log.time == LogTime::none) return;
  std::vector<LogSession> sessions;
  bool is_separated = false;
  for (LogSession& session : log.sessions) {
    std::vector<LogSession> parts = apart(session);
    const auto is_overfull = [&](const LogSession& part) { return holds_more_than_fit(part, log.time, device); };
    if (parts.size() > 1 && is_overfull(session) && std::none_of(parts.begin(), parts.end(), is_overfull)) {
      is_separated = true;
      for (LogSession& part : parts) sessions.push_back(std::move(part));
    } else {
      sessions.push_back(std::move(session));
    }
  }
  log.sessions = std::move(sessions);
  if (is_separated)
    log.notes.push_back(
        "launches would overlap so that cores held more than they can: each launch is taken by itself, with a clock of "
        "its own");
}

namespace {

struct OfCore {
  std::uint64_t never_used = 0;
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> ends;  ///< of those that hold a slot
  std::queue<std::int64_t> free_since;
};

void add_gaps(const LogSession& session, std::uint64_t slots, std::vector<std::int64_t>& gaps) {
  std::vector<const LoggedGroup*> groups;
  for (const LoggedLaunch& launch : session.launches)
    for (const LoggedGroup& group : launch.groups) groups.push_back(&group);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const LoggedGroup* a, const LoggedGroup* b) { return a->start < b->start; });
  std::vector<OfCore> cores(session.cores);
  for (OfCore& core : cores) core.never_used = slots;
  for (const LoggedGroup* group : groups) {
    OfCore& core = cores[group->core];
    for (; !core.ends.empty() && core.ends.top() <= group->start; core.ends.pop())
      core.free_since.push(core.ends.top());
    if (core.never_used > 0) {
      --core.never_used;
    } else if (!core.free_since.empty()) {
      gaps.push_back(group->start - core.free_since.front());
      core.free_since.pop();
    } else {
      continue;  // more than there are slots: no evidence
    }
    core.ends.push(group->end);
  }
}

}  // namespace

std::vector<std::int64_t> slot_gaps(const PlacementLog& log, const std::vector<LogFootprints>& footprints) {
  std::vector<std::int64_t> gaps;
  if (log.time == LogTime::none) return gaps;
  for (std::size_t i = 0; i < log.sessions.size(); ++i) {
    const auto& needs = footprints[i].of_launch;
    const bool are_equal =
        std::all_of(needs.begin(), needs.end(), [&](const Footprint& footprint) { return footprint == needs.front(); });
    if (are_equal) add_gaps(log.sessions[i], how_many_fit(needs.front(), Amounts{}), gaps);
  }
  std::sort(gaps.begin(), gaps.end());
  return gaps;
}

PreparedLog prepare_log(const SourceText& source, PlacementLog log, const DeviceSpec& model, Diagnostics& problems) {
  PreparedLog prepared;
  prepared.device = device_of_log(model, log, source, problems);
  prepared.log = std::move(log);
  if (!problems.empty()) return prepared;
  separate_launches(prepared.log, prepared.device);
  for (const LogSession& session : prepared.log.sessions) {
    std::vector<std::string> known;
    prepared.footprints.push_back(
        footprints_of(session, prepared.log.time, prepared.device, Admission::whole, prepared.log.notes, problems));
    prepared.partial_footprints.push_back(
        footprints_of(session, prepared.log.time, prepared.device, Admission::partial, known, problems));
  }
  if (!problems.empty()) return prepared;
  prepared.gaps = slot_gaps(prepared.log, prepared.footprints);
  prepared.recoveries = {0};
  if (!prepared.gaps.empty() && prepared.gaps.front() > 0) prepared.recoveries.push_back(prepared.gaps.front());
  if (prepared.log.recovery) prepared.recoveries = {*prepared.log.recovery};
  return prepared;
}

}  // namespace gdsim
