#include "fuzz_targets.hpp"
#include "output/file_digest.hpp"
#include "output/run_folder.hpp"
#include "support/string_sink.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/report/html/html_report.hpp>
#include <gdsim/report/picture/picture_svg.hpp>

#include <cstdlib>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace gdsim::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder in memory where there is one, of this process, removed with it.
class Folder {
 public:
  Folder() {
    std::string name = (base() / "gdsim-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const { return path_; }

  void remove(const std::string& name) const {
    std::error_code ignored;
    fs::remove(path_ / name, ignored);
  }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }

 private:
  static fs::path base() {
    const fs::path memory = "/dev/shm";
    std::error_code error;
    return fs::is_directory(memory, error) ? memory : fs::temp_directory_path();
  }
  fs::path path_;
};

constexpr const char* kTables[] = {"timeline.csv", "cores.csv", "phases.csv", "launches.csv", "group_states.csv"};

/// What stands behind the line `=== NAME`, up to the next such line; nothing if there is none.
std::optional<std::string_view> part(std::string_view input, std::string_view name) {
  const std::string head = "=== " + std::string(name) + "\n";
  const std::size_t at = input.find(head);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = input.substr(at + head.size());
  return rest.substr(0, rest.find("=== "));
}

/// The summary with the list of the tables that lie beside it, as `gdsim run -o` writes it: no mutation would ever find
/// a hash.
std::string with_list(std::string summary, const std::string& list) {
  const std::size_t end = summary.rfind('}');
  if (end == std::string::npos) return summary;
  return summary.insert(end, ", \"files\": [" + list + "]");
}

}  // namespace

void run_folder(std::string_view input) {
  static const Folder folder;
  std::string list;
  for (const char* name : kTables) {
    const auto text = part(input, name);
    folder.remove(name);
    if (!text) continue;
    folder.write(name, *text);
    list += std::string(list.empty() ? "" : ", ") + "{\"file\": \"" + name +
            "\", \"bytes\": " + std::to_string(text->size()) + ", \"sha256\": \"" + cli::digest_of(*text).sha256 +
            "\"}";
  }
  folder.write("summary.json", with_list(std::string(part(input, "summary.json").value_or("")), list));
  try {
    FileRegister inputs;
    const cli::RunFolder run(folder.path(), inputs);
    testing::StringSink sink;
    write_picture_svg(run.view(), sink);
    write_html_report(run.view(), sink);
  } catch (const InputError&) {
  }
}

}  // namespace gdsim::fuzz
