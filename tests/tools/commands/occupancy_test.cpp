#include "support/builders.hpp"
#include "support/golden.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

using namespace gdsim::testing;

// The calculator and the list of devices, as a user calls them. Its numbers are tested in occupancy/.

namespace {

const std::string kAnswer =
    ",status,threads_per_work_group,work_groups_per_core,threads_per_core,occupancy_percent,limiters,vendor_value,"
    "allocated_registers,allocated_slm_bytes\n";

std::vector<std::string> a100(std::vector<std::string> more = {}) {
  std::vector<std::string> words{"occupancy",   "--device", "a100-80gb",   "--local", "256",
                                 "--sub-group", "32",       "--registers", "72"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string text(const std::vector<std::string>& words) {
  const Ran ran = run_gdsim(words);
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  return ran.out;
}

/// Runs the calculator over a table.
Ran table(const TemporaryFolder& folder, const std::string& rows) {
  return run_gdsim({"occupancy", "--table", folder.write("table.csv", rows)});
}

}  // namespace

TEST_CASE("golden: what a person reads of occupancies and devices is what it was approved to be", "[figures]") {
  CHECK(difference_to_golden("text/occupancy.txt", text(a100({"--global", "1048576"}))).empty());
  CHECK(difference_to_golden("text/occupancy_curve.txt", text(a100({"--vary", "slm"}))).empty());
  CHECK(difference_to_golden("text/occupancy_plot.txt", text(a100({"--vary", "registers", "--plot"}))).empty());
  CHECK(difference_to_golden("text/devices.txt", text({"devices"})).empty());
  CHECK(difference_to_golden("text/device.txt", text({"devices", "xe-lp-tgl"})).empty());
  CHECK(difference_to_golden("text/help_occupancy.txt", text({"occupancy", "--help"})).empty());
  CHECK(difference_to_golden("text/help_devices.txt", text({"devices", "--help"})).empty());
}

TEST_CASE("where a work-group leaves lanes empty, the multiple of its size that leaves none is named") {
  CHECK_THAT(text({"occupancy", "--device", "arc-a770", "--local", "100", "--sub-group", "16"}),
             Catch::Contains("lanes: 100 of 112 of a work-group hold a work-item (89.3 %); sizes that are multiples of "
                             "16 leave none empty\n"));
  CHECK_THAT(text(a100()), !Catch::Contains("multiples of"));
}

TEST_CASE("sizes with an x between them are answered as they are written here") {
  const Ran ran = run_gdsim({"occupancy", "--device", "a100-80gb", "--local", "16x16"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("local: '16x16' has an x between its sizes; write it as in 16,16"));
}

TEST_CASE("an occupancy as JSON says how many, what limits, and the next step") {
  const auto answer = nlohmann::json::parse(text(a100({"--format", "json"})));
  CHECK(answer["status"] == "ok");
  CHECK(answer["work_groups_per_core"] == 3);
  CHECK(answer["limits"]["registers"] == 3);
  CHECK(answer["limits"]["barriers"].is_null());
  CHECK(answer["limiters"] == nlohmann::json::array({"registers"}));
  CHECK(answer["next_step"]["changes"][0] == nlohmann::json({{"resource", "registers"}, {"from", 72}, {"to", 64}}));
}

TEST_CASE("golden: an occupancy as JSON, whole, of a kernel that fits and of one that does not") {
  CHECK(difference_to_golden("text/occupancy.json", text(a100({"--format", "json", "--global", "1048576"}))).empty());
  const Ran refused = run_gdsim(
      {"occupancy", "--device", "tiny", "--local", "4096", "--sub-group", "8", "--slm", "1 MiB", "--format", "json"});
  CHECK(difference_to_golden("text/occupancy_refused.json", refused.out).empty());
  CHECK(refused.status == 2);
}

TEST_CASE("an occupancy as CSV is one row of the table's answer") {
  CHECK(text(a100({"--format", "csv"})) == kAnswer.substr(1) + "ok,8,3,24,37.5000,registers,,18432,1024\n");
  CHECK(text({"occupancy", "--device", "h100-sxm", "--local", "256", "--cluster", "12", "--format", "csv"}) ==
        kAnswer.substr(1, kAnswer.size() - 2) + ",active_clusters\nok,8,8,64,100.0000,threads,,0,1024,80\n");
}

TEST_CASE("a vendor's number is a count of waves without decimals, or a percentage with four") {
  const auto vendor_value = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"occupancy", "--format", "csv"};
    words.insert(words.end(), more.begin(), more.end());
    std::istringstream row(text(words).substr(kAnswer.size() - 1));
    std::string field;
    for (int i = 0; i < 7; ++i) std::getline(row, field, ',');
    return field;
  };
  CHECK(vendor_value({"--device", "gfx90a", "--local", "256", "--registers", "64"}) == "8");
  CHECK(vendor_value({"--device", "gfx90a", "--local", "256", "--registers", "128"}) == "4");
  CHECK(vendor_value({"--device", "gfx908", "--local", "64", "--registers", "24"}) == "10");
  // 16 threads in all, of 7 x 16 contexts.
  CHECK(vendor_value({"--device", "xe-lp-tgl", "--local", "256", "--sub-group", "32", "--global", "512"}) == "14.2857");
  CHECK(vendor_value({"--device", "xe-lp-tgl", "--local", "256", "--sub-group", "32", "--global", "4096"}) ==
        "100.0000");
  CHECK(vendor_value({"--device", "a100-80gb", "--local", "256"}).empty());
}

TEST_CASE("a curve as CSV and JSON has a row per value") {
  const std::string csv = text(a100({"--vary", "registers", "--format", "csv"}));
  CHECK(csv.starts_with("registers,work_groups_per_core,threads_per_core,occupancy_percent,limiters\n"));
  CHECK_THAT(csv, Catch::Contains("\n72,3,24,37.5000,registers\n73,3,24,37.5000,registers\n"));
  const auto answer = nlohmann::json::parse(text(a100({"--vary", "registers", "--format", "json"})));
  CHECK(answer["points"].size() + 1 == static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')));
}

TEST_CASE("a table's rows are kept as they are, quoted where need be, and answered") {
  const TemporaryFolder folder;
  const Ran ran =
      table(folder, "note,device,local,sub_group,slm_bytes\r\n\"a, \"\"b\"\"\",tiny,16,8,\r\n,tiny,8,8,4096\r\n");
  CHECK(ran.status == 0);
  CHECK(ran.err.empty());
  CHECK(ran.out == "note,device,local,sub_group,slm_bytes" + kAnswer +
                       "\"a, \"\"b\"\"\",tiny,16,8,,ok,2,4,8,100.0000,threads+work_group_slots,,,0\n"
                       ",tiny,8,8,4096,ok,1,2,2,25.0000,slm,,,4096\n");
}

TEST_CASE("a bad row of a table gets an error, the others their answers") {
  const TemporaryFolder folder;
  const Ran ran =
      table(folder, "device,local,sub_group\ntiny,16,8\ntinny,16,8\ntiny,x,8\ntiny,,8\ntiny,4096,8\ntiny,16,7\n");
  CHECK(ran.status == 2);
  CHECK_THAT(ran.out,
             Catch::Contains("\ntiny,16,8,ok,2,4,8,") &&
                 Catch::Contains("\ntinny,16,8,\"error: device: unknown model 'tinny'; did you mean 'tiny'?") &&
                 Catch::Contains("\ntiny,x,8,error: local: 'x' is not a") &&
                 Catch::Contains("\ntiny,,8,error: local: is missing,") && Catch::Contains("\ntiny,4096,8,refused,") &&
                 Catch::Contains("\ntiny,16,7,refused,"));
}

TEST_CASE("a table takes a carve-out of 100 percent, not of 101") {
  const TemporaryFolder folder;
  const Ran ran = table(folder, "device,local,sub_group,carveout_percent\ntiny,16,8,100\ntiny,16,8,101\n");
  CHECK(ran.status == 2);
  CHECK_THAT(ran.out, Catch::Contains("\ntiny,16,8,100,ok,") &&
                          Catch::Contains("\ntiny,16,8,101,error: carveout_percent: '101' is too large"));
}

TEST_CASE("a table that is none is refused with its place") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& rows, const std::string& complaint) {
    const Ran ran = table(folder, rows);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::Contains(complaint));
  };
  refused("", "table.csv:1:1: error: ");
  refused("device,sub_group\ntiny,8\n", "table.csv:1:1: error: the column 'local' is missing");
  refused("device,local,sub_group\ntiny,8\n", "table.csv:2:");
  refused("device,local,sub_group\ntiny,\"8,8\n", "table.csv:2:");
  CHECK(run_gdsim({"occupancy", "--table", "/nowhere.csv"}).status == 2);
}

TEST_CASE("each of ten thousand rows of several devices is answered", "[figures]") {
  const TemporaryFolder folder;
  std::string rows = "device,local,sub_group,registers,slm_bytes\n";
  for (int i = 0; i < 5'000; ++i) {
    rows += "a100-80gb," + std::to_string(32 * (1 + i % 32)) + ",32," + std::to_string(1 + i % 255) + "," +
            std::to_string(i) + "\n";
    rows += "mi300x," + std::to_string(64 * (1 + i % 16)) + ",64," + std::to_string(1 + i % 255) + "," +
            std::to_string(i) + "\n";
  }
  const Ran ran = table(folder, rows);
  CHECK(ran.status == 0);
  CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') == 10'001);
}

TEST_CASE("an occupancy that cannot be asked is refused with what is known", "[figures]") {
  const auto refused = [](const std::vector<std::string>& words, const std::string& complaint) {
    const Ran ran = run_gdsim(words);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::Contains(complaint));
  };
  refused({"occupancy", "--local", "8", "--sub-group", "8"}, "--device: is missing");
  refused({"occupancy", "--device", "xe-hpc", "--local", "8"}, "--sub-group: is missing; xe_hpc_pvc has 16, 32");
  refused({"occupancy", "--device", "a100-80g", "--local", "8", "--sub-group", "8"}, "did you mean 'a100-80gb'?");
  refused(a100({"--slm", "4"}), "--slm: '4' has no unit");
  refused(a100({"--vary", "sml"}), "--vary is 'sml'; known: local, registers, slm; did you mean 'slm'?");
  refused(a100({"--plot"}), "--plot needs --vary");
  refused(a100({"--format", "xml"}), "--format is 'xml'");
  refused(a100({"256"}), "'256' is not expected");
  refused({"devices", "toaster"}, "unknown model 'toaster'");
  refused({"devices", "a", "b"}, "at most one device");
}

TEST_CASE("an option that would have no effect is refused by its name", "[figures]") {
  const TemporaryFolder folder;
  const std::string rows = folder.write("o.csv", "device,local,sub_group\ntiny,8,8\n");
  const auto refused = [](const std::vector<std::string>& words, const std::string& what) {
    const Ran ran = run_gdsim(words);
    INFO(what);
    CHECK(ran.status == 2);
    CHECK(ran.out.empty());
    CHECK_THAT(ran.err, Catch::Contains(what));
  };
  for (const char* name :
       {"device", "local", "sub-group", "global", "slm", "registers", "accumulation-registers", "scalar-registers",
        "barriers", "carveout-percent", "slm-dynamic", "max-dynamic-slm", "slm-opt-in", "mode", "cluster"})
    refused({"occupancy", "--table", rows, std::string("--") + name, "8"},
            "--table takes no --" + std::string(name) + ": every row has its own");
  refused({"occupancy", "--table", rows, "--large-grf"}, "--table takes no --large-grf: every row has its own");
  refused({"occupancy", "--table", rows, "--vary", "local"}, "--table takes no --vary: it answers every row as it is");
  refused({"occupancy", "--table", rows, "--vary", "local", "--plot"}, "--table takes no --plot");
  refused({"occupancy", "--table", rows, "--format", "json"}, "--table answers as csv, not as json");
  refused({"occupancy", "--table", rows, "--format", "text"}, "--table answers as csv, not as text");
  refused(a100({"--vary", "local", "--plot", "--format", "json"}), "--plot is text; --format json has no plot");
  refused(a100({"--vary", "local", "--plot", "--format", "csv"}), "--plot is text; --format csv has no plot");
  CHECK(run_gdsim({"occupancy", "--table", rows, "--format", "csv"}).out ==
        run_gdsim({"occupancy", "--table", rows}).out);
  CHECK(run_gdsim(a100({"--vary", "local", "--plot", "--format", "text"})).out ==
        run_gdsim(a100({"--vary", "local", "--plot"})).out);
  // Several at once.
  refused({"occupancy", "--table", rows, "--device", "nope", "--local", "64", "--format", "json"},
          "--table takes no --device");
  refused({"occupancy", "--table", rows, "--device", "nope", "--local", "64", "--format", "json"},
          "--table takes no --local");
}

TEST_CASE("all problems of a query about occupancy are reported at once") {
  const Ran ran = run_gdsim({"occupancy", "--device", "a100-80g", "--local", "x", "--sub-group", "0", "--registers",
                             "many", "--slm", "4", "--vary", "sml", "--format", "xml"});
  CHECK(ran.status == 2);
  CHECK_THAT(ran.err, Catch::Contains("--format is 'xml'") && Catch::Contains("--vary is 'sml'") &&
                          Catch::Contains("--slm: '4' has no unit") &&
                          Catch::Contains("--sub-group: must be at least 1") &&
                          Catch::Contains("--registers: 'many'") && Catch::Contains("--local: 'x'") &&
                          Catch::Contains("did you mean 'a100-80gb'?"));
}

TEST_CASE("devices stand below the family that they are based on, generations in their order") {
  const std::string list = text({"devices"});
  const auto at = [&](const std::string& line) {
    INFO(line);
    const std::size_t place = list.find("\n" + line + " ");
    CHECK(place != std::string::npos);
    return place;
  };
  const std::vector<std::string> lines{"  cc-8.6", "    a10", "    rtx-3090", "  cc-8.9", "    l4",
                                       "  cc-9.0", "    h20", "  cc-10.0",    "    b200"};
  for (std::size_t i = 1; i < lines.size(); ++i) CHECK(at(lines[i - 1]) < at(lines[i]));
  CHECK(at("  gen9") < at("  gen11"));
  CHECK(at("  gfx908") < at("  gfx90a"));
  CHECK(at("  gfx90a") < at("  gfx1030"));
}

TEST_CASE("numbers in names of devices are compared as such, with all hexadecimal digits behind the first") {
  const TemporaryFolder folder;
  const std::vector<std::string> ascending{"x1",   "x2",   "x9",   "x9g",  "x010",  "x90",  "x9a",
                                           "x9b",  "x9e",  "x9f",  "x100", "x10f",  "x110", "x900",
                                           "x99f", "x9a0", "x9f0", "x9ff", "x1000", "y1"};
  // Written in another order, and listed by this test's own vendor.
  const std::string tiny = read_file(source_path("models/tiny.yaml"));
  const auto without = [](std::string text, const std::string& line, const std::string& instead) {
    const std::size_t begin = text.find("\n" + line) + 1;
    return text.replace(begin, text.find('\n', begin) - begin, instead);
  };
  for (const std::string& name : ascending)
    folder.write(name + ".yaml", without(without(tiny, "device: ", "device: " + name), "vendor: ", "vendor: ours"));
  const std::string list = text({"devices", "--models", folder.path().string()});
  const std::string ours = list.substr(list.find("\nours\n") + 1);
  std::vector<std::string> found;
  std::istringstream lines(ours);
  for (std::string line; std::getline(lines, line) && !(line.empty() && !found.empty());) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    if (std::find(ascending.begin(), ascending.end(), name) != ascending.end()) found.push_back(name);
  }
  CHECK(found == ascending);
}

TEST_CASE("a sub-group of auto is the largest that divides the work-group, and is the preferred multiple of local") {
  const auto answer = [](const char* local) {
    return text({"occupancy", "--device", "arc-a770", "--local", local, "--sub-group", "auto", "--format", "json"});
  };
  CHECK_THAT(answer("256"), Catch::Contains("\"preferred_multiple_of_local\": 32"));
  CHECK_THAT(answer("48"), Catch::Contains("\"preferred_multiple_of_local\": 16"));
  CHECK_THAT(answer("7"), Catch::Contains("\"preferred_multiple_of_local\": 8"));
  CHECK_THAT(text({"devices", "arc-a770"}), Catch::Contains("preferred multiple of `local`: 8 or 16 or 32\n"));
  const Ran varied =
      run_gdsim({"occupancy", "--device", "arc-a770", "--local", "48", "--sub-group", "auto", "--vary", "local"});
  CHECK(varied.status == 2);
  CHECK_THAT(varied.err, Catch::Contains("--sub-group auto is chosen for one --local; with --vary local, name a size"));
}

TEST_CASE("the option --aliases adds the other names of models, each of which names one") {
  const std::string models = text({"devices", "--names"});
  const std::string all = text({"devices", "--names", "--aliases"});
  CHECK(all.starts_with(models));
  CHECK_THAT(all, Catch::Contains("\nh100-sxm5\n") && Catch::Contains("\ntigerlake\n"));
  CHECK_THAT(text({"devices", "h100-sxm5"}), Catch::Contains("device: h100-sxm\n"));
}

TEST_CASE("every device that is listed can be shown", "[figures]") {
  std::istringstream names(text({"devices", "--names"}));
  std::size_t count = 0;
  for (std::string name; std::getline(names, name); ++count)
    CHECK_THAT(text({"devices", name}), Catch::Contains("device: " + name + "\n"));
  CHECK(count >= 50);
}

TEST_CASE("a table may give amounts with units, and unknown columns are refused") {
  const TemporaryFolder folder;
  const auto table = [&](const std::string& text) {
    return run_gdsim({"occupancy", "--table", folder.write("t.csv", text)});
  };
  const Ran with_units = table("device,local,slm\na100-80gb,256,48 KiB\n");
  CHECK(with_units.status == 0);
  const Ran in_bytes = table("device,local,slm_bytes\na100-80gb,256,49152\n");
  CHECK(with_units.out.substr(with_units.out.find(",ok,")) == in_bytes.out.substr(in_bytes.out.find(",ok,")));
  for (const std::string name : {"SLM (bytes)", "slm-bytes", "Slm bytes"})
    CHECK_THAT(table("Device,LOCAL," + name + "\na100-80gb,256,49152\n").out,
               Catch::EndsWith(in_bytes.out.substr(in_bytes.out.find(",ok,"))));
  CHECK_THAT(table("device,local,slm\na100-80gb,256,48\n").out, Catch::Contains("error: slm: '48'"));
  const Ran unknown = table("device,local,colour\na100-80gb,256,red\n");
  CHECK(unknown.status == 2);
  CHECK(unknown.out.empty());
  CHECK_THAT(unknown.err, Catch::Contains(":1:14: error: the column 'colour' is not known"));
  CHECK_THAT(table("device,local,registrs\na100-80gb,256,9\n").err, Catch::Contains("did you mean 'registers'?"));
  CHECK_THAT(table("device,local,slm,slm_bytes\na100-80gb,256,1 KiB,2\n").err, Catch::Contains("say the same"));
  CHECK(table("device,local,kernel,note: mine\na100-80gb,256,k,x\n").status == 0);
}

TEST_CASE("the sub-group size may be left out where a device has one only") {
  CHECK_THAT(run_gdsim({"occupancy", "--device", "a100-80gb", "--local", "256"}).out, Catch::Contains("8 warps"));
  CHECK_THAT(run_gdsim({"occupancy", "--device", "xe-lp-tgl", "--local", "256"}).err,
             Catch::Contains("--sub-group: is missing; xe-lp-tgl has 8, 16, 32"));
}

TEST_CASE("a full core gets no advice") {
  const std::string text = run_gdsim({"occupancy", "--device", "a100-80gb", "--local", "256"}).out;
  CHECK_THAT(text, Catch::Contains("occupancy 100.0 %") && !Catch::Contains("Next step"));
}

TEST_CASE("curves and refusals are in the words of the device's vendor") {
  const std::string curve =
      run_gdsim({"occupancy", "--device", "a100-80gb", "--local", "256", "--vary", "registers"}).out;
  CHECK_THAT(curve, Catch::Contains("blocks") && Catch::Contains("warps") && !Catch::Contains("work-groups"));
  CHECK_THAT(run_gdsim({"occupancy", "--device", "a100-80gb", "--local", "256", "--slm", "1 MiB"}).out,
             Catch::Contains("a block asks for 1048576 B of shared memory"));
}

TEST_CASE("a curve of more points than can be shown is refused before it is made") {
  const TemporaryFolder folder;
  const auto curve = [&](const std::string& device, const std::string& vary) {
    const std::string file = folder.write("device.yaml", "device: d\nbase: tiny\n" + device);
    const Ran ran = run_gdsim({"occupancy", "--device", file, "--local", "8", "--sub-group", "1", "--vary", vary});
    CHECK(ran.status == 2);
    return ran.err;
  };
  CHECK_THAT(curve("max_work_group_size: 1048576\n", "local"),
             Catch::Contains("--vary: the curve over local has 1048576 points; at most 100000 are allowed"));
  CHECK_THAT(curve("registers: {per_engine: 1000000000, granule: 1}\n", "registers"),
             Catch::Contains("the curve over registers has 1000000000 points"));
  CHECK_THAT(curve("max_work_group_size: 1000000000\n", "local"),
             Catch::Contains("max_work_group_size: '1000000000' is too large: at most 1048576 is allowed"));
}

TEST_CASE("on Intel, registers are GRFs of a thread: 128 at every sub-group size, 256 in large mode, and no more",
          "[figures]") {
  const auto asked = [](const std::string& device, const std::string& sub_group, const std::string& registers) {
    return run_gdsim({"occupancy", "--device", device, "--local", sub_group, "--sub-group", sub_group, "--registers",
                      registers})
        .out;
  };
  for (const std::string device : {"xe-lp-tgl", "arc-a770", "max-1550", "arc-b580", "xe2-lpg-lnl"})
    for (const std::string sub_group : {"16", "32"}) {
      INFO(device << " " << sub_group);
      CHECK_THAT(asked(device, sub_group, "128"), !Catch::Contains("does_not_fit"));
      CHECK_THAT(asked(device, sub_group, "129"),
                 Catch::Contains("a thread uses 129 GRFs, " + device + " gives it 128") &&
                     Catch::Contains("at most 128 GRFs per thread instead of 129"));
    }
  CHECK_THAT(asked("arc-a770", "16", "129"), Catch::Contains("; `large_grf: true` gives it 256"));
  CHECK_THAT(asked("xe-lp-tgl", "16", "129"), !Catch::Contains("large_grf"));
}

TEST_CASE("a thread is called a sub-group where work-items have the same name elsewhere, and only there") {
  const auto asked = [](const std::string& device) {
    return run_gdsim({"occupancy", "--device", device, "--local", "256", "--sub-group", "32"}).out;
  };
  CHECK_THAT(asked("arc-a770"), Catch::Contains("work-group of 256 work-items: 8 threads (sub-groups of 32)\n"));
  CHECK_THAT(asked("a100-80gb"), Catch::Contains("block of 256 work-items: 8 warps\n"));
}

TEST_CASE("in large-GRF mode, 1,024 work-items are refused with a sub-group size and a work-group size that fit") {
  const auto asked = [](const std::string& local, const std::string& sub_group) {
    return run_gdsim({"occupancy", "--device", "max-1550", "--local", local, "--sub-group", sub_group, "--large-grf"})
        .out;
  };
  CHECK_THAT(asked("1024", "16"),
             Catch::Contains("it fits with `sub_group: 32` (32 threads), or with at most 512 work-items"));
  CHECK_THAT(asked("1024", "32"), Catch::Contains("occupancy 50.0 %"));
  CHECK_THAT(asked("512", "16"), Catch::Contains("occupancy 50.0 %"));
}

TEST_CASE("the largest cooperative launch is what the whole device holds at once, clusters whole") {
  CHECK_THAT(
      text(a100({"--cooperative", "--global", "102400"})),
      Catch::Contains("cooperative launch: at most 324 blocks on 108 SMs; this launch has 400 and is refused\n"));
  CHECK(nlohmann::json::parse(text(a100({"--cooperative", "--format", "json"})))["cooperative_work_groups"] == 324);
  CHECK_THAT(text(a100({"--cooperative", "--format", "csv"})), Catch::EndsWith(",324\n"));
  CHECK_THAT(text({"occupancy", "--device", "h100-sxm", "--local", "1024", "--cluster", "8", "--slm", "200 KiB",
                   "--cooperative"}),
             Catch::Contains("cooperative launch: at most 120 blocks on 132 SMs"));
  const Ran family = run_gdsim({"occupancy", "--device", "cc-8.0", "--local", "256", "--cooperative"});
  CHECK(family.status == 2);
  CHECK_THAT(family.err, Catch::Contains("cc-8.0 is a family and has no core count"));
  CHECK(run_gdsim(a100({"--cooperative", "--vary", "slm"})).status == 2);
}

TEST_CASE("the tables of Nsight Compute's calculator are printed for options, and for each kernel of a cubin") {
  const std::string one = text(a100({"--format", "ncu"}));
  for (const std::string line :
       {"  Max Warps per Multiprocessor                           64\n",
        "  Active Threads per Multiprocessor                     768\n",
        "  Occupancy of each Multiprocessor                   37.5 %\n",
        "  Registers                                           18432        65536              3\n",
        "  Registers per Multiprocessor                            3            8             24  <- limits\n"})
    CHECK_THAT(one, Catch::Contains(line));
  const std::string cubin = source_path("tests/import/fixtures/corpus.sm_90.cubin");
  const std::string all = text({"occupancy", cubin, "--device", "h100-sxm", "--format", "ncu"});
  const auto rows = nlohmann::json::parse(text({"occupancy", cubin, "--device", "h100-sxm", "--format", "json"}));
  REQUIRE(rows["kernels"].size() > 10);
  std::size_t at = 0;
  for (const auto& row : rows["kernels"]) {
    INFO(row);
    at = all.find("\n" + row["kernel"].get<std::string>() + "\n  Threads Per Block ", at);
    REQUIRE(at != std::string::npos);
    const std::string part = all.substr(at, all.find("\n\nAllocated", at) - at);
    const std::string blocks = std::to_string(row["work_groups_per_core"].get<int>());
    CHECK_THAT(part, Catch::Contains(" " + blocks + "\n  Occupancy of each Multiprocessor"));
  }
}

TEST_CASE("Nsight Compute's calculator shows the clusters of a kernel") {
  const std::vector<std::string> words{"occupancy", "--device", "h100-sxm", "--local", "256", "--format", "ncu"};
  CHECK_THAT(text(words), !Catch::Contains("Cluster"));
  std::vector<std::string> with_clusters = words;
  with_clusters.insert(with_clusters.end(), {"--cluster", "12"});
  CHECK_THAT(text(with_clusters), Catch::Contains("  Cluster Size                                           12\n") &&
                                      Catch::Contains("  Max Active Clusters                                    80\n"));
}

TEST_CASE("Nsight Compute's calculator is refused for other vendors, and beside a curve") {
  const Ran other = run_gdsim({"occupancy", "--device", "mi300x", "--local", "256", "--format", "ncu"});
  CHECK(other.status == 2);
  CHECK_THAT(other.err, Catch::Contains("'amd'") && Catch::Contains("--format text"));
  const Ran curve = run_gdsim(a100({"--format", "ncu", "--vary", "slm"}));
  CHECK(curve.status == 2);
  CHECK_THAT(curve.err, Catch::Contains("remove --vary"));
}
