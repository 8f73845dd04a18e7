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

/// Puts a value where it belongs; places that are not yet known hold -1.
void put(std::vector<Instructions>& values, std::size_t place, Instructions value) {
  if (values.size() <= place) values.resize(place + 1, -1);
  values[place] = value;
}

void require_all(const Counts& counts) {
  const std::vector<Instructions>& values = counts.instructions;
  if (values.size() < 2 || values.size() != counts.sizes.size() ||
      std::find(values.begin(), values.end(), -1) != values.end())
    throw std::runtime_error("a run of " + counts.key + ", " + counts.rules + " was not counted");
}

}  // namespace

std::vector<Instructions> net_of(const Counts& counts) {
  std::vector<Instructions> net;
  for (std::size_t i = 1; i < counts.instructions.size(); ++i)
    net.push_back(counts.instructions[i] - counts.instructions.front());
  return net;
}

std::vector<std::string> exceeded(const Counts& counts, double most_per_doubling) {
  const std::vector<Instructions> net = net_of(counts);
  std::vector<std::string> sentences;
  for (std::size_t i = 1; i < net.size(); ++i)
    if (const double most = most_growth(counts.sizes, i, most_per_doubling);
        is_above(net[i], most, net[i - 1], kSlackOfGrowth))
      sentences.push_back(std::to_string(counts.sizes[i]) + " to " + std::to_string(counts.sizes[i + 1]) + ": " +
                          millions(net[i - 1]) + " to " + millions(net[i]) + ", " + ratio(net[i], net[i - 1]) +
                          " times; at most " + decimal(most));
  return sentences;
}

std::vector<Counts> read_counts(const std::string& csv) {
  std::vector<Counts> all;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const std::string& line : lines_of(csv)) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 5 || cells[4].empty()) throw std::runtime_error("not counted: " + line);
    const auto [at, is_new] = places.try_emplace({cells[0], cells[1]}, all.size());
    if (is_new) all.push_back({cells[0], cells[1], {}, {}});
    Counts& counts = all[at->second];
    const std::size_t size = std::stoul(cells[3]);
    if (counts.sizes.size() <= size) counts.sizes.resize(size + 1);
    counts.sizes[size] = std::stoull(cells[2]);
    put(counts.instructions, size, std::stoll(cells[4]));
  }
  for (const Counts& counts : all) require_all(counts);
  return all;
}

std::string table_of(const std::vector<Counts>& all) {
  std::string text = "key,rules,count,instructions,growth\n";
  for (const Counts& counts : all) {
    const std::vector<Instructions> net = net_of(counts);
    for (std::size_t i = 0; i < net.size(); ++i)
      text += counts.key + "," + counts.rules + "," + std::to_string(counts.sizes[i + 1]) + "," +
              std::to_string(net[i]) + "," + (i == 0 ? "" : ratio(net[i], net[i - 1])) + "\n";
  }
  return text;
}

}  // namespace gdsim::scaling
