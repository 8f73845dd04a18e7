#include <gdsim/import/profiles/ncu/ncu_launch.hpp>

#include <gdsim/import/object_files.hpp>

#include <fmt/format.h>
#include <protozero/pbf_reader.hpp>

#include <string>
#include <vector>

namespace gdsim {
namespace {

using protozero::pbf_reader;

// Layout, as found in files: `NVR\0`, a size and the file's header, then blocks. A block has a size, a header and a
// payload of entries, each after its size. Headers and entries are protocol buffers; the meaning of their fields was
// found by comparison with Nsight Compute's output.

/// A block's header: the number of sources, results and bytes in the payload after it.
struct BlockHeader {
  std::uint64_t sources = 0;
  std::uint64_t results = 0;
  std::uint64_t payload = 0;
};

class ReportReader {
 public:
  ReportReader(std::string_view bytes, Profile& profile) : bytes_(bytes, profile.file), profile_(profile) {}

  void read() {
    std::uint64_t at = 4;
    at += 4 + std::uint64_t{bytes_.u32(at)};
    while (at < bytes_.size()) at = read_block(at);
  }

 private:
  /// Reads the block at `at` and returns the offset of the next one.
  std::uint64_t read_block(std::uint64_t at) {
    const std::uint64_t size = bytes_.u32(at);
    const BlockHeader header = read_header(bytes_.part(at + 4, size, "the header of a block"), at);
    const std::uint64_t begin = at + 4 + size;
    const ByteView payload = bytes_.part(begin, header.payload, "the payload of a block");
    std::uint64_t entry = 0;
    for (std::uint64_t i = 0; i < header.sources + header.results && entry < payload.size(); ++i) {
      const std::uint64_t length = payload.u32(entry);
      const ByteView entry_bytes = payload.part(entry + 4, length, "an entry of a block");
      if (i >= header.sources) read_result(entry_bytes, begin + entry);
      entry += 4 + length;
    }
    return begin + header.payload;
  }

  /// Calls `visit` for each field. A malformed field is an error at `at`.
  template <class Visit>
  void each_field(std::string_view message, std::uint64_t at, Visit visit) {
    try {
      pbf_reader reader(message.data(), message.size());
      while (reader.next()) visit(reader);
    } catch (const protozero::exception&) {
      bytes_.fail(at, "this is no protocol buffer: the report is damaged");
    }
  }

  BlockHeader read_header(const ByteView& bytes, std::uint64_t at) {
    BlockHeader header;
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    each_field(bytes.bytes(), at, [&](pbf_reader& field) {
      if (field.wire_type() == protozero::pbf_wire_type::varint && field.tag() != 3) {
        const std::uint64_t value = field.get_uint64();
        if (value > most) bytes_.fail(at, "a block is larger than any file");
        if (field.tag() == 1) header.sources = value;
        if (field.tag() == 2) header.results = value;
        if (field.tag() == 5) header.payload = value;
      } else if (field.tag() == 4 && field.wire_type() == protozero::pbf_wire_type::length_delimited) {
        const auto table = field.get_view();
        read_strings({table.data(), table.size()}, at);
      } else {
        field.skip();
      }
    });
    return header;
  }

  void read_strings(std::string_view table, std::uint64_t at) {
    each_field(table, at, [&](pbf_reader& field) {
      if (field.tag() == 1 && field.wire_type() == protozero::pbf_wire_type::length_delimited) {
        strings_.push_back(field.get_string());
      } else {
        field.skip();
      }
    });
  }

  static std::string text_of(pbf_reader& field) {
    const auto view = field.get_view();
    return {view.data(), view.size()};
  }

  void read_result(const ByteView& result, std::uint64_t at) {
    NcuLaunch launch;
    launch.place = at;
    std::string function;
    each_field(result.bytes(), at, [&](pbf_reader& field) {
      const bool is_bytes = field.wire_type() == protozero::pbf_wire_type::length_delimited;
      switch (field.tag()) {
        case 6:
          if (is_bytes) return static_cast<void>(function = text_of(field));
          break;
        case 7:
          if (is_bytes) return static_cast<void>(launch.name = text_of(field));
          break;
        case 10:
          if (is_bytes) return static_cast<void>(launch.grid = sizes_of(text_of(field), at));
          break;
        case 11:
          if (is_bytes) return static_cast<void>(launch.block = sizes_of(text_of(field), at));
          break;
        case 13:
          if (is_bytes) return read_metric(text_of(field), launch, at);
          break;
        case 23:
          if (field.wire_type() == protozero::pbf_wire_type::varint)
            return static_cast<void>(launch.stream = std::to_string(field.get_uint64()));
          break;
        default: break;
      }
      field.skip();
    });
    if (launch.name.empty()) launch.name = function;
    if (const auto device = launch.metrics.find("launch__device_id"); device != launch.metrics.end())
      launch.device = device->second.value;
    add_ncu_launch(profile_, launch);
  }

  /// Returns three sizes as the other formats print them.
  std::string sizes_of(const std::string& message, std::uint64_t at) {
    std::vector<std::uint64_t> sizes(3, 1);
    each_field(message, at, [&](pbf_reader& field) {
      if (field.tag() >= 1 && field.tag() <= 3 && field.wire_type() == protozero::pbf_wire_type::varint) {
        sizes[field.tag() - 1] = field.get_uint64();
      } else {
        field.skip();
      }
    });
    return fmt::format("({}, {}, {})", sizes[0], sizes[1], sizes[2]);
  }

  void read_metric(const std::string& message, NcuLaunch& launch, std::uint64_t at) {
    std::uint64_t name = ~std::uint64_t{0};
    std::string value;
    each_field(message, at, [&](pbf_reader& field) {
      if (field.tag() == 1 && field.wire_type() == protozero::pbf_wire_type::varint) {
        name = field.get_uint64();
      } else if (field.tag() == 2 && field.wire_type() == protozero::pbf_wire_type::length_delimited) {
        value = value_of(text_of(field), at);
      } else {
        field.skip();
      }
    });
    if (name >= strings_.size())
      bytes_.fail(at, fmt::format("a metric's name is string {}, of {}", name, strings_.size()));
    if (is_ncu_metric(strings_[name])) launch.metrics.emplace(strings_[name], NcuMetric{value, ""});
  }

  /// Returns a text, a fraction or a whole number.
  std::string value_of(const std::string& message, std::uint64_t at) {
    std::string value;
    each_field(message, at, [&](pbf_reader& field) {
      switch (field.wire_type()) {
        case protozero::pbf_wire_type::length_delimited: value = text_of(field); break;
        case protozero::pbf_wire_type::fixed64: value = fmt::format("{}", field.get_double()); break;
        case protozero::pbf_wire_type::fixed32: value = fmt::format("{}", field.get_float()); break;
        case protozero::pbf_wire_type::varint: value = std::to_string(field.get_uint64()); break;
        default: field.skip();
      }
    });
    return value;
  }

  ByteView bytes_;
  Profile& profile_;
  std::vector<std::string> strings_;  ///< of all blocks so far
};

}  // namespace

bool is_ncu_report(std::string_view bytes) { return bytes.starts_with(std::string_view("NVR\0", 4)); }

void read_ncu_report(std::string_view bytes, Profile& profile) {
  profile.format = "Nsight Compute, report file";
  profile.place_word = "byte";
  ReportReader(bytes, profile).read();
}

}  // namespace gdsim
