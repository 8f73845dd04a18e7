#include "scaling/judge.hpp"
#include "support/texts.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <utility>

namespace gdsim::scaling {
namespace {

using namespace gdsim::testing;

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::string millions(Instructions count) { return decimal(static_cast<double>(count) / 1e6) + " M"; }

bool is_above(Instructions value, double times, Instructions of, Instructions slack) {
  return static_cast<double>(value) >
         times * static_cast<double>(std::max<Instructions>(of, 0)) + static_cast<double>(slack);
}

std::string ratio(Instructions value, Instructions of) {
  return of <= 0 ? "" : decimal(static_cast<double>(value) / static_cast<double>(of));
}

/// Of what is counted beyond the smallest size, from one size to the next.
double most_growth(const std::vector<std::uint64_t>& sizes, std::size_t from, double most_per_doubling) {
  const auto beyond = [&](std::size_t size) { return static_cast<double>(sizes[size] - sizes.front()); };
  return most_per_doubling / 2 * beyond(from + 1) / beyond(from);
}

void add_growth(const Counts& counts, const std::vector<Instructions>& net, const char* way, double most_per_doubling,
                std::vector<std::string>& sentences) {
  for (std::size_t i = 1; i < net.size(); ++i)
    if (const double most = most_growth(counts.sizes, i, most_per_doubling);
        is_above(net[i], most, net[i - 1], kSlackOfGrowth))
      sentences.push_back(way + std::string(", ") + std::to_string(counts.sizes[i]) + " to " +
                          std::to_string(counts.sizes[i + 1]) + ": " + millions(net[i - 1]) + " to " +
                          millions(net[i]) + ", " + ratio(net[i], net[i - 1]) + " times; at most " + decimal(most));
}

/// Puts a value where it belongs; places that are not yet known hold -1.
void put(std::vector<Instructions>& values, std::size_t place, Instructions value) {
  if (values.size() <= place) values.resize(place + 1, -1);
  values[place] = value;
}

void require_all(const Counts& counts) {
  const auto has_gap = [&](const std::vector<Instructions>& values) {
    return values.size() < 2 || values.size() != counts.sizes.size() ||
           std::find(values.begin(), values.end(), -1) != values.end();
  };
  if (has_gap(counts.skipping) || has_gap(counts.plain))
    throw std::runtime_error("a run of " + counts.key + ", " + counts.rules + " was not counted");
}

}  // namespace

Net net_of(const Counts& counts) {
  const Instructions start_up = std::min(counts.skipping.front(), counts.plain.front());
  Net net;
  for (std::size_t i = 1; i < counts.skipping.size(); ++i) {
    net.skipping.push_back(counts.skipping[i] - start_up);
    net.plain.push_back(counts.plain[i] - start_up);
  }
  return net;
}

std::vector<std::string> exceeded(const Counts& counts, double most_per_doubling) {
  const Net net = net_of(counts);
  std::vector<std::string> sentences;
  add_growth(counts, net.skipping, "by default", most_per_doubling, sentences);
  add_growth(counts, net.plain, "with --no-fast-forward", most_per_doubling, sentences);
  for (std::size_t i = 0; i < net.plain.size(); ++i)
    if (is_above(net.skipping[i], kMostOfPlain, net.plain[i], kSlackOfPlain))
      sentences.push_back("of " + std::to_string(counts.sizes[i + 1]) + ": " + millions(net.skipping[i]) +
                          " by default, " + millions(net.plain[i]) + " with --no-fast-forward, " +
                          ratio(net.skipping[i], net.plain[i]) + " times; at most " + decimal(kMostOfPlain));
  return sentences;
}

std::vector<Counts> read_counts(const std::string& csv) {
  std::vector<Counts> all;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const std::string& line : lines_of(csv)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 6 || cells[5].empty()) throw std::runtime_error("not counted: " + line);
    const auto [at, is_new] = places.try_emplace({cells[0], cells[1]}, all.size());
    if (is_new) all.push_back({cells[0], cells[1], {}, {}, {}});
    Counts& counts = all[at->second];
    const std::size_t size = std::stoul(cells[3]);
    if (counts.sizes.size() <= size) counts.sizes.resize(size + 1);
    counts.sizes[size] = std::stoull(cells[2]);
    put(cells[4] == "skip" ? counts.skipping : counts.plain, size, std::stoll(cells[5]));
  }
  for (const Counts& counts : all) require_all(counts);
  return all;
}

std::string table_of(const std::vector<Counts>& all) {
  std::string text = "key,rules,count,instructions,instructions_no_skip,growth,growth_no_skip,of_no_skip\n";
  for (const Counts& counts : all) {
    const Net net = net_of(counts);
    for (std::size_t i = 0; i < net.plain.size(); ++i) {
      text += counts.key + "," + counts.rules + "," + std::to_string(counts.sizes[i + 1]) + "," +
              std::to_string(net.skipping[i]) + "," + std::to_string(net.plain[i]) + ",";
      text += i == 0 ? "," : ratio(net.skipping[i], net.skipping[i - 1]) + "," + ratio(net.plain[i], net.plain[i - 1]);
      text += "," + ratio(net.skipping[i], net.plain[i]) + "\n";
    }
  }
  return text;
}

}  // namespace gdsim::scaling
