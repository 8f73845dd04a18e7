#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/scenario/read_scenario.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("a model is read by its name or by its path, as a scenario that names it has it") {
  const DeviceSpec by_name = read_device_model("a100-80gb", {source_path("models")});
  CHECK(by_name.cores == 108);
  CHECK(by_name.contexts_total() == 6912);
  CHECK(read_device_model(source_path("models/nvidia/a100-80gb.yaml"), {source_path("models")}).name == by_name.name);
  const ReadText scenario = read_text(
      "scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: 32, local: 32, sub_group: "
      "32, program: [compute: 1 us]}\nlaunches: [kernel: k]\n");
  CHECK(scenario.scenario().device.name == by_name.name);
}

TEST_CASE("a model that there is not, or that is wrong, is refused with its place") {
  CHECK_THROWS_WITH(read_device_model("a100-80g", {source_path("models")}),
                    Catch::Contains("did you mean 'a100-80gb'"));
  CHECK_THROWS_AS(read_device_model("a100-80gb", {}), InputError);
  const TemporaryFolder folder;
  const std::string file = folder.write("d.yaml", "device: d\nbase: tiny\ncores: -1\n");
  CHECK_THROWS_WITH(read_device_model(file, {source_path("models")}), Catch::Contains(file + ":3:8: error:"));
}
