#include <gdsim/scenario/workload/launch_names.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/workload/launch_graph.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace gdsim {

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
    const MapReader map(item, "after", keys::kAfter, values_);
    Until when = Until::ended;
    map.read("when", when, &ValueReader::choice<Until>, std::span(whens));
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
