#include <gdsim/scenario/expectations/expectations.hpp>

#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/limits.hpp>

#include <algorithm>
#include <unordered_map>

namespace gdsim {
namespace {

using Word = std::string_view;

constexpr std::array<std::pair<Word, Outcome>, 2> kOutcomes{
    {{"completed", Outcome::completed}, {"stalled", Outcome::deadlock}}};
constexpr std::array<std::pair<Word, ExpectationStatus>, 1> kStatuses{{{"known_gap", ExpectationStatus::known_gap}}};
/// Keys that qualify an item's expectation and are no expectation themselves.
constexpr std::array<Word, 3> kQualifiers{"within", "source", "status"};

class ExpectationReader {
 public:
  ExpectationReader(const std::vector<Launch>& launches, const ValueReader& values) : values_(values) {
    for (std::size_t i = 0; i < launches.size(); ++i) launches_.emplace(launches[i].name, static_cast<LaunchId>(i));
  }

  std::optional<Expectation> read(const YamlNode& node) const {
    const MapReader map(node, "expect", keys::kExpectation, values_);
    if (!map.is_usable()) return std::nullopt;
    const YamlEntry* subject = the_subject(node);
    if (subject == nullptr) return std::nullopt;
    Expectation expectation;
    expectation.key = subject->key;
    expectation.mark = subject->key_mark;
    map.read("source", expectation.source);
    map.read("status", expectation.status, kStatuses);
    if (const YamlNode* within = map.find("within")) read_within(*within, expectation);
    auto item = read_item(subject->key, subject->value);
    if (!item) return std::nullopt;
    expectation.item = std::move(*item);
    return expectation;
  }

 private:
  /// Returns the one key that is expected; if there is none or more than one, reports this and returns null.
  const YamlEntry* the_subject(const YamlNode& node) const {
    const YamlEntry* subject = nullptr;
    for (const YamlEntry& entry : node.entries) {
      if (std::find(kQualifiers.begin(), kQualifiers.end(), entry.key) != kQualifiers.end()) continue;
      if (std::find(keys::kExpectation.begin(), keys::kExpectation.end(), entry.key) == keys::kExpectation.end())
        return nullptr;
      if (subject != nullptr) {
        values_.problems().add(entry.key_mark, "expect: one item expects one thing; " + in_quotes(subject->key) +
                                                   " stands here already, begin a new item with '- '");
        return nullptr;
      }
      subject = &entry;
    }
    if (subject == nullptr)
      values_.problems().add(node.mark, "expect: the item expects nothing; known: " + join(keys::kExpectation));
    return subject;
  }

  void read_within(const YamlNode& node, Expectation& expectation) const {
    const std::string& key = expectation.key;
    constexpr std::array<Word, 5> occupancies{"phases", "peak_occupancy", "mean_occupancy", "achieved_occupancy",
                                              "cores"};
    const bool is_time = key == "duration" || key == "active" || key == "launches" || key == "phase_durations";
    if (std::find(occupancies.begin(), occupancies.end(), key) != occupancies.end()) {
      expectation.within.points = percent(node, "within (percentage points)");
    } else if (key == "running_threads") {
      expectation.within.threads = values_.decimal(node, "within (threads)");
    } else if (is_time && node.is_scalar() && node.text.ends_with('%')) {
      read_percent(node, expectation.within.percent);
    } else if (is_time) {
      expectation.within.time =
          values_.quantity<Duration>(node, "within (a time, or percent as in 2 %)", parse_duration);
    } else {
      values_.fail(node, "within", in_quotes(key) + " is compared exactly; leave the tolerance out");
    }
  }

  /// Reads a percentage, written without its sign.
  std::optional<Decimal> percent(const YamlNode& node, Word name) const {
    const auto number = percent_number(node);
    if (!number) return values_.decimal(node, name);
    values_.fail(node, name,
                 "is " + describe(node) + "; percent stand here without their sign" +
                     (parse_decimal(*number).value ? ", as in `" + std::string(*number) + "`" : ""));
    return std::nullopt;
  }

  void read_percent(const YamlNode& node, std::optional<Decimal>& percent) const {
    const Parsed<Decimal> parsed = parse_decimal(percent_number(node).value_or(node.text));
    if (!parsed.value) values_.fail(node, "within", describe(node) + " " + parsed.problem);
    percent = parsed.value;
  }

  std::optional<ExpectedItem> read_item(Word key, const YamlNode& node) const {
    if (key == "phases") return read_list(node, key, &ExpectationReader::read_phases);
    if (key == "phase_threads") return read_list(node, key, &ExpectationReader::read_phase_threads);
    if (key == "running_threads") return read_list(node, key, &ExpectationReader::read_running_threads);
    if (key == "phase_durations") return read_list(node, key, &ExpectationReader::read_phase_durations);
    if (key == "achieved_occupancy") return wrap<ExpectedAchievedOccupancy>(percent(node, key));
    if (key == "cores") return read_cores(node);
    if (key == "share_on_core") return read_share_on_core(node);
    if (key == "launches") return read_launches(node);
    if (key == "placement") return read_placement(node);
    if (key == "peak_occupancy") return wrap<ExpectedPeakOccupancy>(percent(node, key));
    if (key == "mean_occupancy") return wrap<ExpectedMeanOccupancy>(percent(node, key));
    if (key == "duration") return wrap<ExpectedDuration>(values_.quantity<Duration>(node, key, parse_duration));
    if (key == "active") return wrap<ExpectedActive>(values_.quantity<Duration>(node, key, parse_duration));
    if (key == "outcome") return wrap<ExpectedOutcome>(values_.choice<Outcome>(node, key, std::span(kOutcomes)));
    return read_refusal(node);
  }

  template <class Item, class Value>
  static std::optional<ExpectedItem> wrap(std::optional<Value> value) {
    if (!value) return std::nullopt;
    return Item{*value};
  }

  std::optional<ExpectedItem> read_list(const YamlNode& node, Word key,
                                        ExpectedItem (ExpectationReader::*member)(const YamlNode&) const) const {
    if (values_.list(node, key) == nullptr) return std::nullopt;
    return (this->*member)(node);
  }

  ExpectedItem read_phases(const YamlNode& list) const {
    ExpectedPhases phases;
    for (const YamlNode& item : list.items)
      if (const auto percent_of_phase = percent(item, "phases")) phases.percent.push_back(*percent_of_phase);
    return phases;
  }

  ExpectedItem read_phase_threads(const YamlNode& list) const {
    ExpectedPhaseThreads phases;
    for (const YamlNode& item : list.items)
      if (const auto threads = values_.whole(item, "phase_threads")) phases.threads.push_back(*threads);
    return phases;
  }

  ExpectedItem read_running_threads(const YamlNode& list) const {
    ExpectedRunningThreads phases;
    for (const YamlNode& item : list.items)
      if (const auto threads = values_.decimal(item, "running_threads")) phases.threads.push_back(*threads);
    return phases;
  }

  ExpectedItem read_phase_durations(const YamlNode& list) const {
    ExpectedPhaseDurations phases;
    for (const YamlNode& item : list.items)
      if (const auto time = values_.quantity<Duration>(item, "phase_durations", parse_duration))
        phases.times.push_back(*time);
    return phases;
  }

  /// Reads a number that is the key of a mapping.
  template <class Id>
  std::optional<Id> number_of(const YamlEntry& entry, Word name) const {
    const auto number = values_.whole32(entry.key_node(), name);
    return number ? std::optional(Id{*number}) : std::nullopt;
  }

  std::optional<ExpectedItem> read_cores(const YamlNode& node) const {
    if (values_.mapping(node, "cores") == nullptr) return std::nullopt;
    ExpectedCores peaks;
    for (const YamlEntry& entry : node.entries) {
      const auto core = number_of<CoreId>(entry, "cores");
      const auto peak = percent(entry.value, "cores (percent of a core)");
      if (core && peak) peaks.cores.push_back({*core, *peak});
    }
    if (node.entries.empty()) values_.fail(node, "cores", "names no core, as in {0: 14.29}");
    return peaks;
  }

  std::optional<ExpectedItem> read_share_on_core(const YamlNode& node) const {
    const MapReader map(node, "share_on_core", keys::kExpectationShareOnCore, values_);
    if (!map.is_usable()) return std::nullopt;
    ExpectedShareOnCore share;
    map.read_required("at_least", share.at_least_percent);
    if (const YamlNode* name = map.find("launch")) {
      if (const auto launch = launch_of(name->text, name->mark)) share.launch = *launch;
    } else if (launches_.size() > 1) {
      values_.fail(node, "share_on_core", "the scenario has several launches; add `launch: NAME`");
    }
    const YamlNode* measured = map.require("measured");
    if (measured == nullptr || values_.mapping(*measured, "measured") == nullptr) return std::nullopt;
    for (const YamlEntry& entry : measured->entries) {
      const auto group = number_of<WorkGroupId>(entry, "measured");
      const auto core = values_.whole32(entry.value, "measured (the core)");
      if (group && core) share.measured.push_back({*group, CoreId{*core}});
    }
    if (compare(share.at_least_percent, Decimal::whole(100)) > 0)
      values_.fail(*map.find("at_least"), "at_least", "is more than 100 %");
    return share;
  }

  std::optional<LaunchId> launch_of(const YamlEntry& entry) const { return launch_of(entry.key, entry.key_mark); }

  std::optional<LaunchId> launch_of(const std::string& name, const SourceMark& mark) const {
    const auto found = launches_.find(name);
    if (found != launches_.end()) return found->second;
    constexpr std::size_t few = 100;
    std::vector<std::string_view> names;
    if (launches_.size() <= few)
      for (const auto& [known, id] : launches_) names.emplace_back(known);
    std::sort(names.begin(), names.end());
    const bool is_of_each = std::any_of(launches_.begin(), launches_.end(),
                                        [&](const auto& known) { return known.first.starts_with(name + "."); });
    if (is_of_each) {
      values_.problems().add(mark, "expect: " + in_quotes(name) +
                                       " is a launch on each device; name one of them, as in " +
                                       in_quotes(name + ".DEVICE"));
      return std::nullopt;
    }
    values_.problems().add(
        mark, "expect: there is no launch " + in_quotes(name) + (names.empty() ? "" : "; known: " + join(names)));
    return std::nullopt;
  }

  std::optional<ExpectedItem> read_launches(const YamlNode& node) const {
    if (values_.mapping(node, "launches") == nullptr) return std::nullopt;
    ExpectedLaunchTimes times;
    for (const YamlEntry& entry : node.entries) {
      const MapReader map(entry.value, "launches", keys::kExpectationLaunches, values_);
      const auto launch = launch_of(entry);
      if (!launch || !map.is_usable()) continue;
      ExpectedLaunchTimes::Times item{*launch, {}, {}, {}, {}, {}};
      map.read("start", item.first_dispatched);
      map.read("end", item.ended);
      map.read("begun", item.begun);
      map.read("duration", item.duration);
      map.read("active", item.active);
      if (entry.value.entries.empty())
        values_.fail(entry.value, entry.key, "says nothing; known: " + join(keys::kExpectationLaunches));
      times.launches.push_back(item);
    }
    return times;
  }

  std::optional<ExpectedItem> read_placement(const YamlNode& node) const {
    if (values_.mapping(node, "placement") == nullptr) return std::nullopt;
    ExpectedPlacement placement;
    for (const YamlEntry& entry : node.entries) {
      const auto launch = launch_of(entry);
      if (!launch || values_.list(entry.value, "placement") == nullptr) continue;
      ExpectedPlacement::Cores cores{*launch, {}};
      for (const YamlNode& item : entry.value.items)
        if (const auto core = values_.whole32(item, "placement")) cores.cores.push_back(CoreId{*core});
      placement.launches.push_back(std::move(cores));
    }
    return placement;
  }

  std::optional<ExpectedItem> read_refusal(const YamlNode& node) const {
    if (std::find(kRefusalCodes.begin(), kRefusalCodes.end(), node.text) != kRefusalCodes.end())
      return ExpectedRefusal{node.text};
    values_.fail(node, "error", "is " + describe(node) + "; " + known_names(node.text, kRefusalCodes));
    return std::nullopt;
  }

  const ValueReader& values_;
  std::unordered_map<std::string, LaunchId> launches_;
};

}  // namespace

std::vector<Expectation> read_expectations(const YamlNode& node, const std::vector<Launch>& launches,
                                           const ValueReader& values) {
  std::vector<Expectation> expectations;
  if (values.list(node, "expect") == nullptr) return expectations;
  const ExpectationReader reader(launches, values);
  for (const YamlNode& item : node.items)
    if (auto expectation = reader.read(item)) expectations.push_back(std::move(*expectation));
  const auto refusal = std::find_if(expectations.begin(), expectations.end(), [](const Expectation& e) {
    return std::holds_alternative<ExpectedRefusal>(e.item);
  });
  if (refusal != expectations.end() && node.items.size() > 1)
    values.problems().add(refusal->mark,
                          "expect: an item `error:` stands alone: a refused scenario has no other result");
  return expectations;
}

}  // namespace gdsim
