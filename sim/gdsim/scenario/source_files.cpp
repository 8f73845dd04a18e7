#include <gdsim/scenario/source_files.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace gdsim {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& message) {
  throw InputError({Diagnostic{"unreadable", message, name, 0, 0, {}}});
}

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

std::string contents(std::FILE* file, const std::string& name, std::size_t max) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file)) {
    if (count > max - text.size())
      fail(name, "is longer than " + std::to_string(max) + " bytes, the most that is read");
    text.append(buffer.data(), count);
  }
  if (std::ferror(file) != 0) fail(name, std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

}  // namespace

const SourceText& SourceFiles::read(const std::filesystem::path& path, std::string_view role, std::size_t max) {
  if (path == "-") {
    for (const SourceText& known : texts_)
      if (known.name() == "<stdin>" && known.text().size() <= max) return known;  // standard input can be read once
    if (listener_ != nullptr) listener_->on_input(path, fileno(stdin), role);
    return keep("<stdin>", contents(stdin, "<stdin>", max));
  }
  const std::string name = path.string();
  for (const std::size_t known : files_)
    if (texts_[known].name() == name && texts_[known].text().size() <= max) return texts_[known];
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail(name, "is a directory; a file is needed");
  const std::unique_ptr<std::FILE, Close> file(std::fopen(name.c_str(), "rb"));
  if (!file) fail(name, std::string("cannot be read: ") + std::strerror(errno));
  if (listener_ != nullptr) listener_->on_input(path, fileno(file.get()), role);
  const SourceText& text = keep(name, contents(file.get(), name, max));
  files_.push_back(texts_.size() - 1);
  return text;
}

std::vector<const SourceText*> SourceFiles::files() const {
  std::vector<const SourceText*> found;
  for (const std::size_t number : files_) found.push_back(&texts_[number]);
  return found;
}

const SourceText& SourceFiles::keep(std::string name, std::string text) {
  return texts_.emplace_back(std::move(name), std::move(text));
}

}  // namespace gdsim
