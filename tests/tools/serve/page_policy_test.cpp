#include "support/builders.hpp"
#include "support/matches.hpp"
#include "support/process.hpp"
#include "support/served.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace gdsim::testing;

// The content security policy of every kind of page allows the styles and scripts that it has, and nothing else.

namespace {

/// `sha256-` and base64 of what the 64 hexadecimal digits say.
std::string policy_hash(const std::string& text) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const TemporaryFolder folder;
  const std::string digits = run_program({"/usr/bin/sha256sum", folder.write("text", text)}).out.substr(0, 64) + "00";
  std::string hash = "sha256-";
  for (std::size_t at = 0; at < digits.size(); at += 6) {
    const unsigned long three = std::stoul(digits.substr(at, 6), nullptr, 16);
    for (const int bits : {18, 12, 6, 0}) hash += letters[three >> bits & 63U];
  }
  hash.back() = '=';
  return hash;
}

/// The sources of one directive, such as `script-src`.
std::vector<std::string> sources_of(const std::string& page, const std::string& directive) {
  const auto policies = matches_of(page, "http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"");
  REQUIRE(policies.size() == 1);
  const auto found = matches_of(policies[0], "(?:^|; )" + directive + "( [^;]*)");
  REQUIRE(found.size() == 1);
  return matches_of(found[0], " '?([^' ]+)'?");
}

/// What stands between `<NAME>` and `</NAME>`.
std::vector<std::string> elements_of(const std::string& page, const std::string& name) {
  std::vector<std::string> found;
  const std::string open = "<" + name + ">", close = "</" + name + ">";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    found.push_back(page.substr(at, page.find(close, at) - at));
  }
  return found;
}

/// The hashes of these texts, in any order, each once.
std::vector<std::string> hashes_of(const std::vector<std::string>& texts) {
  std::vector<std::string> hashes;
  for (const std::string& text : texts) hashes.push_back(policy_hash(text));
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  return hashes;
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// Names of attributes that handle events, such as `onclick`. By hand: a regular expression would go as deep as the
/// longest path of a picture has characters.
std::vector<std::string> handlers_in(const std::string& markup) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string> found;
  bool is_in_tag = false;
  for (std::size_t at = 1; at < markup.size(); ++at) {
    if (markup[at] == '<' || markup[at] == '>') is_in_tag = markup[at] == '<';
    if (!is_in_tag || !is_space(markup[at - 1]) || markup.compare(at, 2, "on") != 0) continue;
    std::size_t end = at + 2;
    while (end < markup.size() && std::isalpha(static_cast<unsigned char>(markup[end])) != 0) ++end;
    std::size_t next = end;
    while (next < markup.size() && is_space(markup[next])) ++next;
    if (end > at + 2 && next < markup.size() && markup[next] == '=') found.push_back(markup.substr(at, end - at));
  }
  return found;
}

/// The page that a command writes.
std::string page_by(std::vector<std::string> words) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "page.html").string();
  words.insert(words.end(), {"-o", file});
  const Ran ran = run_gdsim(words);
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  return read_file(file);
}

struct NamedPage {
  std::string name;
  std::string text;
};

/// Of what the probe measured on its emulated GPU.
std::string probe_page() {
  const TemporaryFolder folder;
  const std::string logs = (folder.path() / "logs").string();
  REQUIRE(run_program({GDSIM_BINARY_ROOT "/tests/probe_emulated", "--output", logs, "--only", "drawn"}).status == 0);
  return page_by({"probe-model", logs, "--family", "cc-7.5"});
}

std::vector<NamedPage> pages() {
  return {{"run", page_by({"report", kVectorAdd4})},
          {"cases", page_by({"report", source_path("scenarios/vector_add2.yaml")})},
          {"served", Served({kVectorAdd4}).page(1)},
          {"map", page_by({"sweep", kVectorAdd4, "--vary", "dispatch.ports=1,2", "--vary",
                           "dispatch.admission=whole,partial"})},
          {"curve", page_by({"sweep", kVectorAdd4, "--vary", "dispatch.ports=1,2"})},
          {"explanation", page_by({"explain", kVectorAdd4})},
          {"probe", probe_page()},
          {"difference", page_by({"diff", source_path("scenarios/vector_add3.yaml"), kVectorAdd4})}};
}

}  // namespace

TEST_CASE("a hash of a policy is that of RFC 6234's example, in base64") {
  CHECK(policy_hash("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST_CASE("every page allows its own scripts and styles by their hashes, and no others", "[figures]") {
  for (const auto& [name, page] : pages()) {
    INFO(name);
    const std::vector<std::string> scripts = elements_of(page, "script");
    CHECK(scripts.size() == (name == "served" || name == "cases" ? 4U
                             : name == "run"                     ? 3U
                             : name == "map" || name == "curve"  ? 1U
                                                                 : 0U));
    CHECK(sorted(sources_of(page, "script-src")) ==
          (scripts.empty() ? std::vector<std::string>{"none"} : hashes_of(scripts)));
    CHECK(sorted(sources_of(page, "style-src-elem")) == hashes_of(elements_of(page, "style")));
    CHECK(sources_of(page, "default-src") == std::vector<std::string>{"none"});
    if (name == "served") CHECK(sources_of(page, "connect-src") == std::vector<std::string>{"self"});
    CHECK((name == "served") == (page.find("; connect-src ") != std::string::npos));
    CHECK(sources_of(page, "base-uri") == std::vector<std::string>{"none"});
    CHECK(sources_of(page, "form-action") == std::vector<std::string>{"none"});
  }
}

TEST_CASE("a handler of events is found in a tag, and nowhere else") {
  CHECK(handlers_in("<p>one = 1</p><a\n onclick ='x' on=3 href=\"\">") == std::vector<std::string>{"onclick"});
}

TEST_CASE("the data of a page is no script, and no element has a handler of events", "[figures]") {
  for (const auto& [name, page] : pages()) {
    INFO(name);
    // Scripts themselves are no markup.
    std::string markup = page;
    for (std::size_t at = markup.find("<script>"); at != std::string::npos; at = markup.find("<script>"))
      markup.erase(at, markup.find("</script>", at) + 9 - at);
    CHECK(handlers_in(markup).empty());
    const std::size_t with_data = name == "cases" ? 1 + matches_of(markup, "<(template) data-case=").size()
                                  : name == "run" || name == "served" ? 1
                                                                      : 0;
    CHECK(matches_of(markup, "(<script[^>]*>)") ==
          std::vector<std::string>(with_data, "<script type=\"application/json\" id=\"data\">"));
    CHECK(markup.find("javascript:") == std::string::npos);
  }
}

TEST_CASE("nothing that follows the pointer is a live region") {
  for (const auto& [name, page] : pages()) {
    INFO(name);
    CHECK(page.find("<output") == std::string::npos);
    CHECK(page.find("role=\"status\"") == std::string::npos);
  }
}
