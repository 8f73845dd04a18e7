#include "import/profiles/samples.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/database/database.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <zlib.h>
#include <catch2/catch.hpp>

#include <cstdint>
#include <stdexcept>

namespace gdsim::testing {
namespace {

void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 128; value /= 128) to.push_back(static_cast<char>(value % 128 + 128));
  to.push_back(static_cast<char>(value));
}

void put_number(std::string& to, unsigned field, std::uint64_t value) {
  put_varint(to, field * 8);
  put_varint(to, value);
}

void put_bytes(std::string& to, unsigned field, const std::string& bytes) {
  put_varint(to, field * 8 + 2);
  put_varint(to, bytes.size());
  to += bytes;
}

std::string sized(const std::string& bytes) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i) text.push_back(static_cast<char>(bytes.size() >> (8 * i)));
  return text + bytes;
}

/// A report of one launch, in the layout of Nsight Compute.
std::string ncu_report() {
  const std::vector<std::pair<std::string, std::uint64_t>> metrics{{"launch__registers_per_thread", 32},
                                                                   {"launch__shared_mem_per_block_static", 4096},
                                                                   {"launch__shared_mem_per_block_dynamic", 0},
                                                                   {"gpu__time_duration.sum", 20'000},
                                                                   {"device__attribute_multiprocessor_count", 108},
                                                                   {"device__attribute_compute_capability_major", 8},
                                                                   {"device__attribute_compute_capability_minor", 0}};
  std::string strings;
  std::string result;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    put_bytes(strings, 1, metrics[i].first);
    std::string value;
    put_number(value, 5, metrics[i].second);
    std::string metric;
    put_number(metric, 1, i);
    put_bytes(metric, 2, value);
    put_bytes(result, 13, metric);
  }
  std::string grid;
  put_number(grid, 1, 512);
  std::string block;
  put_number(block, 1, 256);
  put_bytes(result, 6, "vector_add");
  put_bytes(result, 7, "vector_add(float*)");
  put_bytes(result, 10, grid);
  put_bytes(result, 11, block);
  put_number(result, 23, 7);
  const std::string payload = sized(result);
  std::string header;
  put_number(header, 2, 1);
  put_bytes(header, 4, strings);
  put_number(header, 5, payload.size());
  std::string file_header;
  put_number(file_header, 1, 7);
  return std::string("NVR\0", 4) + sized(file_header) + sized(header) + payload;
}

const char* const kOwn =
    "name,start_ns,duration_us,grid_x,block_x,registers,static_slm,stream\n"
    "vector_add,1000,20,512,256,32,4096,1\n"
    "\"scale<int, 4>\",40000,12.5,64,128,40,0,1\n";

const char* const kNsys =
    "Generating SQLite file report.sqlite from report.nsys-rep\n"
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes "
    "(MB),Throughput (MB/s),SrcMemKd,DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n"
    "1000,5000,1,,,,,,,,,,0.040,8000.000,Pageable,Device,NVIDIA A100-SXM4-80GB (0),1,,7,[CUDA memcpy Host-to-Device]\n"
    "9000,20000,2,512,1,1,256,1,1,32,0.049,0.000,,,,,NVIDIA A100-SXM4-80GB (0),1,,7,\"vector_add(float*, int)\"\n";

const char* const kNvprof =
    "==7== NVPROF is profiling process 7, command: ./add\n==7== Profiling result:\n"
    "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\",\"Registers Per "
    "Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\",\"Throughput\",\"Device\",\"Context\",\"Stream\",\"Name\"\n"
    "ms,us,,,,,,,,KB,B,KB,GB/s,,,,\n"
    "10.500000,8.320000,,,,,,,,,,39.062500,4.477512,\"GeForce GTX 950 (0)\",\"1\",\"13\",\"[CUDA memcpy HtoD]\"\n"
    "10.600000,16.384000,40,1,1,256,1,1,18,4.000000,0,,,\"GeForce GTX 950 (0)\",\"1\",\"13\",\"vector_add(float "
    "const *, int) [218]\"\n";

const char* const kRocprofv3 =
    "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\",\"Kernel_Id\",\"Kernel_Name\","
    "\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"LDS_Block_Size\",\"Scratch_Size\",\"VGPR_Count\","
    "\"Accum_VGPR_Count\",\"SGPR_Count\",\"Workgroup_Size_X\",\"Workgroup_Size_Y\",\"Workgroup_Size_Z\","
    "\"Grid_Size_X\",\"Grid_Size_Y\",\"Grid_Size_Z\"\n"
    "\"KERNEL_DISPATCH\",\"Agent 4\",1,3,8,1,10,\"vector_add(float*)\",1,1550151853029637,1550151853049637,512,0,8,4,"
    "16,64,1,1,1000,8,1\n";

const char* const kRocprof =
    "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\",\"grd\",\"wgr\",\"lds\",\"scr\","
    "\"arch_vgpr\",\"accum_vgpr\",\"sgpr\",\"wave_size\",\"sig\",\"obj\",\"DispatchNs\",\"BeginNs\",\"EndNs\","
    "\"CompleteNs\",\"DurationNs\"\n"
    "0,\"vector_add(float*) [clone .kd]\",2,0,0,7,7,131072,256,0,0,8,8,16,64,0x0,0x7f,1000,21000,41000,50000,20000\n";

const char* const kVtune =
    "Computing Task;Work Size:Global;Work Size:Local;Computing Task:Total Time;Computing Task:Average Time;Computing "
    "Task:Instance Count;Computing Task:SIMD Width\n"
    "vector_add;128 x 8;64 x 8;0.026427;0.000529;3;16\n";

const char* const kNcuDetails =
    "==PROF== Connected to process 7\nwrote 7 rows, all fine\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
    "Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule "
    "Name\"\n"
    "\"0\",\"7\",\"add\",\"host\",\"vector_add(float *, int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(512, 2, "
    "1)\",\"0\",\"8.0\",\"Speed\",\"Duration\",\"us\",\"1,020.50\"\n"
    "\"0\",\"7\",\"add\",\"host\",\"vector_add(float *, int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(512, 2, "
    "1)\",\"0\",\"8.0\",\"Launch\",\"Registers Per Thread\",\"register/thread\",\"32\"\n"
    "\"0\",\"7\",\"add\",\"host\",\"vector_add(float *, int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(512, 2, "
    "1)\",\"0\",\"8.0\",\"Launch\",\"Static Shared Memory Per Block\",\"Kbyte/block\",\"8.19\"\n"
    "\"0\",\"7\",\"add\",\"host\",\"vector_add(float *, int)\",\"1\",\"7\",\"(256, 1, 1)\",\"(512, 2, "
    "1)\",\"0\",\"8.0\",\"Launch\",\"# SMs\",\"SM\",\"108\"\n";

const char* const kNcuRaw =
    "\"ID\",\"Kernel Name\",\"Stream\",\"Block Size\",\"Grid "
    "Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\",\"launch__registers_per_thread\",\"launch__shared_mem_per_"
    "block_dynamic\",\"device__attribute_multiprocessor_count\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"us\",\"register/thread\",\"Kbyte/block\",\"\"\n"
    "\"0\",\"vector_add\",\"7\",\"(256, 1, 1)\",\"(512, 1, 1)\",\"0\",\"8.0\",\"20.00\",\"32\",\"49.15\",\"108\"\n";

const char* const kNcuText =
    "Result: 42, fine\n==PROF== Disconnected from process 7\n[7] add@127.0.0.1\n"
    "  void vector_add<float, (int)4>(float *, int) (512, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0\n"
    "    Section: GPU Speed Of Light Throughput\n"
    "    Duration                         usecond        20.00\n"
    "    SM Active Cycles                   cycle    13,050.31\n"
    "    Registers Per Thread     register/thread           32\n"
    "    Dynamic Shared Memory Per Block Kbyte/block      4.10\n"
    "    Waves Per SM                                  (!) n/a\n"
    "    # SMs                                 SM          108\n";

const char* const kUnitrace =
    "Thread 7 Device 57759440 : \"zeCommandListAppendMemoryCopy(M2D)[4194304]\" [ns] 1 (append) 2 (submit) 1000 "
    "(start) 401000 (end)\n"
    "Thread 7 Device 57759440 : \"zeCommandListAppendBarrier\" [ns] 1 (append) 2 (submit) 401000 (start) 402000 (end)\n"
    "Thread 7 Device 57759440 : \"vector_add[SIMD32 {512; 1; 1} {64; 1; 1}]\" [ns] 1 (append) 2 (submit) 500000 "
    "(start) 520000 (end)\n"
    "\n=== Kernel Properties ===\n\n"
    "      Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread, Spill Memory "
    "Per "
    "Thread, Register File Size Per Thread\n"
    "\"vector_add\",      JIT,   32,                   3,               2048,                         0,              "
    "         0,                           256\n";

const char* const kTrace =
    "-kernel name = vector_add\n-kernel id = 1\n-grid dim = (196,1,1)\n-block dim = (256,1,1)\n-shmem = 512\n-nregs = "
    "12\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007fb139000000\n\n#traces format = PC\n";

const char* const kBalar =
    "CUDA memalloc: dptr: dptr-0, size: 524288\n"
    "CUDA memcpyH2D detected: device_ptr: dptr-0, host_ptr: 0x7f, size: 524288, data_file: x.data, addr: 0x7f\n"
    "CUDA cu kernel launch detected: name: vector_add, ptx_name: _Z6vecAddPiS_S_i, funcptr: 0x56, gdx: 512, gdy: 1, "
    "gdz: 1, bdx: 256, bdy: 1, bdz: 1, sharedBytes: 64, CUstream: (nil), args: dptr-0/8\n";

}  // namespace

std::string trace_of(const std::string& events, const std::string& device) {
  return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, )" + device +
         R"(, "computeMajor": 8, "computeMinor": 0, "warpSize": 32, "numSms": 108, "totalGlobalMem": 85018279936}],)" +
         R"( "traceEvents": [)" + events + "]}\n";
}

std::vector<SampleProfile> sample_profiles() {
  const std::string kernel =
      R"-({"ph": "X", "cat": "kernel", "name": "vector_add(float*)", "pid": 0, "tid": 7, "ts": 1695835572943613.250,)-"
      R"( "dur": 20.5, "args": {"device": 0, "stream": 7, "correlation": 9, "registers per thread": 32,)"
      R"( "shared memory": 4096, "grid": [512, 1, 1], "block": [256, 1, 1], "est. achieved occupancy %": 50}},)"
      R"( {"ph": "X", "cat": "cpu_op", "name": "aten::add", "ts": 1, "dur": 2, "args": {}})";
  return {{"own.csv", kOwn},
          {"nsys.csv", kNsys},
          {"nvprof.csv", kNvprof},
          {"rocprofv3.csv", kRocprofv3},
          {"rocprof.csv", kRocprof},
          {"vtune.csv", kVtune},
          {"ncu.csv", kNcuDetails},
          {"ncu_raw.csv", kNcuRaw},
          {"ncu.txt", kNcuText},
          {"report.ncu-rep", ncu_report()},
          {"trace.json", trace_of(kernel)},
          {"trace.json.gz", gzipped(trace_of(kernel))},
          {"unitrace.txt", kUnitrace},
          {"kernel-1.traceg", kTrace},
          {"cuda_calls.trace", kBalar}};
}

const std::string& sample(const std::string& name) {
  static const std::vector<SampleProfile> all = sample_profiles();
  for (const SampleProfile& one : all)
    if (one.name == name) return one.bytes;
  throw std::logic_error("there is no sample " + name);
}

Profile profile_of(const std::string& bytes, const std::string& name) {
  Profile profile = read_profile(ProfileInput(name, bytes));
  apply_properties(profile);
  return profile;
}

std::string problem_of(const std::string& bytes) {
  try {
    static_cast<void>(profile_of(bytes));
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("nothing is wrong with it");
  return "";
}

std::vector<std::string> nsys_statements() {
  return {"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT)",
          "INSERT INTO StringIds VALUES (1, 'vector_add(float*)'), (2, 'scale')",
          "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, computeMajor INTEGER, computeMinor "
          "INTEGER)",
          "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100-SXM4-80GB', 108, 8, 0)",
          "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
          "correlationId INTEGER, demangledName INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER, "
          "gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, "
          "dynamicSharedMemory INTEGER, clusterX INTEGER)",
          "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (51000, 71000, 0, 7, 2, 1, 32, 512, 1, 1, 256, 1, 1, 4096, "
          "12544, 0), (80000, 90000, 0, 7, 3, 2, 40, 64, 2, 1, 128, 1, 1, 0, 0, 0)",
          "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, "
          "bytes INTEGER, copyKind INTEGER)",
          "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1000, 41000, 0, 7, 400000, 1)"};
}

void write_database(const std::filesystem::path& file, const std::vector<std::string>& statements) {
  Database database(file);
  for (const std::string& statement : statements) database.run(statement);
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

std::string gzipped(const std::string& bytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

}  // namespace gdsim::testing
