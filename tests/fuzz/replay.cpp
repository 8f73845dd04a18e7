#include "fuzz_targets.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

/// Feeds a target with files, without libFuzzer: `fuzz_replay TARGET FILE|FOLDER...`. Exit status 0 if all were taken,
/// 1 if one was not or there was none. A crash names no file: the last line printed does.
namespace {

namespace fs = std::filesystem;
using Target = void (*)(std::string_view);

constexpr std::array<std::pair<std::string_view, Target>, 5> kTargets{{{"scenario", gdsim::fuzz::scenario},
                                                                       {"device", gdsim::fuzz::device},
                                                                       {"measured", gdsim::fuzz::measured},
                                                                       {"occupancy", gdsim::fuzz::occupancy},
                                                                       {"run_folder", gdsim::fuzz::run_folder}}};

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(Target target, const fs::path& file) {
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);
  std::ifstream in(file, std::ios::binary);
  const std::string input{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) return false;
  try {
    target(input);
    return true;
  } catch (const std::exception& error) {
    std::printf("  escaped: %s\n", error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const auto found = std::find_if(kTargets.begin(), kTargets.end(), [&](const auto& t) { return t.first == wanted; });
  if (found == kTargets.end()) {
    std::puts("fuzz_replay TARGET FILE|FOLDER...: the target is scenario, device, measured, occupancy or run_folder");
    return 2;
  }
  std::size_t taken = 0;
  std::size_t failed = 0;
  for (int i = 2; i < argc; ++i)
    for (const fs::path& file : files_of(argv[i])) ++(replay(found->second, file) ? taken : failed);
  std::printf("%zu inputs taken, %zu not\n", taken, failed);
  return failed == 0 && taken > 0 ? 0 : 1;
}
