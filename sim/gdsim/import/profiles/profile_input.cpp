#include <gdsim/import/profiles/profile_input.hpp>

#include <gdsim/import/profiles/byte_stream.hpp>

namespace gdsim {

ProfileInput::ProfileInput(const std::filesystem::path& path) : path_(path), name_(path.string()) {
  ByteStream stream(path);
  is_gzip_ = stream.is_gzip();
  std::string_view block = stream.next();
  for (; !block.empty() && head_.size() < kHead; block = stream.next()) head_ += block;
  head_is_all_ = block.empty();
}

ProfileInput::ProfileInput(std::string name, std::string_view text) : name_(std::move(name)), head_is_all_(true) {
  ByteStream stream(text, name_);
  is_gzip_ = stream.is_gzip();
  for (std::string_view block = stream.next(); !block.empty(); block = stream.next()) {
    if (block.size() > kMaxText - head_.size())
      fail("is longer than 512 MiB, the most that is read of such a file; export a part of the run");
    head_ += block;
  }
}

const SourceText& ProfileInput::text() const {
  if (text_) return *text_;
  std::string all;
  if (head_is_all_) {
    all = head_;
  } else {
    ByteStream stream(path_);
    for (std::string_view block = stream.next(); !block.empty(); block = stream.next()) {
      if (block.size() > kMaxText - all.size())
        fail("is longer than 512 MiB, the most that is read of such a file; export a part of the run");
      all += block;
    }
  }
  text_ = std::make_unique<SourceText>(name_, std::move(all));
  return *text_;
}

void ProfileInput::fail(const std::string& what) const {
  throw InputError({Diagnostic{"profile", what, name_, 0, 0, {}}});
}

}  // namespace gdsim
