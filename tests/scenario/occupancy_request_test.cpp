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

TEST_CASE("every part between separators is a size, the last one, too") {
  SourceFiles sources;
  ModelLibrary models({source_path("models")}, sources);
  OccupancyRequestReader reader(models, ".");
  const auto problem = [&](const std::string& field, const std::string& value) {
    OccupancyFields fields{{"device", "h100-sxm"}, {"local", "256"}, {"sub_group", "32"}};
    fields[field] = value;
    try {
      reader.read(fields);
      return std::string("none");
    } catch (const InputError& error) {
      return error.problems().front().message;
    }
  };
  CHECK(problem("local", "16,16") == "none");
  CHECK(problem("local", ",256") == "local: ',256' lacks a size beside a separator; write it as in 16,16");
  CHECK(problem("local", "256,") == "local: '256,' lacks a size beside a separator; write it as in 16,16");
  CHECK(problem("global", "1024*2") == "none");
  CHECK(problem("global", "1024*") == "global: '1024*' lacks a size beside a separator; write it as in 16,16");
  CHECK(problem("global", "1024, ") == "global: '1024,' lacks a size beside a separator; write it as in 16,16");
  CHECK(problem("cluster", "2,") == "cluster: '2,' lacks a size beside a separator; write it as in 16,16");
}
