#include <gdsim/import/profiles/byte_stream.hpp>

#include <gdsim/base/diagnostic.hpp>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;  ///< zlib: a gzip header is expected

}  // namespace

/// The file or the text, and its decompressor.
struct ByteStream::Reader {
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };

  ReadBudget& budget;
  std::string name;
  std::unique_ptr<std::FILE, Close> file;
  std::string_view text;  ///< used instead of a file
  std::vector<char> raw = std::vector<char>(kBlock);
  std::vector<char> decompressed;
  z_stream inflater{};
  bool is_gzip = false;
  bool is_at_end = false;
  bool is_within_member = false;
  std::uint64_t consumed = 0;  ///< bytes of the file that were read
  std::string_view pending;    ///< read but not yet returned

  Reader(ReadBudget& of_file, std::string file_name) : budget(of_file), name(std::move(file_name)) {}
  ~Reader() {
    if (is_gzip) inflateEnd(&inflater);
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw InputError({Diagnostic{"unreadable", message, name, 0, 0, {}}});
  }

  std::string_view read_raw() {
    if (!file) {
      const std::string_view block = text.substr(0, kBlock);
      text.remove_prefix(block.size());
      consumed += block.size();
      return block;
    }
    const std::size_t count = std::fread(raw.data(), 1, raw.size(), file.get());
    if (count == 0 && std::ferror(file.get()) != 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    consumed += count;
    budget.find(consumed);
    return {raw.data(), count};
  }

  void begin() {
    const std::string_view first = read_raw();
    is_gzip = first.starts_with("\x1f\x8b");
    pending = first;
    if (!is_gzip) return;
    decompressed.resize(kBlock);
    if (inflateInit2(&inflater, kGzip) != Z_OK) fail("zlib cannot begin");
    feed(first);
  }

  void feed(std::string_view bytes) {
    // zlib's interface is not const-correct.
    inflater.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    inflater.avail_in = static_cast<uInt>(bytes.size());
  }

  std::string_view next_plain() {
    if (!pending.empty()) return std::exchange(pending, {});
    return read_raw();
  }

  std::string_view next_decompressed() {
    inflater.next_out = reinterpret_cast<Bytef*>(decompressed.data());
    inflater.avail_out = static_cast<uInt>(decompressed.size());
    while (!is_at_end && inflater.avail_out > 0) {
      if (inflater.avail_in == 0) feed(read_raw());
      if (inflater.avail_in == 0) {
        is_at_end = true;
        if (is_within_member)
          fail(fmt::format("the compressed data end at byte {}, before they are complete", consumed));
        break;
      }
      is_within_member = true;
      const int code = inflate(&inflater, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        is_within_member = false;
        inflateReset2(&inflater, kGzip);
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        fail(fmt::format("the compressed data are damaged near byte {}", consumed - inflater.avail_in));
      }
    }
    const std::size_t size = decompressed.size() - inflater.avail_out;
    budget.charge(ReadCost::unpacked, size);
    return {decompressed.data(), size};
  }
};

ByteStream::ByteStream(const std::filesystem::path& path, ReadBudget& budget)
    : reader_(std::make_unique<Reader>(budget, path.string())) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) reader_->fail("is a directory; a file is needed");
  reader_->file.reset(std::fopen(reader_->name.c_str(), "rb"));
  if (!reader_->file) reader_->fail(std::string("cannot be read: ") + std::strerror(errno));
  reader_->begin();
}

ByteStream::ByteStream(std::string_view text, std::string name, ReadBudget& budget)
    : reader_(std::make_unique<Reader>(budget, std::move(name))) {
  reader_->text = text;
  reader_->begin();
}

ByteStream::~ByteStream() = default;

std::string_view ByteStream::next() { return reader_->is_gzip ? reader_->next_decompressed() : reader_->next_plain(); }

bool ByteStream::is_gzip() const { return reader_->is_gzip; }
const std::string& ByteStream::name() const { return reader_->name; }

}  // namespace gdsim
