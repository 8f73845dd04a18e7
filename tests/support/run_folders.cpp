#include "run_folders.hpp"

#include "process.hpp"
#include "temporary_folder.hpp"

#include <fstream>
#include <regex>
#include <stdexcept>

namespace gdsim::testing {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Replaces the entry of a file in the list.
void replace_entry(const std::filesystem::path& run, const std::string& name, const std::string& entry) {
  const std::string old = read_file(run / "summary.json");
  const std::regex pattern("\\n    \\{\\s*\"file\": \"" + name + "\",[^}]*\\},?");
  if (!std::regex_search(old, pattern)) throw std::runtime_error("summary.json does not list " + name);
  std::string text = std::regex_replace(old, pattern, entry);
  text = std::regex_replace(text, std::regex(",(\\s*\\])"), "$1");
  write(run / "summary.json", text);
}

}  // namespace

void rewrite_listed(const std::filesystem::path& run, const std::string& name, const std::string& text) {
  write(run / name, text);
  const std::string sha256 = run_program({"/usr/bin/sha256sum", (run / name).string()}).out.substr(0, 64);
  replace_entry(run, name,
                "\n    {\"file\": \"" + name + "\", \"bytes\": " + std::to_string(text.size()) + ", \"sha256\": \"" +
                    sha256 + "\"},");
}

void remove_listed(const std::filesystem::path& run, const std::string& name) {
  std::filesystem::remove(run / name);
  replace_entry(run, name, "");
}

}  // namespace gdsim::testing
