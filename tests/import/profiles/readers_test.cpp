#include "import/profiles/samples.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/import/profiles/profile.hpp>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <map>

// What each format's reader takes out of a file: launches as they were, in work-groups, picoseconds and bytes.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// The launches of kernels.
std::vector<ProfiledLaunch> kernels_of(const Profile& profile) {
  std::vector<ProfiledLaunch> kernels;
  for (const ProfiledLaunch& launch : profile.launches)
    if (launch.work == ProfiledWork::kernel) kernels.push_back(launch);
  return kernels;
}

ProfiledLaunch only_kernel(const Profile& profile) {
  const std::vector<ProfiledLaunch> kernels = kernels_of(profile);
  REQUIRE(kernels.size() == 1);
  return kernels.front();
}

bool has_note(const Profile& profile, const std::string& part) {
  for (const std::string& note : profile.notes)
    if (note.find(part) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("every format is known by its content, and gives the launch of vector_add") {
  for (const SampleProfile& one : sample_profiles()) {
    INFO(one.name);
    const Profile profile = profile_of(one.bytes);
    const std::vector<ProfiledLaunch> kernels = kernels_of(profile);
    REQUIRE_FALSE(kernels.empty());
    CHECK_THAT(profile.texts[kernels.front().name], Contains("vector_add"));
    CHECK(kernels.front().grid[0] >= 2);
    CHECK(kernels.front().block[0] >= 64);
    CHECK_FALSE(profile.format.empty());
  }
}

TEST_CASE("a table of one's own is read by the names and units of its columns") {
  const Profile profile = profile_of(sample("own.csv"));
  REQUIRE(profile.launches.size() == 2);
  const ProfiledLaunch& first = profile.launches[0];
  CHECK(*first.start == Int128{1'000'000});
  CHECK(*first.duration == 20'000'000);
  CHECK(first.grid == Extent{512, 1, 1});
  CHECK(first.block == Extent{256, 1, 1});
  CHECK(*first.registers == 32);
  CHECK(*first.static_slm == 4096);
  CHECK(profile.texts[first.queue] == "1");
  CHECK(profile.texts[profile.launches[1].name] == "scale<int, 4>");
  CHECK(*profile.launches[1].duration == 12'500'000);
}

TEST_CASE("columns that are not used are noted, and a time without a unit is refused") {
  CHECK(has_note(profile_of("name,grid,block,colour\nk,4,64,red\n"), "columns that were not used: colour"));
  CHECK_THAT(problem_of("name,grid,block,start\nk,4,64,17\n"),
             Contains("profile:2:1: error: column 'start': times need a unit; call the column `start_ns`"));
  const Profile with_units = profile_of("name,grid,block,duration\nk,\"(4, 2)\",64,17 us\n");
  CHECK(*with_units.launches.front().duration == 17'000'000);
  CHECK(with_units.launches.front().grid == Extent{4, 2, 1});
}

TEST_CASE("all wrong rows of a table are reported at once, with their lines") {
  const std::string problem = problem_of("name,grid,block\nk,4\nk,4,x\nk,4,64\nk,-4,64\n");
  CHECK_THAT(problem, Contains("profile:2:1: error: the row has 2 cells and the header 3; is it cut off?") &&
                          Contains("profile:3:1: error: column 'block': 'x' is no size") &&
                          Contains("profile:5:1: error: column 'grid': '-4' is no size"));
}

TEST_CASE(
    "Nsight Systems' table: copies have no grid, and shared memory in MB is taken for the multiple of 1024 bytes") {
  const Profile profile = profile_of(sample("nsys.csv"));
  REQUIRE(profile.launches.size() == 2);
  CHECK(profile.launches[0].work == ProfiledWork::host_to_device);
  CHECK(*profile.launches[0].bytes == 40'000);
  CHECK(*profile.launches[1].static_slm == 49'152);
  CHECK(has_note(profile, "rounded to the file's decimals"));
  CHECK(profile.devices.front().name == "NVIDIA A100-SXM4-80GB");
}

TEST_CASE("nvprof's row of units holds for its columns, and numbers behind names are no part of them") {
  const Profile profile = profile_of(sample("nvprof.csv"));
  const ProfiledLaunch kernel = only_kernel(profile);
  CHECK(*kernel.start == Int128{10'600'000'000});
  CHECK(*kernel.duration == 16'384'000);
  CHECK(*kernel.static_slm == 4000);
  CHECK(profile.texts[kernel.name] == "vector_add(float const *, int)");
  CHECK(*profile.launches.front().bytes == 39'063);
  CHECK(profile.devices.front().name == "GeForce GTX 950");
}

TEST_CASE("grids of ROCm's tools count work-items, and rests are work-groups") {
  const ProfiledLaunch kernel = only_kernel(profile_of(sample("rocprofv3.csv")));
  CHECK(kernel.grid == Extent{16, 8, 1});  // 1000 work-items in work-groups of 64
  CHECK(*kernel.duration == 20'000'000);
  CHECK(*kernel.accumulation_registers == 4);
  CHECK(*kernel.scalar_registers == 16);
  const ProfiledLaunch older = only_kernel(profile_of(sample("rocprof.csv")));
  CHECK(older.grid == Extent{512, 1, 1});
  CHECK(*older.sub_group == 64);
  CHECK(*older.duration == 20'000'000);
}

TEST_CASE("VTune's table gives global sizes, mean times and how often a kernel ran") {
  const ProfiledLaunch kernel = only_kernel(profile_of(sample("vtune.csv")));
  CHECK(kernel.grid == Extent{2, 1, 1});
  CHECK(kernel.block == Extent{64, 8, 1});
  CHECK(*kernel.duration == 529'000'000);
  CHECK(kernel.count == 3);
}

TEST_CASE("a Kineto trace keeps decimals of its times, and its device's properties") {
  const Profile profile = profile_of(sample("trace.json"));
  const ProfiledLaunch kernel = only_kernel(profile);
  CHECK(*kernel.start == Int128{1'695'835'572'943'613'250} * 1'000);
  CHECK(*kernel.duration == 20'500'000);
  CHECK(*kernel.registers == 32);
  CHECK(*kernel.static_slm == 4096);
  REQUIRE(profile.devices.size() == 1);
  CHECK(profile.devices.front().family == "cc-8.0");
  CHECK(*profile.devices.front().cores == 108);
  const Profile compressed = profile_of(sample("trace.json.gz"));
  CHECK(*only_kernel(compressed).start == *kernel.start);
}

TEST_CASE("sizes that a Kineto trace leaves out are 1") {
  const Profile profile = profile_of(trace_of(R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": 2, )"
                                              R"("args": {"stream": 7, "grid": [12], "block": [8, 4]}})"));
  REQUIRE(profile.launches.size() == 1);
  CHECK(profile.launches[0].grid == Extent{12, 1, 1});
  CHECK(profile.launches[0].block == Extent{8, 4, 1});
}

TEST_CASE("events of a Kineto trace that begin and end are launches, the last one begun in a lane ending first") {
  const std::string common = R"("pid": 0, "tid": 7, "cat": "kernel", "args": {"grid": [4, 1, 1], "block": [64, 1, 1]})";
  const Profile profile = profile_of(trace_of(
      R"({"ph": "B", "name": "outer", "ts": 1, )" + common + R"(}, {"ph": "B", "name": "inner", "ts": 2.5, )" + common +
      R"(}, {"ph": "B", "pid": 0, "tid": 8, "cat": "cpu_op", "name": "host", "ts": 2}, )"
      R"({"ph": "E", "pid": 0, "tid": 7, "ts": 3}, {"ph": "E", "pid": 0, "tid": 7, "ts": 10}, )"
      R"({"ph": "E", "pid": 0, "tid": 8, "ts": 11}, {"ph": "E", "pid": 0, "tid": 9, "ts": 12}, )"
      R"({"ph": "B", "name": "endless", "ts": 20, )" +
      common + "}"));
  REQUIRE(profile.launches.size() == 2);
  CHECK(profile.texts[profile.launches[0].name] == "inner");
  CHECK(profile.launches[0].duration == 500'000);
  CHECK(profile.launches[1].duration == 9'000'000);
  CHECK(profile.left_out.at("events of kernels without a start or a duration") == 1);
  CHECK_THAT(problem_of(trace_of(R"({"ph": "B", "name": "k", "ts": 5, )" + common +
                                 R"(}, {"ph": "E", "pid": 0, "tid": 7, "ts": 4})")),
             Catch::Contains("began at '5' us ends at '4' us"));
}

TEST_CASE("counters of launches without ids and times do not merge launches of one kernel") {
  const std::string header = "\"Kernel_Name\",\"Grid_Size\",\"Workgroup_Size\",\"Counter_Name\",\"Counter_Value\"\n";
  const Profile profile = profile_of(header +
                                     "\"k\",1024,64,\"SQ_WAVES\",16\n\"k\",1024,64,\"SQ_WAVES\",16\n"
                                     "\"k\",1024,64,\"FETCH_SIZE\",9\n\"k\",1024,64,\"FETCH_SIZE\",9\n");
  CHECK(profile.launches.size() == 2);
  CHECK(profile.left_out.at("further counters of a launch that was read already") == 2);
}

TEST_CASE(
    "rows of a launch with an id are one launch, and only where there are several counters is some row left out") {
  const std::string header =
      "\"Correlation_Id\",\"Kernel_Name\",\"Grid_Size\",\"Workgroup_Size\",\"Counter_Name\",\"Counter_Value\"\n";
  const std::string one = "1,\"k\",1024,64,\"SQ_WAVES\",16\n2,\"k\",1024,64,\"SQ_WAVES\",16\n";
  const Profile once = profile_of(header + one);
  CHECK(once.launches.size() == 2);
  CHECK(once.left_out.empty());
  const Profile twice = profile_of(header + one + "1,\"k\",1024,64,\"FETCH_SIZE\",9\n");
  CHECK(twice.launches.size() == 2);
  CHECK(twice.left_out.at("further counters of a launch that was read already") == 1);
}

TEST_CASE("the bytes of a copy follow from its throughput where a table does not say them") {
  const Profile profile = profile_of(
      "Name,Start (ns),Duration (us),GrdX,BlkX,Throughput (MB/s)\nk,0,5,4,64,\n[CUDA memcpy HtoD],9000,8,,,4500.5\n");
  REQUIRE(profile.launches.size() == 2);
  CHECK(profile.launches[1].bytes == 36'004);
  CHECK_THAT(problem_of("Name,Start (ns),Duration (us),GrdX,BlkX,Throughput (ms)\nk,0,5,4,64,3\n"),
             Catch::Contains("is no throughput"));
}

TEST_CASE("in a ROCm trace the call with the same correlation says whether a grid counts work-items") {
  const auto kernel = [](int correlation) {
    return R"({"ph": "X", "cat": "kernel", "name": "k)" + std::to_string(correlation) +
           R"(", "ts": 1, "dur": 2, "args": {"correlation": )" + std::to_string(correlation) +
           R"(, "grid": [1024, 1, 1], "block": [256, 1, 1]}})";
  };
  const Profile profile = profile_of(
      trace_of(kernel(1) + "," + kernel(2) +
               R"(, {"ph": "X", "cat": "cuda_runtime", "name": "hipExtModuleLaunchKernel", "ts": 0, "dur": 1, )"
               R"("args": {"correlation": 2}})"
               R"(, {"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "ts": 0, "dur": 1, )"
               R"("args": {"correlation": 1}})"));
  REQUIRE(profile.launches.size() == 2);
  CHECK(profile.launches[0].grid == Extent{1024, 1, 1});
  CHECK(profile.launches[1].grid == Extent{4, 1, 1});
}

TEST_CASE("a text of 1000 bytes in decimal units stands for the size that rounds to it") {
  const ProfiledLaunch details = only_kernel(profile_of(sample("ncu.csv")));
  CHECK(*details.static_slm == 8192);  // 8.19 Kbyte
  CHECK(*details.duration == 1'020'500'000);
  CHECK(details.grid == Extent{512, 2, 1});
  const ProfiledLaunch raw = only_kernel(profile_of(sample("ncu_raw.csv")));
  CHECK(*raw.dynamic_slm == 49'152);  // 49.15 Kbyte
  CHECK(*raw.duration == 20'000'000);
  const Profile text = profile_of(sample("ncu.txt"));
  const ProfiledLaunch printed = only_kernel(text);
  CHECK(text.texts[printed.name] == "void vector_add<float, (int)4>(float *, int)");
  CHECK(*printed.dynamic_slm == 4096);  // 4.10 Kbyte
  CHECK(*printed.registers == 32);
  CHECK(printed.place == 4);
}

TEST_CASE("a report of Nsight Compute gives metrics by the strings that it names") {
  const Profile profile = profile_of(sample("report.ncu-rep"));
  const ProfiledLaunch kernel = only_kernel(profile);
  CHECK(profile.texts[kernel.name] == "vector_add(float*)");
  CHECK(kernel.grid == Extent{512, 1, 1});
  CHECK(*kernel.duration == 20'000'000);
  CHECK(*kernel.static_slm == 4096);
  CHECK(profile.texts[kernel.queue] == "7");
  CHECK(profile.devices.front().family == "cc-8.0");
}

TEST_CASE("a report without launch statistics is left out, and no size is made up for it") {
  const Profile profile = profile_of(
      "  k(int), 2022-Jun-08 16:31:17, Context 1, Stream 7\n    Section: Speed\n    Duration      usecond   20.00\n");
  CHECK(profile.launches.empty());
  CHECK(profile.left_out.size() == 1);
}

TEST_CASE("unitrace's names hold sizes and bytes, and its table of properties what a kernel needs") {
  const Profile profile = profile_of(sample("unitrace.txt"));
  const ProfiledLaunch kernel = only_kernel(profile);
  CHECK(kernel.grid == Extent{512, 1, 1});
  CHECK(kernel.block == Extent{64, 1, 1});
  CHECK(*kernel.sub_group == 32);
  CHECK(*kernel.static_slm == 2048);
  CHECK(kernel.large_grf);
  CHECK(*kernel.duration == 20'000'000);
  CHECK(*profile.launches.front().bytes == 4'194'304);
  CHECK(profile.left_out.at("barriers and events, which are no work") == 1);
}

TEST_CASE("copies that unitrace names as OpenCL does have the direction of their call, with and without bytes") {
  const auto work_of = [](const std::string& name) {
    return profile_of("Thread 7 Device 5 : \"" + name + "\" [ns] 1 (append) 2 (submit) 1000 (start) 4000 (end)\n" +
                      sample("unitrace.txt"))
        .launches.front()
        .work;
  };
  for (const std::string bytes : {"", "[4096]"}) {
    INFO(bytes);
    CHECK(work_of("clEnqueueReadBuffer" + bytes) == ProfiledWork::device_to_host);
    CHECK(work_of("clEnqueueWriteBuffer" + bytes) == ProfiledWork::host_to_device);
    CHECK(work_of("clEnqueueCopyBuffer" + bytes) == ProfiledWork::other_copy);
  }
}

TEST_CASE("traces of simulators give sizes and no times") {
  const ProfiledLaunch traced = only_kernel(profile_of(sample("kernel-1.traceg")));
  CHECK(traced.grid == Extent{196, 1, 1});
  CHECK(*traced.registers == 12);
  CHECK(*traced.static_slm == 512);
  CHECK_FALSE(traced.duration);
  const Profile balar = profile_of(sample("cuda_calls.trace"));
  CHECK(*only_kernel(balar).dynamic_slm == 64);
  CHECK(balar.launches.front().work == ProfiledWork::host_to_device);
}

TEST_CASE("a launch without geometry has that of the call with its correlation, unless the call made several") {
  const std::string kernel =
      R"({"ph": "X", "cat": "kernel", "name": "k", "ts": 9, "dur": 20, "args": {"device": 0, "correlation": )";
  const std::string call =
      R"({"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "ts": 1, "dur": 2, "args": )"
      R"({"grid": [3, 2, 1], "block": [128, 1, 1], "shared memory": 512, "correlation": 5}})";
  const std::string copy = R"({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "ts": 50, )"
                           R"("dur": 9, "args": {"device": 0, "correlation": 6}})";
  const std::string copying = R"({"ph": "X", "cat": "cuda_runtime", "name": "hipMemcpyWithStream", "ts": 1, "dur": 2, )"
                              R"("args": {"size": "2560", "correlation": 6}})";
  const Profile joined = profile_of(trace_of(kernel + "5}}," + call + "," + copy + "," + copying));
  const ProfiledLaunch launch = only_kernel(joined);
  CHECK(launch.grid == Extent{3, 2, 1});
  CHECK(launch.block == Extent{128, 1, 1});
  CHECK(launch.static_slm == std::optional<std::uint64_t>(512));
  CHECK(joined.launches[1].bytes == std::optional<std::uint64_t>(2560));
  CHECK(has_note(joined, "of 2 events are those of the calls with their correlation"));
  const Profile graph = profile_of(trace_of(kernel + "5}}," + kernel + "5}}," + call));
  CHECK(kernels_of(graph).size() == 2);
  CHECK(graph.launches[0].grid == Extent{});
}

TEST_CASE("events on a device of a category that is not known are counted") {
  const Profile profile = profile_of(trace_of(
      R"({"ph": "X", "cat": "gpu_ray", "name": "r", "ts": 1, "dur": 20, "args": {"device": 0}},)"
      R"({"ph": "X", "cat": "cuda_profiler_range", "name": "r", "ts": 1, "dur": 20, "args": {"inst": 4}},)"
      R"({"ph": "X", "cat": "gpu_user_annotation", "name": "step", "ts": 1, "dur": 20, "args": {"device": 0}})"));
  CHECK(profile.left_out ==
        std::map<std::string, std::uint64_t>{
            {"events on a device of the category 'gpu_ray', which is not known", 1},
            {"ranges of counters (cuda_profiler_range), which hold no launches: profile without them", 1}});
}

TEST_CASE("graphs and other tables of Nsight Systems with time on a device are counted, with the option that helps") {
  const TemporaryFolder folder;
  std::vector<std::string> statements = nsys_statements();
  for (const char* table : {"GRAPH_TRACE", "JPEG", "SYNCHRONIZATION"})
    for (const char* what : {"CREATE TABLE CUPTI_ACTIVITY_KIND_{} (start INTEGER, end INTEGER, deviceId INTEGER)",
                             "INSERT INTO CUPTI_ACTIVITY_KIND_{} VALUES (1, 2, 0), (3, 4, 0)"})
      statements.push_back(fmt::format(fmt::runtime(what), table));
  write_database(folder.path() / "p.sqlite", statements);
  const Profile profile = read_profile(ProfileInput((folder.path() / "p.sqlite").string()));
  CHECK(profile.left_out ==
        std::map<std::string, std::uint64_t>{
            {"graphs, whose kernels the file does not hold: record with `nsys profile --cuda-graph-trace=node`", 2},
            {"rows of CUPTI_ACTIVITY_KIND_JPEG, which is not read", 2}});
}

TEST_CASE("summaries and outputs without sizes of kernels are refused by name, with what to export instead") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n9,9,9,1,1,1,1,0,k\n",
       "nsys stats --report cuda_gpu_trace --format csv"},
      {"\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"k\",8,160,20,80\n",
       "take *_kernel_trace.csv of: rocprofv3 --kernel-trace"},
      {" Start (ns)   Duration (ns)  CorrId  GrdX  GrdY  GrdZ  BlkX  Name\n 9000 20000 2 512 1 1 256 k\n",
       "is a table in columns; export it as CSV"},
      {R"({"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": []}}]})",
       "rocprofv3 --kernel-trace --output-format csv rocpd"},
      {"DEVID:  0 SGN:2 ConstWGSize:256 teamsXthrds:( 440X 256) lds_usage:4B sgpr_count:22 vgpr_count:12 n:k\n",
       "is a trace of OpenMP's runtime"},
      {"warning: kernel _ZTS1k  compiled SIMD32 allocated 128 regs and spilled around 10\n",
       "is a log of Intel's compiler"}};
  for (const auto& [text, advice] : cases)
    CHECK_THAT(problem_of(text), Contains("profile: error: ") && Contains(advice));
  const TemporaryFolder folder;
  write_database(folder.path() / "trace.rpd",
                 {"CREATE TABLE rocpd_op (id INTEGER, gpuId INTEGER, start INTEGER, end INTEGER)"});
  CHECK_THROWS_WITH(read_profile(ProfileInput((folder.path() / "trace.rpd").string())),
                    Contains("is a trace of rocmProfileData (rpd)") && Contains("rocprofv3 --kernel-trace"));
  write_database(folder.path() / "host.sqlite", {"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)"});
  CHECK_THROWS_WITH(read_profile(ProfileInput((folder.path() / "host.sqlite").string())),
                    Contains("is a database, but no profile") && Contains("--trace=cuda?"));
}

TEST_CASE("rows whose times a profiler lost are counted, and no launch at 0 is made of them") {
  const TemporaryFolder folder;
  std::vector<std::string> statements = nsys_statements();
  statements.push_back(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 0, 0, 7, 4, 2, 40, 64, 2, 1, 128, 1, 1, 0, 0, 0), "
      "(95000, 94000, 0, 7, 5, 2, 40, 64, 2, 1, 128, 1, 1, 0, 0, 0)");
  write_database(folder.path() / "p.sqlite", statements);
  const Profile profile = read_profile(ProfileInput((folder.path() / "p.sqlite").string()));
  CHECK(kernels_of(profile).size() == 2);
  CHECK(
      profile.left_out.at("rows of CUPTI_ACTIVITY_KIND_KERNEL whose times the profiler lost (both 0, or an end before "
                          "the start)") == 2);
}

TEST_CASE("unitrace's JSON of SYCL holds sizes and SIMD width in the names of its events") {
  const Profile profile =
      profile_of(R"({"traceEvents": [{"ph": "X", "tid": 2, "pid": 200, "name": "k[SIMD32 {512; 1; 1} {256; 1; 1}]", )"
                 R"("cat": "gpu_op", "ts": 20.0, "dur": 40.0, "args": {"id": "1"}}]})");
  const ProfiledLaunch kernel = only_kernel(profile);
  CHECK(profile.texts[kernel.name] == "k");
  CHECK(kernel.grid == Extent{512, 1, 1});
  CHECK(kernel.block == Extent{256, 1, 1});
  CHECK(kernel.sub_group == std::optional<std::uint32_t>(32));
}
