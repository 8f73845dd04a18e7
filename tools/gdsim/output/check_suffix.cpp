#include "output/check_suffix.hpp"

#include "options/options.hpp"

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

bool is_special(const fs::path& file) {
  // Names of descriptors, such as /dev/stdout, whatever file they refer to.
  const std::string name = file.lexically_normal().string();
  if (name.starts_with("/dev/") || name.starts_with("/proc/")) return true;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return file == "-" || (fs::exists(status) && !fs::is_regular_file(status));
}

}  // namespace

void require_suffix(const fs::path& file, std::initializer_list<std::string_view> known) {
  const std::string suffix = file.extension().string();
  if (is_special(file) || std::find(known.begin(), known.end(), suffix) != known.end()) return;
  fs::path example = file;
  example.replace_extension(std::string(*known.begin()));
  throw UsageError("-o " + printable(file.string()) + ": " +
                   (suffix.empty() ? "the name has no suffix" : in_quotes(suffix) + " is not written here") +
                   "; known: " + join(std::span(known.begin(), known.size())) + ", as in -o " +
                   printable(example.string()));
}

void require_folder_name(const fs::path& folder) {
  constexpr std::array<std::string_view, 8> files{".html", ".svg", ".png", ".txt", ".csv", ".json", ".yaml", ".pdf"};
  const std::string suffix = folder.extension().string();
  if (std::filesystem::exists(folder) || std::find(files.begin(), files.end(), suffix) == files.end()) return;
  throw UsageError("-o " + printable(folder.string()) + " names a file; a folder is needed, as in -o out" +
                   (suffix == ".html" || suffix == ".svg"
                        ? ". `gdsim report SCENARIO.yaml -o " + printable(folder.filename().string()) +
                              "` writes a page or a picture"
                        : std::string()));
}

}  // namespace gdsim::cli
