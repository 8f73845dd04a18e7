#include <gdsim/import/profiles/json/json_events.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <string>

namespace gdsim {
namespace {

[[noreturn]] void fail_at_byte(const std::string& file, std::uint64_t byte, const std::string& message) {
  throw InputError({Diagnostic{"profile", fmt::format("at byte {}: {}", byte, message), file, 0, 0, {}}});
}

/// The bytes of a stream, one at a time. Counts all bytes, and those since the last event.
class CountedBytes {
 public:
  explicit CountedBytes(ByteStream& stream) : stream_(stream) { refill(); }

  bool is_at_end() const { return at_ == end_; }
  char front() const { return *at_; }
  void advance() {
    if (++at_ == end_) refill();
  }
  std::uint64_t consumed() const { return before_ + static_cast<std::uint64_t>(at_ - begin_); }
  void event() { last_event_ = consumed(); }
  const std::string& file() const { return stream_.name(); }

 private:
  void refill() {
    before_ += static_cast<std::uint64_t>(end_ - begin_);
    const std::string_view block = stream_.next();
    begin_ = at_ = block.data();
    end_ = block.data() + block.size();
    if (before_ - last_event_ > kMaxJsonValue)
      fail_at_byte(file(), before_,
                   fmt::format("a value has more than {} bytes, the most that is read", kMaxJsonValue));
  }

  ByteStream& stream_;
  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t before_ = 0;  ///< bytes of earlier blocks
  std::uint64_t last_event_ = 0;
};

/// An input iterator as the parser requires.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  ByteIterator() = default;
  explicit ByteIterator(CountedBytes& bytes) : bytes_(&bytes) {}
  char operator*() const { return bytes_->front(); }
  ByteIterator& operator++() {
    bytes_->advance();
    return *this;
  }
  ByteIterator operator++(int) {
    ByteIterator before = *this;
    bytes_->advance();
    return before;
  }
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) { return a.is_end() == b.is_end(); }
  friend bool operator!=(const ByteIterator& a, const ByteIterator& b) { return !(a == b); }

 private:
  bool is_end() const { return bytes_ == nullptr || bytes_->is_at_end(); }
  CountedBytes* bytes_ = nullptr;
};

/// Receives the parser's calls and forwards them to a JsonHandler.
class SaxEvents final : public nlohmann::json_sax<nlohmann::json> {
 public:
  SaxEvents(CountedBytes& bytes, JsonHandler& handler) : bytes_(bytes), handler_(handler) {}

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& digits) override { return number(digits); }
  bool string(string_t& value) override {
    note();
    handler_.text(value);
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    enter();
    handler_.begin_object();
    return true;
  }
  bool key(string_t& name) override {
    note();
    handler_.key(name);
    return true;
  }
  bool end_object() override {
    leave();
    handler_.end_object();
    return true;
  }
  bool start_array(std::size_t) override {
    enter();
    handler_.begin_array();
    return true;
  }
  bool end_array() override {
    leave();
    handler_.end_array();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    std::string why = error.what();
    if (const std::size_t colon = why.find(": "); colon != std::string::npos) why = why.substr(colon + 2);
    const bool is_end = bytes_.is_at_end() && why.find("unexpected end of input") != std::string::npos;
    fail_at_byte(bytes_.file(), bytes_.consumed(),
                 is_end ? "the file ends before its JSON does" : "this is no JSON: " + why);
  }

 private:
  void note() {
    bytes_.event();
    handler_.set_offset(bytes_.consumed());
  }
  bool other() {
    note();
    handler_.other();
    return true;
  }
  bool number(std::string_view digits) {
    note();
    handler_.number(digits);
    return true;
  }
  void enter() {
    note();
    if (++depth_ > kMaxJsonDepth)
      fail_at_byte(bytes_.file(), bytes_.consumed(),
                   fmt::format("is nested deeper than {}, the most that is read", kMaxJsonDepth));
  }
  void leave() {
    note();
    --depth_;
  }

  CountedBytes& bytes_;
  JsonHandler& handler_;
  std::size_t depth_ = 0;
};

}  // namespace

void read_json(ByteStream& stream, JsonHandler& handler) {
  CountedBytes bytes(stream);
  SaxEvents events(bytes, handler);
  nlohmann::json::sax_parse(ByteIterator(bytes), ByteIterator(), &events);
}

}  // namespace gdsim
