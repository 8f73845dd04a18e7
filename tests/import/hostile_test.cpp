#include "import/binaries.hpp"
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/metadata_values.hpp>
#include <gdsim/import/object_files.hpp>

#include <catch2/catch.hpp>

#include <random>

// Files that lie: whatever stands in them, they are taken or refused with the offset.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::vector<std::string> kBinaries{"corpus.sm_75.cubin", "small.plain.fatbin", "small.size.fatbin",
                                         "small.speed.fatbin", "small.host.o",       "amd.gfx90a.co",
                                         "amd.bundle"};

/// Returns true if it is taken or refused; anything else that is thrown fails the test.
bool is_survived(const std::string& content) {
  try {
    return kernels_of(content).size() < 1'000'000;
  } catch (const InputError& error) {
    return std::string(error.what()).find("error: ") != std::string::npos;
  }
}

std::string with_number(std::string content, std::size_t at, std::uint64_t number, std::size_t size) {
  return content.replace(at, size, bytes_of(number, size));
}

std::string pack_refusal(const std::string& bytes) {
  try {
    ReadBudget budget("hostile", bytes.size());
    static_cast<void>(read_message_pack(ByteView(bytes, "hostile"), budget));
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a file that ends anywhere is taken or refused") {
  for (const std::string& name : kBinaries) {
    const std::string whole = fixture(name);
    INFO(name);
    for (std::size_t size = 0; size < whole.size(); size += size < 4096 ? 61 : 1777)
      CHECK(is_survived(whole.substr(0, size)));
  }
}

TEST_CASE("a file with bytes changed at random is taken or refused") {
  std::mt19937_64 random(1);
  for (const std::string& name : kBinaries) {
    const std::string whole = fixture(name);
    INFO(name);
    for (int i = 0; i < 150; ++i) {
      std::string changed = whole;
      for (std::uint64_t changes = 1 + random() % 8; changes > 0; --changes)
        changed[random() % changed.size()] = static_cast<char>(random());
      // Tables are small: most changes of a large file would miss them.
      const std::size_t head = std::min<std::size_t>(256, changed.size());
      changed[random() % head] = static_cast<char>(random());
      CHECK(is_survived(changed));
    }
  }
}

TEST_CASE("every number of the header of an ELF file may be the largest there is") {
  const std::string whole = fixture("corpus.sm_75.cubin");
  for (std::size_t at = 16; at < 64; at += 2)
    for (const std::size_t size : {2U, 4U, 8U}) CHECK(is_survived(with_number(whole, at, ~std::uint64_t{0}, size)));
}

TEST_CASE("a table of sections beyond the end is refused with its offset") {
  const std::string whole = fixture("corpus.sm_75.cubin");
  CHECK(refusal_of(with_number(whole, 40, 0x7fff'ffff, 8)) ==
        "hostile: error: at byte 2147483647 (0x7fffffff): the table of sections has 64 bytes here, but 0 are left");
  CHECK_THAT(refusal_of(whole.substr(0, 30)),
             StartsWith("hostile: error: at byte 0 (0x0): the ELF header has 64 bytes"));
  CHECK_THAT(refusal_of(with_number(whole, 60, 0xfff0, 2)), Contains("65520 sections do not fit into a file of"));
}

TEST_CASE("a billion entries are refused before memory is taken for them") {
  const std::string bundle = "__CLANG_OFFLOAD_BUNDLE__" + bytes_of(1'000'000'000, 8) + std::string(64, 'x');
  CHECK_THAT(refusal_of(bundle), Contains("1000000000 entries do not fit into a bundle of 96 bytes"));
  CHECK_THAT(pack_refusal("\xdd\x3b\x9a\xca" + std::string(1, '\0')),
             Contains("1000000000 entries are announced here, and 0 bytes are left"));
  CHECK_THAT(pack_refusal("\xdf\x3b\x9a\xca" + std::string(1, '\0')), Contains("1000000000 entries"));
}

TEST_CASE("MessagePack nested a million deep is refused, not followed") {
  CHECK(pack_refusal(std::string(1'000'000, '\x91')) ==
        "hostile: error: at byte 64 (0x40): nested deeper than 64 levels");
  CHECK_THAT(pack_refusal(std::string(1'000'000, '\x81')), Contains("nested deeper than 64 levels"));
}

TEST_CASE("MessagePack with keys that are no text, that stand there twice, or of unknown kinds is refused") {
  CHECK_THAT(pack_refusal("\x81\x90\x01"), Contains("a key must be text"));
  CHECK_THAT(pack_refusal("\x82\xa1k\x01\xa1k\x02"), Contains("the key 'k' stands here again"));
  CHECK_THAT(pack_refusal("\xc7\x01\x01"), Contains("a value of the kind 0xc7"));
  CHECK_THAT(pack_refusal("\xdb\xff\xff\xff\xff"), Contains("a text has 4294967295 bytes here, but 0 are left"));
}

TEST_CASE("MessagePack of every kind of number is read as what it is") {
  // Written with zero bytes within: the literal's length is its own.
  const std::string bytes(
      "\x9b\x07\xe0\xcc\xff\xcd\x01\x02\xce\x00\x00\x01\x00\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xd0\xff\xd1\xff\xfe\xd2"
      "\xff\xff\xff\xfd\xd3\xff\xff\xff\xff\xff\xff\xff\xfc\xc3",
      43);
  std::vector<std::string> values;
  ReadBudget budget("numbers", bytes.size());
  for (const YamlNode& item : read_message_pack(ByteView(bytes, "numbers"), budget).items) values.push_back(item.text);
  CHECK(values == std::vector<std::string>{"7", "-32", "255", "258", "256", "18446744073709551615", "-1", "-2", "-3",
                                           "-4", "true"});
}

TEST_CASE("what claims to become very large when decompressed is refused before memory is taken for it") {
  std::string container = fixture("small.size.fatbin");
  constexpr std::size_t unpacked = 16 + 56;
  CHECK_THAT(refusal_of(with_number(container, unpacked, std::uint64_t{1} << 62, 8)),
             Contains("cannot become 4611686018427387904 when decompressed"));
  CHECK_THAT(refusal_of(with_number(container, unpacked, std::uint64_t{1} << 28, 8)), Contains("cannot become"));
  CHECK_THAT(refusal_of(with_number(container, unpacked, 5000, 8)), Contains("cannot be decompressed to 5000 bytes"));
  std::string packed = "CCOB" + bytes_of(2, 2) + bytes_of(0, 2) + bytes_of(100, 4) + bytes_of(1000, 4) + bytes_of(0, 8);
  CHECK_THAT(refusal_of(packed + std::string(100, 'x')), Contains("compressed by zlib, which is not read"));
  packed[6] = 1;
  CHECK_THAT(refusal_of(packed + std::string(100, 'x')), Contains("cannot be decompressed to 1000 bytes"));
}

TEST_CASE("bundles within bundles within bundles end somewhere") {
  std::string nested = "x";
  for (int i = 0; i < 30; ++i) nested = archive_of({{"a", nested}});
  CHECK_THAT(refusal_of(nested), Contains("files are nested more than 8 deep"));
}

TEST_CASE("a bundle that holds itself a thousand times is refused at once") {
  std::string entry = bytes_of(0, 8) + bytes_of(32 + 1000 * 25, 8) + bytes_of(1, 8) + "x";
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__" + bytes_of(1000, 8);
  for (int i = 0; i < 1000; ++i) bundle += entry;
  CHECK_THAT(refusal_of(bundle), Contains("overlap, or hold themselves") || Contains("more than 8 deep"));
}

TEST_CASE("a fatbin element that is shorter than its header, or longer than the file, is refused with its offset") {
  const std::string container = fixture("small.plain.fatbin");
  CHECK_THAT(refusal_of(with_number(container, 16 + 4, 8, 4)),
             StartsWith("hostile: error: at byte 20 (0x14): an element's"));
  CHECK_THAT(refusal_of(with_number(container, 16 + 8, ~std::uint64_t{0}, 8)),
             StartsWith("hostile: error: at byte 80 (0x50): an element has 18446744073709551615 bytes here"));
  CHECK_THAT(refusal_of(with_number(container, 6, 2, 2)), Contains("a container's header of 2 bytes"));
}

TEST_CASE("an archive whose sizes are no numbers is refused") {
  std::string archive = archive_of({{"a", "xy"}});
  archive.replace(8 + 48, 3, "abc");
  CHECK_THAT(refusal_of(archive), Contains("at byte 56 (0x38): the size of a member is no number"));
}
