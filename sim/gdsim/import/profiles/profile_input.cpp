#include <gdsim/import/profiles/profile_input.hpp>

#include <gdsim/import/profiles/byte_stream.hpp>

#include <cstdint>
#include <system_error>

namespace gdsim {
namespace {

/// Returns 0 for what has no size, such as a pipe.
std::uint64_t size_of(const std::filesystem::path& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : size;
}

}  // namespace

ProfileInput::ProfileInput(const std::filesystem::path& path)
    : path_(path), name_(path.string()), budget_(std::make_shared<ReadBudget>(name_, size_of(path))) {
  ByteStream stream(path, *budget_);
  is_gzip_ = stream.is_gzip();
  std::string_view block = stream.next();
  for (; !block.empty() && head_.size() < kHead; block = stream.next()) head_ += block;
  head_is_all_ = block.empty();
}

ProfileInput::ProfileInput(std::string name, std::string_view text)
    : name_(std::move(name)), budget_(std::make_shared<ReadBudget>(name_, text.size())), head_is_all_(true) {
  ByteStream stream(text, name_, *budget_);
  is_gzip_ = stream.is_gzip();
  for (std::string_view block = stream.next(); !block.empty(); block = stream.next()) {
    budget_->charge(ReadCost::memory, block.size());
    head_ += block;
  }
}

const SourceText& ProfileInput::text() const {
  if (text_) return *text_;
  std::string all;
  if (head_is_all_) {
    all = head_;
  } else {
    ByteStream stream(path_, *budget_);
    for (std::string_view block = stream.next(); !block.empty(); block = stream.next()) {
      budget_->charge(ReadCost::memory, block.size());
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
