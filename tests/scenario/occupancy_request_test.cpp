#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/scenario/occupancy_request.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <set>

using namespace gdsim;
using namespace gdsim::testing;

TEST_CASE("ten thousand queries about a few devices read each device once per mode") {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml", "device: mine\nbase: tiny\n");
  SourceFiles sources;
  ModelLibrary models({folder.path(), source_path("models")}, sources);
  OccupancyRequestReader reader(models, folder.path());
  std::set<const DeviceSpec*> devices;
  for (int i = 0; i < 10'000; ++i) {
    const std::string device = i % 2 == 0 ? "mine" : "a100-80gb";
    const OccupancyRequest question = reader.read(
        {{"device", device}, {"local", std::to_string(32 * (1 + i % 4))}, {"sub_group", i % 2 == 0 ? "8" : "32"}});
    devices.insert(question.device);
    if (i == 0) std::filesystem::remove(file);  // a second look for it would not find it
  }
  CHECK(devices.size() == 2);
}
