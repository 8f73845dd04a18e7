#include "output/file_lists.hpp"

#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/yaml/yaml_document.hpp>

#include <algorithm>
#include <charconv>

namespace gdsim::cli {
namespace {

/// Returns the list under a key of the outermost object, or nullopt if there is none.
std::optional<std::vector<YamlNode>> list_under(std::string_view key, const SourceText& source) {
  auto value = read_yaml_value(source, key);
  if (!value || value->kind != YamlNode::Kind::sequence) return std::nullopt;
  return std::move(value->items);
}

std::string text_at(const YamlNode& object, std::string_view key) {
  const YamlNode* value = object.find(key);
  return value != nullptr && value->is_scalar() && value->style == YamlNode::Style::quoted ? value->text : "";
}

std::optional<std::uint64_t> count_at(const YamlNode& object, std::string_view key) {
  const YamlNode* value = object.find(key);
  if (value == nullptr || !value->is_scalar() || value->style != YamlNode::Style::plain) return std::nullopt;
  std::uint64_t count = 0;
  const char* const end = value->text.data() + value->text.size();
  const auto [stop, error] = std::from_chars(value->text.data(), end, count);
  return error == std::errc() && stop == end ? std::optional(count) : std::nullopt;
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Returns true for names that this program writes into a folder: neither hidden nor outside of it.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

/// Returns true for `FILE` or `CASE/FILE`.
bool is_path_within(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return is_plain_name(path);
  return is_plain_name(path.substr(0, slash)) && is_plain_name(path.substr(slash + 1));
}

}  // namespace

std::optional<std::vector<ListedFile>> listed_files(const SourceText& summary) {
  const auto list = list_under("files", summary);
  if (!list) return std::nullopt;
  std::vector<ListedFile> files;
  for (const YamlNode& entry : *list) {
    const auto bytes = count_at(entry, "bytes");
    ListedFile file{text_at(entry, "file"), bytes.value_or(0), text_at(entry, "sha256")};
    if (!is_plain_name(file.name) || !is_sha256(file.sha256) || !bytes) return std::nullopt;
    files.push_back(std::move(file));
  }
  return files;
}

std::string journal_text(const std::vector<FileChange>& changes) {
  JsonWriter json;
  json.open_object().key("changes").open_list();
  for (const FileChange& change : changes) {
    json.open_object();
    json.key("file").text(change.file);
    json.key("before").text(change.before);
    json.key("after").text(change.after);
    json.close_object();
  }
  json.close_list().close_object();
  return json.finish();
}

std::optional<std::vector<FileChange>> journaled_changes(const SourceText& journal) {
  const auto list = list_under("changes", journal);
  if (!list) return std::nullopt;
  std::vector<FileChange> changes;
  for (const YamlNode& entry : *list) {
    FileChange change{text_at(entry, "file"), text_at(entry, "before"), text_at(entry, "after")};
    const auto is_hash_or_none = [](const std::string& hash) { return hash.empty() || is_sha256(hash); };
    if (!is_path_within(change.file) || !is_hash_or_none(change.before) || !is_hash_or_none(change.after))
      return std::nullopt;
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace gdsim::cli
