#include "support/builders.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <set>

using namespace gdsim::testing;

// Standard output on which there is no room: an error of every command, never a silent half.

namespace {

/// The names of all commands, as the help lists them.
std::set<std::string> commands_of_gdsim() {
  const std::string list = run_gdsim({"--help"}).out;
  std::set<std::string> names;
  const std::regex line("\n  ([a-z]+) ");
  for (std::sregex_iterator match(list.begin(), list.end(), line), end; match != end; ++match)
    names.insert((*match)[1].str());
  return names;
}

}  // namespace

TEST_CASE("every command whose output does not fit on the disk says so and exits with 2") {
  if (!std::filesystem::exists("/dev/full")) {
    WARN("there is no /dev/full here: not tested");
    return;
  }
  const TemporaryFolder folder;
  const std::string measured = folder.write("m.csv", "time_ms,percent\n0,50\n10,25\n");
  const std::string occupancy = "occupancy --device tiny --local 16 --sub-group 8";
  const std::string table = folder.write("table.csv", "device,local,sub_group\ntiny,16,8\n");
  const std::string kernels = source_path("tests/import/fixtures/corpus.sm_75.cubin");
  const std::string log = folder.write("log.csv", "block,sm,threads\n0,0,8\n1,1,8\n");
  const std::string times = folder.write("times.csv", "kernels.vector_add4.global,time_ms\n2560,20\n");
  const std::string messages = folder.write("messages", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  std::set<std::string> tried;
  for (const std::string& words : {"run " + kVectorAdd4,
                                   "run " + kVectorAdd4 + " --print timeline",
                                   "run " + kVectorAdd4 + " --print summary",
                                   "run " + kVectorAdd4 + " --sample 1ms",
                                   "run " + kVectorAdd4 + " --trace -",
                                   "explain " + kVectorAdd4,
                                   "sweep " + kVectorAdd4 + " --vary dispatch.ports=1,2",
                                   "diff " + kVectorAdd4 + " " + kVectorAdd4,
                                   "report " + kVectorAdd4 + " -o -",
                                   "serve " + kVectorAdd4,
                                   "compare " + kVectorAdd4 + " --measured " + measured,
                                   "compare " + kVectorAdd4 + " --measured " + measured + " -o -",
                                   "check " + kVectorAdd4,
                                   occupancy,
                                   occupancy + " --format json",
                                   occupancy + " --vary slm",
                                   "occupancy --table " + table,
                                   "occupancy " + kernels + " --device t4",
                                   "import " + kernels + " --kernel c_linkage",
                                   "infer " + log + " --device tiny",
                                   "mcp < " + messages,
                                   "infer " + kVectorAdd4,
                                   "calibrate " + kVectorAdd4 + " --measured " + times +
                                       " --fit 'device.launch_latency=1 us..9 us' --evaluations 5",
                                   std::string("completion bash"),
                                   std::string("devices"),
                                   std::string("devices tiny"),
                                   std::string("devices --names"),
                                   std::string("--help"),
                                   std::string("--version"),
                                   std::string("help run"),
                                   std::string("run --help")}) {
    INFO(words);
    tried.insert(words.substr(0, words.find(' ')));
    const Ran ran = run_shell("\"$GDSIM\" " + words + " > /dev/full");
    CHECK(ran.status == 2);
    CHECK(ran.err == "error: standard output cannot be written: No space left on device\n");
  }
  for (const std::string& command : commands_of_gdsim()) {
    INFO(command);
    CHECK(tried.contains(command));
  }
  CHECK(commands_of_gdsim().size() >= 9);
}
