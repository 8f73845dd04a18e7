#include "scaling/run_list.hpp"

#include "scaling/scaling_case.hpp"
#include "support/texts.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace gdsim::scaling {
namespace {

using namespace gdsim::testing;

/// Writes scenarios, and the list of runs: COMMAND,KEY,RULES,COUNT,SIZE.
class Writer {
 public:
  explicit Writer(std::string folder) : folder_(std::move(folder)), list_(folder_ + "/runs.csv") {
    if (!list_) throw std::runtime_error("cannot write " + folder_ + "/runs.csv");
  }

  void add(const std::string& scenario, const std::vector<std::string>& command, const std::string& name) {
    const std::string file = folder_ + "/" + std::to_string(next_++) + ".yaml";
    std::ofstream(file) << scenario;
    std::string words;
    for (const std::string& word : command) words += (words.empty() ? "" : " ") + (word == "-" ? file : word);
    list_ << words << "," << name << "\n";
  }

  void add(const Key& key, const Rules& rules, int doublings) {
    const std::string name = key.name + "," + rules.name() + ",";
    add(key.scenario(rules, key.smallest), key.command, name + std::to_string(key.smallest) + ",0");
    for (int i = 0; i <= doublings; ++i) {
      const std::uint64_t count = key.count << i;
      add(key.scenario(rules, count), key.command, name + std::to_string(count) + "," + std::to_string(i + 1));
    }
  }

 private:
  std::string folder_;
  std::ofstream list_;
  int next_ = 1;
};

}  // namespace

int write_runs(const std::string& folder, Selection selection, const std::string& word) {
  Writer writer(folder);
  for (const Key& key : all_keys()) {
    if (key.name.find(word) == std::string::npos) continue;
    for (const Rules& rules : key.rules) {
      writer.add(key, rules, selection == Selection::brief ? 1 : 2);
      if (selection == Selection::brief) break;
    }
  }
  return 0;
}

std::vector<Run> read_runs(const std::string& folder) {
  std::vector<Run> runs;
  for (const std::string& line : lines_of(text_of_file(folder + "/runs.csv"))) {
    const std::vector<std::string> cells = cells_of(line);
    runs.push_back({parts_of(cells.at(0), ' '), cells.at(4) == "0", line.substr(cells[0].size() + 1)});
  }
  return runs;
}

std::string text_of_file(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace gdsim::scaling
