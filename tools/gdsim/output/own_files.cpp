#include "output/aside_folder.hpp"
#include "output/own_files.hpp"
#include "terminal/terminal.hpp"
#include <gdsim/scenario/source_files.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <charconv>
#include <map>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the list under a key of the outermost object, or nullopt if there is none.
std::optional<std::vector<YamlNode>> list_under(std::string_view key, const SourceText& source) {
  auto value = read_yaml_value(source, key);
  if (!value || value->kind != YamlNode::Shape::sequence) return std::nullopt;
  return std::move(value->items);
}

std::optional<std::uint64_t> count_of(const YamlNode* value) {
  if (value == nullptr || !value->is_scalar() || value->style != YamlNode::Style::plain) return std::nullopt;
  std::uint64_t count = 0;
  const char* const end = value->text.data() + value->text.size();
  const auto [stop, error] = std::from_chars(value->text.data(), end, count);
  return error == std::errc() && stop == end ? std::optional(count) : std::nullopt;
}

/// Looks through a folder of results and the folders of its cases.
class OwnFiles {
 public:
  OwnFiles(const fs::path& folder, const fs::path& aside)
      : folder_(folder), aside_(aside), listed_(listed_in(folder)) {}

  std::set<std::string> require() {
    look_through("");
    problems_.throw_if_any();
    return std::move(own_);
  }

 private:
  /// Looks through the folder (``) or that of a case (`CASE/`).
  void look_through(const std::string& part) {
    const std::map<std::string, std::uint64_t> sizes = sizes_in(part);
    std::error_code error;
    std::set<fs::path> entries;
    for (fs::directory_iterator entry(folder_ / part, error), end; !error && entry != end; entry.increment(error))
      entries.insert(entry->path().filename());
    for (const fs::path& name : entries) look_at(part, name.string(), sizes);
  }

  void look_at(const std::string& part, const std::string& name, const std::map<std::string, std::uint64_t>& sizes) {
    if (part.empty() && (name == aside_ || name == kOwnList)) return;
    std::error_code error;
    const fs::path path = folder_ / part / name;
    const fs::file_status status = fs::symlink_status(path, error);
    const auto size = sizes.find(name);
    if (fs::is_directory(status) && part.empty() && cases_.contains(name)) return look_through(name + "/");
    if (!fs::is_regular_file(status) || (size == sizes.end() && !listed_.contains(part + name)))
      return refuse(path, "is not gdsim's");
    if (name != kSummaryFile && size != sizes.end() && fs::file_size(path, error) != size->second)
      return refuse(path, "was changed since gdsim wrote it");
    own_.insert(part + name);
  }

  /// Returns the files that the summary of a part lists, and the summary itself. Keeps the names of cases.
  std::map<std::string, std::uint64_t> sizes_in(const std::string& part) {
    if (part.empty())
      for (const std::string& file : listed_) cases_.insert(file.substr(0, file.find('/')));
    std::map<std::string, std::uint64_t> sizes;
    const fs::path summary = folder_ / part / kSummaryFile;
    std::error_code error;
    if (fs::symlink_status(summary, error).type() != fs::file_type::regular) return sizes;
    SourceFiles files;
    const SourceText& text = files.read(summary);
    const auto list = listed_files(text);
    if (!list) return sizes;
    sizes.emplace(kSummaryFile, 0);
    for (const ListedFile& file : *list) sizes.emplace(file.name, file.bytes);
    if (const auto cases = part.empty() ? list_under("cases", text) : std::nullopt)
      for (const YamlNode& one : *cases) cases_.insert(one.text);
    return sizes;
  }

  void refuse(const fs::path& path, const std::string& what) {
    const fs::path named = (folder_ / "").lexically_normal().parent_path();  // without a slash at its end
    const bool is_upwards = named.empty() || named == "." || named.filename() == "..";
    const fs::path outside = is_upwards ? named / ".." : named.has_parent_path() ? named.parent_path() : fs::path(".");
    problems_.add(Diagnostic{
        "not_ours",
        what + ", and gdsim would replace its folder as a whole; nothing is written; move it out of there (mv " +
            shell_word(path.string()) + " " + shell_word(outside.string()) + ") or write into another folder",
        path.string(),
        0,
        0,
        {}});
  }

  const fs::path& folder_;
  const fs::path& aside_;
  std::set<std::string> listed_;  ///< by a replacement that was interrupted
  std::set<std::string> cases_;
  std::set<std::string> own_;
  Diagnostics problems_;
};

}  // namespace

std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary) {
  const auto list = list_under("files", summary);
  if (!list) return std::nullopt;
  std::vector<ListedFile> files;
  for (const YamlNode& entry : *list) {
    const YamlNode* name = entry.find("file");
    const auto bytes = count_of(entry.find("bytes"));
    if (name == nullptr || !name->is_scalar() || !bytes) return std::nullopt;
    files.push_back({name->text, *bytes});
  }
  return files;
}

std::set<std::string> require_own_files(const fs::path& folder, const fs::path& aside) {
  return OwnFiles(folder, aside).require();
}

}  // namespace gdsim::cli
