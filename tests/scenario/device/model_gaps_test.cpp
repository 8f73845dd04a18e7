#include <gdsim/scenario/device/models.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include "support/builders.hpp"
#include "support/temporary_folder.hpp"
#include "support/texts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

// What `gdsim devices --check` misses of a model, tried on the one that models/README.md has to be copied.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// The model in the README, without the spaces of the list that it stands in, and with a source for everything else.
std::string model_of_readme() {
  const std::string readme = read_file(source_path("models/README.md"));
  const std::size_t begin = readme.find("   # yaml-language-server");
  std::string text;
  for (const std::string& line : lines_of(readme.substr(begin, readme.find("   ```", begin) - begin)))
    text += line.substr(std::min<std::size_t>(3, line.size())) + "\n";
  for (const char* key : {"engines_per_core", "contexts_per_engine", "sub_group_sizes", "max_work_group_size",
                          "work_groups_per_core", "barriers_per_core", "slm", "registers", "release", "dispatch",
                          "launch_cost", "arithmetic", "atomics", "slm_access", "l1", "written_sector"})
    text += std::string("  ") + key + ": \"not verified: an example\"\n";
  return text;
}

std::string without_line(const std::string& text, const std::string& beginning) {
  std::string rest;
  for (const std::string& line : lines_of(text))
    if (!line.starts_with(beginning)) rest += line + "\n";
  REQUIRE(rest != text);
  return rest;
}

struct Checked {
  std::vector<ModelGap> gaps;
  SourceCount sources;

  std::set<std::string> keys() const {
    std::set<std::string> names;
    for (const ModelGap& gap : gaps) names.insert(gap.key);
    return names;
  }
};

Checked check_model(const std::string& text) {
  const TemporaryFolder folder;
  YamlNode reference;
  reference.text = folder.write("model.yaml", text);
  SourceFiles sources;
  ModelLibrary models({source_path("models")}, sources);
  Diagnostics problems;
  const auto device = read_device(reference, folder.path(), models, ValueReader(problems));
  const auto tree = models.resolve(reference, folder.path(), ValueReader(problems));
  problems.throw_if_any();
  return {model_gaps(*device, *tree), count_sources(*tree)};
}

using GapKeys = std::set<std::string>;

}  // namespace

TEST_CASE("nothing is missing of the model that the README has to be copied") {
  const Checked checked = check_model(model_of_readme());
  CHECK(checked.keys() == GapKeys{});
  CHECK(checked.sources.values > 30);
  CHECK(checked.sources.not_verified > 20);
  CHECK(checked.sources.not_verified < checked.sources.values);
}

TEST_CASE("each key that is taken out of a complete model is missed, with what that costs and a line to write") {
  const std::string model = model_of_readme();
  for (const char* key : {"vendor", "name", "terms", "registers", "release", "launch_cost", "slm_access", "l1",
                          "written_sector", "copy"}) {
    INFO(key);
    const Checked checked = check_model(without_line(model, std::string(key) + ":"));
    REQUIRE(checked.gaps.size() == 1);
    CHECK(checked.gaps[0].key == key);
    CHECK_FALSE(checked.gaps[0].cost.empty());
    CHECK_THAT(checked.gaps[0].line, Catch::StartsWith(key));
  }
}

TEST_CASE("without a clock, what is refused then is said") {
  std::string model = without_line(model_of_readme(), "clock:");
  model = replaced(replaced(model, "250 cycles", "250 ns"), "23 cycles", "23 ns");
  model = replaced(model, "33 cycles", "33 ns");
  const Checked checked = check_model(without_line(model, "  clock:"));
  REQUIRE(checked.gaps.size() == 1);
  CHECK(checked.gaps[0].key == "clock");
  CHECK_THAT(checked.gaps[0].cost, Catch::Contains("are refused") && Catch::Contains("are not in force"));
}

TEST_CASE("parts of memory, arithmetic and atomics are missed one by one") {
  const std::string model = model_of_readme();
  const auto missing = [&](const std::string& was, const std::string& is) {
    return check_model(replaced(model, was, is)).keys();
  };
  CHECK(missing(", latency: 320 ns", "") == GapKeys{"memory.levels.GDDR6.latency"});
  CHECK(missing("bandwidth: 1.5 TB/s, ", "") == GapKeys{"memory.levels.L2.bandwidth"});
  CHECK(missing("bandwidth: 336 GB/s, ", "") == GapKeys{"memory.levels.GDDR6.bandwidth"});
  CHECK(missing("core_bandwidth: 215 GB/s", "") == GapKeys{"memory.core_bandwidth"});
  CHECK(missing(", latency: 23 cycles", "") == GapKeys{"slm_access.latency"});
  CHECK(missing("granule: 128 B, ", "") == GapKeys{"slm.granule"});
  CHECK(missing(", global_total: 27", "") == GapKeys{"atomics.global_total"});
  CHECK(missing("global: 1, global_total: 27", "") == GapKeys{"atomics.global"});
  CHECK(missing("{slm: 1, global", "{global") == GapKeys{"atomics.slm"});
  CHECK(missing("sfu: 4, ", "") == GapKeys{"arithmetic.sfu"});
  CHECK(missing("placement: most_room, ", "") == GapKeys{"dispatch"});
}

TEST_CASE("a value without a source is missed, and so is the number of cores where it is that of a family") {
  CHECK(check_model(without_line(model_of_readme(), "  clock:")).keys() == GapKeys{"sources.clock"});
  const GapKeys of_family = check_model(
                                "device: x\nbase: cc-8.6\nkind: product\nname: X\nclock: 1 GHz\n"
                                "sources: {clock: \"not verified: an example\"}\n")
                                .keys();
  CHECK(of_family == GapKeys{"cores", "memory", "copy"});
}

TEST_CASE("of a family, what only products have is not missed") {
  const GapKeys keys = check_model("device: x\nbase: cc-8.6\nkind: family\n").keys();
  CHECK(keys == GapKeys{});
}

TEST_CASE("a model that is cut off at any byte is checked or refused with its problems, never anything else",
          "[figures]") {
  const std::string model = model_of_readme();
  std::size_t refused = 0;
  for (std::size_t size = 0; size < model.size(); ++size) {
    INFO(size);
    try {
      check_model(model.substr(0, size));
    } catch (const InputError& error) {
      CHECK_FALSE(std::string(error.what()).empty());
      ++refused;
    }
  }
  CHECK(refused > 500);
}
