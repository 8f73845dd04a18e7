#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/infer/log/placement_log.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// `97.2 %`.
inline std::string percent_text(Ratio share) { return to_fixed({share.numerator * 100, share.denominator}, 1) + " %"; }

/// A key of `dispatch:` with its value, as a file has it: a word, a number, a list of numbers, or further keys.
struct RuleKey {
  std::string key;
  std::string word;
  std::vector<std::uint64_t> numbers = {};
  std::vector<RuleKey> keys = {};
  enum class Shape : std::uint8_t { word, number, list, mapping } kind = Shape::word;
};

/// A mapping in the order of its keys.
using RuleKeys = std::vector<RuleKey>;

RuleKey word_key(std::string key, std::string word);
RuleKey number_key(std::string key, std::uint64_t number);
RuleKey mapping_key(std::string key, RuleKeys keys);

RuleKey batch_key(const BatchRule& batch);
RuleKey tie_order_key(const TieOrder& order);

/// The value of a key.
YamlValue value_of(const RuleKey& key);
/// `{placement: most_room, tie_order: evens_then_odds}`, to be pasted after `dispatch:`.
std::string to_yaml(const RuleKeys& keys);
/// Writes the keys as the next value.
void write_json(const RuleKeys& keys, JsonWriter& json);

/// The number of rules that fit.
enum class Verdict : std::uint8_t { one, several, none };

/// Returns `one`, `several` or `none`.
std::string_view name_of(Verdict verdict);

/// A decision for which rules choose another core than the log's.
struct WrongDecision {
  std::string launch;
  std::uint64_t work_group = 0;
  std::uint32_t line = 0;                 ///< of the log
  std::optional<std::uint32_t> expected;  ///< the core that the rules choose; nullopt: they would wait
  std::uint32_t seen = 0;                 ///< the core of the log
  bool has_room = true;                   ///< the log's core has room, with all earlier work-groups on the log's cores
};

/// `launch k, work-group 17 (line 18): core 5 expected, 3 seen`.
std::string to_text(const WrongDecision& wrong);

/// Rules of dispatch, and the degree to which they explain a log.
struct RuleCandidate {
  RuleKeys rules;
  std::uint32_t groups = 0;  ///< of cores, where the device names no such level; 0: not needed
  bool fits = false;         ///< it explains the log, and no other candidate does so better
  std::uint64_t launches_exact = 0;
  std::uint64_t launches = 0;
  Ratio share;                               ///< of work-groups on the right core
  Ratio chance;                              ///< the expected share of a random choice among the cores with room
  std::uint64_t like = 1;                    ///< tried combinations with the same result for this log
  std::optional<WrongDecision> first_wrong;  ///< nullopt: every decision is right
  std::vector<std::string> inexact;          ///< launches that are not exact
};

/// `{...}`, and the groups of cores that the rules need but the device does not name.
std::string to_yaml(const RuleCandidate& candidate);
/// As above, shortened for a sentence or a line.
std::string short_text(const RuleCandidate& candidate);

/// The result for a part of a log.
struct PartVerdict {
  std::string part;      ///< `first wave`, `replacements`
  std::string launches;  ///< the launch's name; empty: all
  Verdict verdict = Verdict::none;
  std::uint64_t decisions = 0;  ///< with a choice of cores
  Ratio share;                  ///< the best rule's, of these decisions
  Ratio chance;
  std::vector<RuleKeys> rules;  ///< the rules that fit
  std::string sentence;
};

/// A continuous parameter estimated from a log, with the interval that contains it in 19 of 20 cases.
struct TimeEstimate {
  std::string name;  ///< `interval`, `recovery`, `launch_cost`
  std::string value;
  std::string low;
  std::string high;
  std::uint64_t samples = 0;
  std::string how;  ///< the data used, and the assumptions
};

/// The rules that may have made a log.
struct Inference {
  std::string log;
  std::string device;
  std::uint64_t launches = 0;
  std::uint64_t work_groups = 0;
  std::uint64_t judged = 0;               ///< work-groups
  std::uint64_t open = 0;                 ///< decisions among these with more than one core that had room
  std::uint64_t tried = 0;                ///< combinations of rules
  std::vector<RuleCandidate> candidates;  ///< the best first
  Verdict verdict = Verdict::none;
  std::string sentence;
  std::vector<PartVerdict> parts;
  std::vector<TimeEstimate> times;
  std::vector<std::string> notes;
};

/// For a person: the sentence, the results for parts, a table of the best rules, times, and the assumptions.
std::string inference_text(const Inference& inference);
/// `{candidates: [{rules, launches_exact, launches, share, chance, ...}], verdict, sentence, ...}`.
void write_inference_json(const Inference& inference, Sink& sink);
/// A row per candidate.
void write_inference_csv(const Inference& inference, Sink& sink);

/// Separates launches of one session, which share a clock, if cores had to hold more than they can because launches
/// overlap, while no single launch exceeds a core. Every launch then becomes a session of its own, with a note.
void separate_launches(PlacementLog& log, const DeviceSpec& device);

/// Returns the times for which slots of cores were free before work-groups took them again, ascending. The slot that
/// has been free longest is taken, so that a recovery is no longer than any of these. Only for sessions whose
/// work-groups all have the same needs; empty without times.
std::vector<std::int64_t> slot_gaps(const PlacementLog& log, const std::vector<LogFootprints>& footprints);

/// A log with the device that made it, ready to be replayed.
struct PreparedLog {
  PlacementLog log;
  DeviceSpec device;
  std::vector<LogFootprints> footprints;          ///< by session
  std::vector<LogFootprints> partial_footprints;  ///< by session, for work-groups that are admitted in part
  std::vector<std::int64_t> gaps;                 ///< slot_gaps()
  std::vector<std::int64_t> recoveries;           ///< to be tried first, in units of LoggedGroup::start
};

/// Prepares a log. Problems with the log and the device, such as work-groups that no core holds, are added with their
/// places; then the result is not usable.
PreparedLog prepare_log(const SourceText& source, PlacementLog log, const DeviceSpec& model, Diagnostics& problems);

}  // namespace gdsim
