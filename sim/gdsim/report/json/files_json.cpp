#include <gdsim/report/json/files_json.hpp>

namespace gdsim {

void write_files(const std::vector<ListedFile>& files, JsonWriter& json) {
  if (files.empty()) return;
  json.key("files").open_list();
  for (const ListedFile& file : files) {
    json.open_object();
    json.key("file").text(file.name);
    json.key("bytes").count(file.bytes);
    json.key("sha256").text(file.sha256);
    json.close_object();
  }
  json.close_list();
}

}  // namespace gdsim
