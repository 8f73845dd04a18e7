#include "file_lists.hpp"

#include <gdsim/report/json/json_writer.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gdsim::cli {
namespace {

using Json = nlohmann::json;

/// The list under a key of the outermost object; null if there is none. Other keys take no memory.
Json list_under(std::string_view key, std::string_view text) {
  const auto keeps = [key](int depth, Json::parse_event_t event, Json& parsed) {
    return event != Json::parse_event_t::key || depth != 1 || parsed == key;
  };
  Json whole = Json::parse(text, keeps, false);
  if (!whole.is_object() || !whole.contains(key) || !whole[std::string(key)].is_array()) return nullptr;
  return std::move(whole[std::string(key)]);
}

std::string text_at(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// Such as this program writes into a folder: nothing hidden, nothing outside of it.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

/// `FILE` or `CASE/FILE`.
bool is_path_within(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return is_plain_name(path);
  return is_plain_name(path.substr(0, slash)) && is_plain_name(path.substr(slash + 1));
}

}  // namespace

std::optional<std::vector<ListedFile>> listed_files(std::string_view summary) {
  const Json list = list_under("files", summary);
  if (list.is_null()) return std::nullopt;
  std::vector<ListedFile> files;
  for (const Json& entry : list) {
    ListedFile file{text_at(entry, "file"), 0, text_at(entry, "sha256")};
    if (!is_plain_name(file.name) || !is_sha256(file.sha256) || !entry.contains("bytes") ||
        !entry["bytes"].is_number_unsigned())
      return std::nullopt;
    file.bytes = entry["bytes"].get<std::uint64_t>();
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

std::optional<std::vector<FileChange>> journaled_changes(std::string_view journal) {
  const Json list = list_under("changes", journal);
  if (list.is_null()) return std::nullopt;
  std::vector<FileChange> changes;
  for (const Json& entry : list) {
    FileChange change{text_at(entry, "file"), text_at(entry, "before"), text_at(entry, "after")};
    const auto is_hash_or_none = [](const std::string& hash) { return hash.empty() || is_sha256(hash); };
    if (!is_path_within(change.file) || !is_hash_or_none(change.before) || !is_hash_or_none(change.after))
      return std::nullopt;
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace gdsim::cli
