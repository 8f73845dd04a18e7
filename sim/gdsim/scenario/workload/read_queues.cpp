#include <gdsim/base/decimal.hpp>
#include <gdsim/base/keys.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/workload/read_workload.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace gdsim {
namespace {

/// `3` or `0-2`.
std::optional<CoreRange> read_range(const YamlNode& node, const ValueReader& values) {
  const auto dash = node.is_scalar() ? node.text.find('-') : std::string::npos;
  if (dash == std::string::npos || dash == 0) {
    const auto core = values.whole32(node, "cores (a core, a range as in 0-2, or a list)");
    if (!core) return std::nullopt;
    return CoreRange{CoreId{*core}, CoreId{*core}};
  }
  YamlNode part = node;
  part.style = YamlNode::Style::plain;
  part.text = node.text.substr(0, dash);
  const auto first = values.whole32(part, "cores");
  part.text = node.text.substr(dash + 1);
  const auto last = values.whole32(part, "cores");
  if (!first || !last) return std::nullopt;
  if (*first <= *last) return CoreRange{CoreId{*first}, CoreId{*last}};
  values.fail(node, "cores", "is " + describe(node) + "; a range goes from the lower core to the higher");
  return std::nullopt;
}

bool has_overlap(CoreSelection selection) {
  std::sort(selection.begin(), selection.end());
  return std::adjacent_find(selection.begin(), selection.end(), [](const CoreRange& a, const CoreRange& b) {
           return b.first <= a.last;
         }) != selection.end();
}

}  // namespace

CoreSelection read_cores(const YamlNode& node, const ValueReader& values) {
  CoreSelection selection;
  if (!node.is_sequence()) {
    if (const auto range = read_range(node, values)) selection.push_back(*range);
    return selection;
  }
  if (node.items.empty()) values.fail(node, "cores", "is empty; leave it out to allow every core");
  for (const YamlNode& item : node.items)
    if (const auto range = read_range(item, values)) selection.push_back(*range);
  if (has_overlap(selection)) values.fail(node, "cores", "names a core twice");
  return normalized(std::move(selection));
}

namespace {

CoreSelection selection_of(const std::vector<std::uint32_t>& cores) {
  CoreSelection selection;
  for (const std::uint32_t core : cores) selection.push_back({CoreId{core}, CoreId{core}});
  return normalized(std::move(selection));
}

}  // namespace

CoreShares::CoreShares(std::optional<std::uint32_t> cores)
    : cores_(cores), is_named_(cores.value_or(0)), is_owned_(cores.value_or(0)) {}

void CoreShares::name(const CoreSelection& cores) {
  for (const CoreRange& range : cores)
    for (std::size_t core = index_of(range.first); core <= index_of(range.last) && core < is_named_.size(); ++core)
      is_named_[core] = true;
}

CoreSelection CoreShares::own_cores(const YamlNode& node, const ValueReader& values) {
  const MapReader map(node, "cores", keys::kOwnCores, values);
  std::uint32_t count = 0;
  std::uint32_t granule = 1;
  map.read_required("count", count);
  map.read("granule", granule);
  if (!cores_ || count == 0 || granule == 0) return {};
  const std::uint64_t whole = (std::uint64_t{count} + granule - 1) / granule * granule;
  std::vector<std::uint32_t> free;
  for (std::uint32_t core = 0; core < *cores_; ++core)
    if (!is_named_[core] && !is_owned_[core]) free.push_back(core);
  if (whole > free.size()) {
    values.fail(node, "cores",
                "needs " + std::to_string(whole) + " cores, but the other queues leave only " +
                    std::to_string(free.size()) + " of " + std::to_string(*cores_));
    return {};
  }
  free.resize(static_cast<std::size_t>(whole));
  for (const std::uint32_t core : free) is_owned_[core] = true;
  return selection_of(free);
}

CoreSelection CoreShares::share(const YamlNode& node, const ValueReader& values) {
  const auto text = percent_number(node);
  const Parsed<Decimal> percent = text ? parse_decimal(*text) : Parsed<Decimal>{};
  const bool is_share = percent.value && !percent.value->is_zero() && compare(*percent.value, Decimal::whole(100)) <= 0;
  if (!is_share) {
    values.fail(node, "share", "is " + describe(node) + "; a share must be above 0 % and at most 100 %: `share: 50 %`");
    return {};
  }
  if (!cores_ || *cores_ == 0) return {};
  const auto count = static_cast<std::uint64_t>(
      round_product_up({*percent.value}, {*cores_, 100}).value_or(static_cast<std::int64_t>(*cores_)));
  std::vector<std::uint32_t> ring;
  for (std::uint32_t core = 0; core < *cores_; ++core)
    if (!is_owned_[core]) ring.push_back(core);
  if (count > ring.size()) {
    values.fail(node, "share",
                "is " + std::to_string(count) + " cores, but queues with `cores: {count}` leave only " +
                    std::to_string(ring.size()) + " of " + std::to_string(*cores_));
    return {};
  }
  std::vector<std::uint32_t> taken;
  for (std::uint64_t i = 0; i < count; ++i) taken.push_back(ring[(next_ + i) % ring.size()]);
  next_ = (next_ + count) % ring.size();
  return selection_of(taken);
}

std::vector<Queue> read_queues(const YamlNode& node, std::optional<std::uint32_t> cores, const ValueReader& values) {
  constexpr std::array<std::pair<std::string_view, bool>, 2> nexts{{{"ended", false}, {"triggered", true}}};
  std::vector<Queue> queues;
  CoreShares shares(cores);
  if (values.mapping(node, "queues") == nullptr) return queues;
  for (const YamlEntry& entry : node.entries) {
    require_plain_name(entry.key, "queues", entry.key_mark, values.problems());
    const MapReader map(entry.value, "queue", keys::kQueue, values);
    Queue queue;
    queue.name = entry.key;
    map.read_keys(queue);
    map.read("next", queue.waits_for_triggers, nexts);
    if (queue.waits_for_triggers && queue.order != QueueOrder::in_order)
      values.fail(*map.find("next"), "next", "counts only where launches follow each other: `order: in_order`");
    if (const YamlNode* named = map.find("cores"); named != nullptr && !named->is_mapping()) {
      queue.cores = read_cores(*named, values);
      shares.name(queue.cores);
    }
    if (const YamlNode* share = map.find("share"); share != nullptr && map.find("cores") != nullptr)
      values.fail(*share, "share", "`share` and `cores` exclude each other; remove one");
    queues.push_back(std::move(queue));
  }
  for (const char* key : {"cores", "share"})
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const YamlNode& queue = node.entries[i].value;
      const YamlNode* value = queue.is_mapping() ? queue.find(key) : nullptr;
      if (value == nullptr) continue;
      if (key == std::string_view("share")) {
        if (queue.find("cores") == nullptr) queues[i].cores = shares.share(*value, values);
      } else if (value->is_mapping()) {
        queues[i].cores = shares.own_cores(*value, values);
      }
    }
  return queues;
}

void fail_unknown(const YamlNode& node, std::string_view key, const char* what, std::vector<std::string_view> names,
                  const ValueReader& values) {
  constexpr std::size_t few = 100;
  if (names.size() > few) names.clear();
  std::erase(names, "");
  std::sort(names.begin(), names.end());
  values.fail(node, key,
              "there is no " + std::string(what) + " " + describe(node) +
                  (names.empty() ? "" : "; " + known_names(node.text, names)));
}

std::string LaunchNames::next(const std::string& kernel) {
  std::string name;
  do {
    const std::size_t count = ++unnamed_[kernel];
    name = count == 1 ? kernel : kernel + "#" + std::to_string(count);
  } while (given_.contains(name));
  return name;
}

const LaunchNames::Named* LaunchNames::add(const std::string& name, const Named& launches) {
  const auto [known, is_new] = launches_.emplace(name, launches);
  return is_new ? nullptr : &known->second;
}

void LaunchNames::read_after(const YamlNode& list, std::uint64_t waiting, std::optional<std::uint32_t> device,
                             Launch& launch) {
  constexpr std::array<std::pair<std::string_view, Until>, 2> whens{
      {{"ended", Until::ended}, {"triggered", Until::triggered}}};
  if (values_.list(list, "after") == nullptr) return;
  waiting_ = waiting;
  device_ = device;
  for (const YamlNode& item : list.items) {
    if (!item.is_mapping()) {
      read_name(item, "after", launch.after);
      continue;
    }
    const MapReader map(item, "after", keys::kLaunchAfter, values_);
    Until when = Until::ended;
    map.read("when", when, whens);
    if (const YamlNode* name = map.require("launch"))
      read_name(*name, "launch", when == Until::ended ? launch.after : launch.after_triggers);
  }
}

void LaunchNames::read_waits(const YamlNode& list, std::uint64_t waiting, Launch& launch) {
  if (values_.list(list, "wait") == nullptr) return;
  waiting_ = waiting;
  device_.reset();
  for (const YamlNode& item : list.items)
    if (!read_name(item, "wait", launch.host_waits)) return;
}

bool LaunchNames::read_name(const YamlNode& item, std::string_view key, LazyVector<LaunchId>& named) {
  if (!values_.text(item, key)) return true;
  const auto found = launches_.find(item.text);
  if (found == launches_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, launches] : launches_) names.push_back(name);
    fail_unknown(item, key, "launch", std::move(names), values_);
    return true;
  }
  const Named& launches = found->second;
  const bool is_of_one = launches.devices > 0 && device_;
  const std::uint64_t step = is_of_one ? launches.devices : 1;
  const std::uint64_t count = is_of_one ? launches.count : launches.count * std::max(launches.devices, 1U);
  if (!add_links(item, key, count)) return false;
  const std::uint64_t first = launches.first + (is_of_one ? *device_ : 0);
  for (std::uint64_t i = 0; i < count; ++i) named.push_back(static_cast<LaunchId>(first + i * step));
  return true;
}

/// Counts the links of the waiting launches: if several wait, or each waits for several. Returns false, and says so of
/// `item`, if there are too many.
bool LaunchNames::add_links(const YamlNode& item, std::string_view key, std::uint64_t waited_for) {
  if (waited_for == 1 && waiting_ == 1) return true;
  if (waited_for <= (kMaxLinks - links_) / waiting_) {
    links_ += waited_for * waiting_;
    return true;
  }
  values_.fail(item, key,
               std::to_string(waiting_) + " launches that wait for " + std::to_string(waited_for) +
                   ": with those before, there are more than " + std::to_string(kMaxLinks) +
                   " waits; put them into an in-order queue, as in `queue: q`");
  return false;
}

}  // namespace gdsim
