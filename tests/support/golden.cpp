#include "golden.hpp"

#include "builders.hpp"
#include "temporary_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

namespace gdsim::testing {
namespace {

std::string first_difference(const std::string& approved, const std::string& found) {
  std::istringstream old_lines(approved);
  std::istringstream new_lines(found);
  std::string old_line;
  std::string new_line;
  for (int number = 1;; ++number) {
    const bool has_old = static_cast<bool>(std::getline(old_lines, old_line));
    const bool has_new = static_cast<bool>(std::getline(new_lines, new_line));
    if (!has_old && !has_new) return "they differ in the end of the last line";
    if (has_old && has_new && old_line == new_line) continue;
    return "line " + std::to_string(number) + ": approved '" + (has_old ? old_line : "(no line)") + "', found '" +
           (has_new ? new_line : "(no line)") + "'";
  }
}

}  // namespace

std::string difference_to_golden(const std::string& name, const std::string& found) {
  return difference_to_approved("tests/golden/" + name, found);
}

std::string difference_to_approved(const std::string& path, const std::string& found) {
  const std::filesystem::path file = source_path(path);
  if (std::getenv("GDSIM_APPROVE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << found;
    return {};
  }
  if (!std::filesystem::exists(file)) return "there is no " + file.string() + "; tools/approve writes it";
  const std::string approved = read_file(file);
  return approved == found ? "" : path + ": " + first_difference(approved, found) + "; tools/approve accepts it";
}

std::string without_hashes(const std::string& page) {
  const std::size_t begin = page.find("Content-Security-Policy"), end = page.find('>', begin);
  if (begin == std::string::npos) return page;
  const std::regex hash("sha256-[A-Za-z0-9+/]+=*");
  return page.substr(0, begin) + std::regex_replace(page.substr(begin, end - begin), hash, "sha256-...") +
         page.substr(end);
}

}  // namespace gdsim::testing
