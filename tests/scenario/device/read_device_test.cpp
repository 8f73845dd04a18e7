#include "support/builders.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Device files in a folder of their own, read by name.
struct DeviceShelf {
  TemporaryFolder folder;
  SourceFiles sources;
  Diagnostics problems;

  std::optional<DeviceSpec> read(const std::string& name) {
    ModelLibrary models({folder.path(), source_path("models")}, sources);
    YamlNode reference;
    reference.text = name;
    return read_device(reference, folder.path(), models, ValueReader(problems));
  }
  std::string problem() const { return problems.empty() ? "none" : to_text(problems.problems().front()); }
};

}  // namespace

TEST_CASE("a plain launch cost is serial, and one part of a family's can be replaced") {
  DeviceShelf shelf;
  shelf.folder.write("plain.yaml", "device: plain\nbase: tiny\nlaunch_cost: 3 us\n");
  shelf.folder.write("parts.yaml", "device: parts\nbase: tiny\nlaunch_cost: {serial: 1 us, overlapping: 2 us}\n");
  shelf.folder.write("serial.yaml", "device: serial\nbase: parts\nlaunch_cost: {serial: 4 us}\n");
  shelf.folder.write("again.yaml", "device: again\nbase: parts\nlaunch_cost: 5 us\n");
  const auto parts = [&](const std::string& name) {
    const LaunchCost cost = shelf.read(name)->launch_cost.value();
    const auto length = [](const StepTime& time) { return resolve(time, Hertz{1}, Decimal::whole(1))->count; };
    return std::pair(length(cost.serial), length(cost.overlapping));
  };
  CHECK(parts("plain") == std::pair<std::int64_t, std::int64_t>(3'000'000, 0));
  CHECK(parts("parts") == std::pair<std::int64_t, std::int64_t>(1'000'000, 2'000'000));
  CHECK(parts("serial") == std::pair<std::int64_t, std::int64_t>(4'000'000, 2'000'000));
  CHECK(parts("again") == std::pair<std::int64_t, std::int64_t>(5'000'000, 0));
  CHECK(shelf.problem() == "none");
}

TEST_CASE("an empty list of sub-groups with block messages is refused, since it would mean that they are not known") {
  DeviceShelf shelf;
  shelf.folder.write("empty.yaml", "device: empty\nbase: xe-lp-tgl\nmemory: {block_sub_groups: []}\n");
  shelf.read("empty");
  CHECK_THAT(shelf.problem(), Catch::Contains("block_sub_groups: is empty; at least one size is needed, as in "
                                              "`block_sub_groups: [16]`"));
}

TEST_CASE("an alternative is the same device with another value, unless a derived device replaces the value") {
  DeviceShelf shelf;
  shelf.folder.write(
      "one.yaml",
      "device: one\nbase: tiny\nalternatives: {dispatch.placement: [round_robin], slm.per_core: [1 MiB]}\n");
  shelf.folder.write("two.yaml", "device: two\nbase: one\ndispatch: {placement: most_room}\n");
  const DeviceSpec one = shelf.read("one").value();
  REQUIRE(one.alternatives.size() == 2);
  CHECK(one.alternatives[0].key == "dispatch.placement");
  CHECK(one.alternatives[0].value == one.dispatch.placement);
  CHECK(one.alternatives[0].device->dispatch.placement == "round_robin");
  CHECK(one.alternatives[1].other == "1 MiB");
  CHECK(one.alternatives[1].device->slm.per_core == Bytes{1 << 20});
  CHECK(one.alternatives[1].device->dispatch.placement == one.dispatch.placement);
  const DeviceSpec two = shelf.read("two").value();
  REQUIRE(two.alternatives.size() == 1);
  CHECK(two.alternatives[0].key == "slm.per_core");
  CHECK(two.alternatives[0].device->dispatch.placement == "most_room");
}

TEST_CASE("an alternative that the device cannot have is a problem of the model") {
  DeviceShelf shelf;
  shelf.folder.write("one.yaml", "device: one\nbase: tiny\nalternatives: {engines_per_core: [0]}\n");
  CHECK_FALSE(shelf.read("one").has_value());
  CHECK_THAT(shelf.problem(), Catch::Contains("engines_per_core"));
}

TEST_CASE("a source may say in keys what it is worth") {
  DeviceShelf shelf;
  shelf.folder.write("one.yaml",
                     "device: one\nbase: tiny\nsources: {clock: {text: a page, verified: false, conflict: another}}\n");
  const DeviceSpec one = shelf.read("one").value();
  const auto found =
      std::find_if(one.sources.begin(), one.sources.end(), [](const auto& s) { return s.first == "clock"; });
  REQUIRE(found != one.sources.end());
  CHECK(found->second == FigureSource{"not verified: a page. CONFLICT: another", false});
  shelf.folder.write("bad.yaml", "device: bad\nbase: tiny\nsources: {clock: {text: a page, verfied: false}}\n");
  CHECK_FALSE(shelf.read("bad").has_value());
}

TEST_CASE("a model in a folder, or in a folder of it, is found by its name") {
  DeviceShelf shelf;
  shelf.folder.write("deep/mine.yaml", "device: mine\nbase: tiny\n");
  REQUIRE(shelf.read("mine").has_value());
  CHECK(shelf.read("xe-lp-tgl")->contexts_total() == 672);
  CHECK(shelf.read("deep/mine.yaml").has_value());
}

TEST_CASE("the first folder that has a model wins") {
  DeviceShelf shelf;
  shelf.folder.write("own/tiny.yaml", "device: tiny\nbase: xe-lp-tgl\ncores: 7\n");
  CHECK(shelf.read("tiny")->cores == 7);
}

TEST_CASE(
    "of models of one name in several folders, that of the first folder by name wins, however the disk lists them") {
  DeviceShelf shelf;
  // 41 folders, written in an order that is neither that of their names nor its reverse.
  for (int i = 0; i < 41; ++i) {
    const int number = 10 + i * 17 % 41;
    const std::string text = std::to_string(number);
    shelf.folder.write("f" + text + "/mine.yaml", "device: mine\nbase: tiny\ncores: " + text + "\n");
  }
  CHECK(shelf.read("mine")->cores == 10);
}

TEST_CASE("the words that there are, are listed by name when one is unknown, however the disk lists them") {
  DeviceShelf shelf;
  std::string expected;
  for (int i = 0; i < 41; ++i) shelf.folder.write("terms/t" + std::to_string(10 + i * 17 % 41) + ".yaml", "core: c\n");
  for (int i = 10; i < 51; ++i) expected += "t" + std::to_string(i) + ", ";
  shelf.folder.write("mine.yaml", "device: mine\nbase: tiny\nterms: other\n");
  shelf.read("mine");
  CHECK_THAT(shelf.problem(), Catch::Contains("known: " + expected));
}

TEST_CASE("a device lays its keys on those of its base, mapping by mapping") {
  DeviceShelf shelf;
  shelf.folder.write("middle.yaml", "device: middle\nbase: tiny\nslm: {per_core: 16 KiB}\ncores: 3\n");
  shelf.folder.write("top.yaml", "device: top\nbase: middle\ncores: 4\ndispatch: {ports: 9}\n");
  const auto device = shelf.read("top");
  REQUIRE(device.has_value());
  CHECK(device->id == "top");
  CHECK(device->cores == 4);
  CHECK(device->slm.per_core == Bytes{16384});
  CHECK(device->slm.per_work_group == Bytes{4096});
  CHECK(device->dispatch.ports == 9U);
  CHECK(device->dispatch.placement == "fill_first");
  CHECK(device->contexts_per_core() == 8);
}

TEST_CASE("what replaces a number also removes its source, unless it brings one") {
  DeviceShelf shelf;
  shelf.folder.write("one.yaml", "device: one\nbase: xe-lp-tgl\ncores: 2\nclock: 1 GHz\nsources: {clock: measured}\n");
  const auto device = shelf.read("one");
  REQUIRE(device.has_value());
  const auto source = [&](const std::string& key) {
    for (const auto& [name, read] : device->sources)
      if (name == key) return read.text;
    return std::string("none");
  };
  CHECK(source("cores") == "none");
  CHECK(source("clock") == "measured");
  CHECK(source("contexts_per_engine") != "none");
}

TEST_CASE("entries of a base's list are changed by their numbers, if there are such") {
  DeviceShelf shelf;
  shelf.folder.write("over.yaml", "device: over\nbase: xe-lp-tgl\nmemory: {levels: {2: {bandwidth: 40 GB/s}}}\n");
  const auto device = shelf.read("over");
  REQUIRE(device.has_value());
  REQUIRE(device->memory->levels.size() == 3);
  CHECK(device->memory->levels[2].bandwidth == BytesPerSecond{40'000'000'000});
  CHECK(device->memory->levels[2].name == tiger_lake().memory->levels[2].name);
  CHECK(device->memory->levels[1].bandwidth == tiger_lake().memory->levels[1].bandwidth);
  DeviceShelf beyond;
  beyond.folder.write("over.yaml", "device: over\nbase: xe-lp-tgl\nmemory: {levels: {3: {bandwidth: 40 GB/s}}}\n");
  CHECK_FALSE(beyond.read("over").has_value());
  // In the place of the whole entry.
  DeviceShelf scalar;
  scalar.folder.write("over.yaml", "device: over\nbase: xe-lp-tgl\nmemory: {levels: {2: fast}}\n");
  CHECK_FALSE(scalar.read("over").has_value());
  CHECK(scalar.problem().find("'fast'") != std::string::npos);
}

TEST_CASE("a base that leads back to itself is refused with the path") {
  DeviceShelf shelf;
  shelf.folder.write("a.yaml", "device: a\nbase: b\n");
  shelf.folder.write("b.yaml", "device: b\nbase: c\n");
  shelf.folder.write("c.yaml", "device: c\nbase: a\n");
  CHECK_FALSE(shelf.read("a").has_value());
  CHECK(shelf.problem().find("c.yaml:2:7: error: base: leads back to itself: a -> b -> c -> a") != std::string::npos);
  DeviceShelf self;
  self.folder.write("me.yaml", "device: me\nbase: me\n");
  CHECK_FALSE(self.read("me").has_value());
  CHECK(self.problem().find("leads back to itself: me -> me") != std::string::npos);
}

TEST_CASE("a problem in a model is reported in the model's own file") {
  DeviceShelf shelf;
  shelf.folder.write("bad.yaml", "device: bad\nbase: tiny\nclock: fast\n");
  CHECK_FALSE(shelf.read("bad").has_value());
  CHECK(shelf.problem().find("bad.yaml:3:8: error: clock: 'fast' is not a number with a unit") != std::string::npos);
}

TEST_CASE("reports use the words that the device names, or brings") {
  DeviceShelf shelf;
  CHECK(shelf.read("xe-lp-tgl")->terms.core == "Xe-core");
  CHECK(shelf.read("tiny")->terms.core == "core");
  shelf.folder.write("own.yaml", "device: own\nbase: tiny\nterms: {core: SM}\n");
  CHECK(shelf.read("own")->terms.core == "SM");
  CHECK(shelf.read("own")->terms.engine == "engine");
}

TEST_CASE("unknown words are refused") {
  DeviceShelf shelf;
  shelf.folder.write("odd.yaml", "device: odd\nbase: tiny\nterms: klingon\n");
  CHECK_FALSE(shelf.read("odd").has_value());
  CHECK(shelf.problem().find("there are no words of the name 'klingon'") != std::string::npos);
}

TEST_CASE("an order of ties is not written out for more cores than a device may have") {
  DeviceShelf shelf;
  shelf.folder.write("many.yaml", "device: many\nbase: tiny\ncores: 4294967295\ntie_order: evens_then_odds\n");
  CHECK_FALSE(shelf.read("many").has_value());
  CHECK_THAT(shelf.problem(),
             Catch::Contains("many.yaml:3:8: error: cores: '4294967295' is too large: at most 100000 is allowed"));
}

TEST_CASE("cores that are merged have no more engines than a core may have") {
  DeviceShelf shelf;
  shelf.folder.write("wide.yaml",
                     "device: wide\nbase: tiny\ncores: 65536\nengines_per_core: 9999\n"
                     "modes: {all: {merges_cores: 65536}}\n");
  ModelLibrary models({shelf.folder.path(), source_path("models")}, shelf.sources);
  YamlNode reference;
  reference.text = "wide";
  YamlNode mode;
  mode.text = "all";
  CHECK_FALSE(read_device(reference, ".", models, ValueReader(shelf.problems), &mode).has_value());
  CHECK_THAT(shelf.problem(), Catch::Contains("65536 merged cores have 655294464 engines; at most 10000 are allowed"));
}

namespace {

/// Reads a device that is written in the scenario itself.
std::optional<DeviceSpec> read_inline(const std::string& text, ModelLibrary& models, SourceFiles& sources,
                                      Diagnostics& problems) {
  const auto node = read_yaml(sources.keep("inline", text), problems);
  REQUIRE(node.has_value());
  return read_device(*node, ".", models, ValueReader(problems));
}

}  // namespace

TEST_CASE("a library remembers so many devices and no more, and reads those that it forgot anew") {
  SourceFiles sources;
  Diagnostics problems;
  ModelLibrary models({source_path("models")}, sources);
  const auto cores_of = [&](std::size_t cores) {
    return read_inline("{base: tiny, cores: " + std::to_string(cores) + "}", models, sources, problems)->cores;
  };
  constexpr std::size_t many = 2 * ModelLibrary::kDevicesKept + 10;
  for (std::size_t cores = 1; cores <= many; ++cores) {
    REQUIRE(cores_of(cores) == cores);
    REQUIRE(models.devices_kept() == std::min(cores, ModelLibrary::kDevicesKept));
  }
  CHECK(cores_of(1) == 1);
  CHECK(cores_of(many) == many);
  CHECK(problems.empty());
}

TEST_CASE("however many devices are read, each file is read once: models, words, and what cannot be used") {
  const TemporaryFolder folder;
  folder.write("broken.yaml", "device: broken\nbase: tiny\ncores: none\n");
  folder.write("torn.yaml", "device: [\n");
  SourceFiles files;
  SourceFiles written;
  ModelLibrary models({folder.path(), source_path("models")}, files);
  const auto read = [&](const std::string& device) {
    Diagnostics problems;
    read_inline(device, models, written, problems);
    return problems.size();
  };
  const auto read_all = [&](const std::string& cores) {
    CHECK(read("{base: xe-lp-tgl, cores: " + cores + "}") == 0);
    CHECK(read("{base: a100-80gb, cores: " + cores + "}") == 0);
    CHECK(read("broken") == 1);
    CHECK(read("torn") == 1);
  };
  read_all("1");
  const std::size_t once = files.all().size();
  for (int cores = 2; cores < 10; ++cores) read_all(std::to_string(cores));
  CHECK(files.all().size() == once);
}

TEST_CASE("rates of arithmetic are merged with those of the base, kind by kind") {
  DeviceShelf shelf;
  shelf.folder.write("mine.yaml", "device: mine\nbase: rtx-3090\narithmetic: {fp64: 16, mine: 0.25}\n");
  const auto device = shelf.read("mine");
  REQUIRE(device.has_value());
  const auto rate = [&](const char* kind) { return to_text(*rate_of(device->arithmetic, kind)); };
  CHECK(rate("fp32") == "32");
  CHECK(rate("fp64") == "16");
  CHECK(rate("mine") == "0.25");
}
