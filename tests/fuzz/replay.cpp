#include "fuzz_targets.hpp"
#include "mutations.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

/// Feeds a target with files, without libFuzzer:
///
///     fuzz_replay TARGET FILE|FOLDER...
///     fuzz_replay TARGET --mutated COUNT FILE|FOLDER...     so many inputs that are made of these by small changes
///
/// Exit status 0 if all were taken, 1 if one was not or there was none. A crash names no input: of files, the last line
/// printed does; of mutated ones, the file `mutated-TARGET` in the current folder holds it.
namespace {

namespace fs = std::filesystem;
using Target = void (*)(std::string_view);

constexpr std::array<std::pair<std::string_view, Target>, 7> kTargets{{{"scenario", gdsim::fuzz::scenario},
                                                                       {"device", gdsim::fuzz::device},
                                                                       {"measured", gdsim::fuzz::measured},
                                                                       {"occupancy", gdsim::fuzz::occupancy},
                                                                       {"compiled", gdsim::fuzz::compiled},
                                                                       {"placement_log", gdsim::fuzz::placement_log},
                                                                       {"profile", gdsim::fuzz::profile}}};

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("there is no " + file.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool is_taken(Target target, std::string_view input) {
  try {
    target(input);
    return true;
  } catch (const std::exception& error) {
    std::printf("  escaped: %s\n", error.what());
    return false;
  }
}

bool replay(Target target, const fs::path& file) {
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);
  return is_taken(target, bytes_of(file));
}

std::size_t failed_of_mutated(const std::pair<std::string_view, Target>& target, std::size_t count,
                              const std::vector<fs::path>& files) {
  const std::string kept = "mutated-" + std::string(target.first);
  std::vector<std::string> inputs;
  for (const fs::path& file : files) inputs.push_back(bytes_of(file));
  gdsim::fuzz::Mutations mutations(inputs, 1);
  std::size_t failed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string input = mutations.next();
    std::ofstream(kept, std::ios::binary) << input;
    if (is_taken(target.second, input)) continue;
    ++failed;
    std::printf("not taken:\n%s\n", input.c_str());
  }
  fs::remove(kept);
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const auto found = std::find_if(kTargets.begin(), kTargets.end(), [&](const auto& t) { return t.first == wanted; });
  if (found == kTargets.end()) {
    std::puts(
        "fuzz_replay TARGET FILE|FOLDER...: the target is scenario, device, measured, occupancy, compiled, "
        "placement_log or profile");
    return 2;
  }
  const bool is_mutated = argc > 4 && std::string_view(argv[2]) == "--mutated";
  std::vector<fs::path> files;
  for (int i = is_mutated ? 4 : 2; i < argc; ++i)
    for (fs::path& file : files_of(argv[i])) files.push_back(std::move(file));
  const std::size_t count = is_mutated ? std::strtoul(argv[3], nullptr, 10) : files.size();
  if (files.empty()) {
    std::puts("fuzz_replay: there is no file to begin with");
    return 2;
  }
  std::size_t failed = 0;
  if (is_mutated)
    failed = failed_of_mutated(*found, count, files);
  else
    for (const fs::path& file : files) failed += replay(found->second, file) ? 0 : 1;
  std::printf("%zu inputs taken, %zu not\n", count - failed, failed);
  return failed == 0 && count > 0 ? 0 : 1;
}
