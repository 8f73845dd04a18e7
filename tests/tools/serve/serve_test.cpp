#include "support/builders.hpp"
#include "support/matches.hpp"
#include "support/process.hpp"
#include "support/served.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <thread>

using namespace gdsim::testing;
using Catch::Contains;
using namespace std::string_literals;

// The page that is served is that of the scenario as it was saved last. All waiting is for a condition: how fast the
// machine is does not matter.

namespace {

std::string scenario(const std::string& title, const std::string& device = "tiny",
                     const std::string& compute = "10 us") {
  return "scenario: " + title + "\ndevice: " + device + "\nkernels:\n  k:\n    global: 64\n    local: 8\n" +
         "    sub_group: 8\n    program: [compute: " + compute + "]\nlaunches: [kernel: k]\n";
}

/// Far more than a run can do before it is given up: no two work-groups take as long.
std::string endless_scenario() {
  std::string text = scenario("Endless");
  text.replace(text.find("global: 64"), 10, "global: 8000000000000");
  return text.insert(text.find("launches:"), "    variation: {distribution: normal, cv: 0.1, seed: 1}\n");
}

bool is_answered(const Served& served) {
  try {
    return served.get("/").status == 200;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a scenario that is served has its page, and another once it is saved, however the editor saves") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", scenario("First"));
  const Served served({file});
  CHECK_THAT(served.page(1), Contains("<h1>First</h1>") && Contains("<body data-page=\"1\">") &&
                                 Contains("<pre id=\"notice\" role=\"alert\" hidden></pre>"));
  folder.write("a.yaml", scenario("Other"));  // as long as the first
  CHECK_THAT(served.page(2), Contains("<h1>Other</h1>") && !Contains("First"));
  std::filesystem::rename(folder.write("a.yaml~", scenario("Third")), file);
  CHECK_THAT(served.page(3), Contains("<h1>Third</h1>") && Contains("<body data-page=\"3\">"));
}

TEST_CASE("the page that is served is that of `report`, but for what makes it follow") {
  const TemporaryFolder folder;
  const std::string report = (folder.path() / "page.html").string();
  REQUIRE(run_gdsim({"report", kVectorAdd4, "--scale", "device", "-o", report}).status == 0);
  std::string page = Served({kVectorAdd4, "--scale", "device"}).page(1);
  const auto from_header = [](const std::string& text) { return text.substr(text.find("<header>")); };
  const std::string script = from_header(page).substr(from_header(page).rfind("<script>"));
  CHECK_THAT(script, Contains("changes?since="));
  page.erase(page.size() - script.size());
  CHECK(from_header(page) + "</body>\n</html>\n" == from_header(read_file(report)));
}

TEST_CASE("what is wrong with a scenario stands above its last good page, escaped, until it is right again") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", scenario("Good"));
  const Served served({file});
  const std::string good = served.page(1);
  folder.write("a.yaml", scenario("Wrong", "\"<script>alert(1)</script>\""));
  CHECK(served.error_with("a.yaml:2:9: error: ").page == 1);
  const std::string wrong = served.get("/").body;
  CHECK_THAT(wrong, Contains("<h1>Good</h1>") &&
                        Contains("<pre id=\"notice\" role=\"alert\">" + file + ":2:9: error: ") &&
                        Contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(times_in(wrong, "<script") == times_in(good, "<script"));
  folder.write("a.yaml", scenario("Better"));
  CHECK_THAT(served.page(2), Contains("<h1>Better</h1>") && !Contains("error: "));
}

TEST_CASE("a device that refuses a kernel, and a case that is missing, are errors to be shown") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", scenario("Cases") + "cases: [{name: one}, {name: two}]\n");
  const Served served({file, "--case", "two"});
  CHECK_THAT(served.page(1), Contains("<h1>Cases"));
  folder.write("a.yaml", scenario("Cases") + "cases: [{name: one}, {name: three}]\n");
  CHECK(served.error_with("two").page == 1);
  folder.write("a.yaml", scenario("Cases") + "cases: [{name: two, set: {kernels.k.slm: 1 GiB}}]\n");
  CHECK(served.error_with("1 GiB").page == 1);
}

TEST_CASE("a scenario with several cases is served as a page of all of them") {
  const TemporaryFolder folder;
  const Served served({folder.write("a.yaml", scenario("Cases") + "cases: [{name: one}, {name: two}]\n")});
  CHECK_THAT(served.page(1), Contains("<body data-page=\"1\">") && Contains("<a href=\"#case=two\">") &&
                                 Contains("<template data-case=\"two\">"));
}

TEST_CASE("a scenario that is wrong from the beginning is served, and a file that it lacked is seen to be there") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", scenario("Beside", "./own.yaml"));
  const Served served({file});
  CHECK(served.error_with("own.yaml").page == 0);
  CHECK_THAT(served.get("/").body,
             Contains("There is no page yet") && Contains("own.yaml") && Contains("<h1>a.yaml</h1>"));
  folder.write("own.yaml", "base: tiny\ndevice: own\nname: My own\ncores: 3\n");
  CHECK_THAT(served.page(1), Contains("<bdi>My own</bdi>"));
}

TEST_CASE("models and tables that a scenario reads are followed, too") {
  const TemporaryFolder folder;
  folder.write("own.yaml", "base: tiny\ndevice: own\nname: My own\ncores: 3\n");
  const std::string file = folder.write("a.yaml", scenario("Beside", "./own.yaml"));
  const Served served({file});
  CHECK_THAT(served.page(1), Contains("<bdi>My own</bdi>"));
  folder.write("own.yaml", "base: tiny\ndevice: own\nname: Another\ncores: 5\n");
  CHECK_THAT(served.page(2), Contains("<bdi>Another</bdi>"));
}

TEST_CASE("a run that goes on while its scenario is saved is given up") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", endless_scenario());
  const Served served({file});
  CHECK_THAT(served.get("/").body, Contains("There is no page yet"));
  folder.write("a.yaml", scenario("Short"));
  CHECK_THAT(served.page(1), Contains("<h1>Short</h1>"));
}

TEST_CASE("Ctrl-C ends the server with its status, while browsers wait for changes, and in the middle of a run") {
  const TemporaryFolder folder;
  Served served({folder.write("a.yaml", scenario("First"))});
  served.page(1);
  // Is answered at once when the server ends, or is refused.
  std::thread waiting([&] {
    try {
      served.get("/changes?since=1");
    } catch (const std::runtime_error&) {
    }
  });
  CHECK(served.interrupt() == 130);
  waiting.join();
  Served running({folder.write("b.yaml", endless_scenario())});
  CHECK(running.interrupt() == 130);
}

TEST_CASE("another host, another origin, another method and another path are refused") {
  const TemporaryFolder folder;
  folder.write("secret.txt", "secret");
  const Served served({folder.write("a.yaml", scenario("Mine"))});
  served.page(1);
  const std::string host = "Host: " + served.host() + "\r\n";
  const std::string local = "Host: localhost:" + std::to_string(served.port()) + "\r\n";
  CHECK(served.ask("GET / HTTP/1.1\r\n" + host).status == 200);
  CHECK(served.ask("GET / HTTP/1.1\r\n" + local).status == 200);
  // A link from elsewhere leads here; a page from elsewhere reads nothing.
  const std::string cross = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: ";
  CHECK(served.ask("GET / HTTP/1.1\r\n" + host + cross + "navigate\r\n").status == 200);

  const std::string other = "Host: rebound.example:" + std::to_string(served.port()) + "\r\n";
  for (const std::string& lines :
       {"GET / HTTP/1.1\r\n" + other, "GET /changes HTTP/1.1\r\n" + other, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"s,
        "GET / HTTP/1.1\r\n" + host + cross + "no-cors\r\n", "GET /changes HTTP/1.1\r\n" + host + cross + "cors\r\n",
        "GET / HTTP/1.1\r\n" + host + "Origin: http://rebound.example\r\n",
        "GET / HTTP/1.1\r\n" + host + "Origin: null\r\n"}) {
    INFO(lines);
    const HttpAnswer answer = served.ask(lines);
    CHECK(answer.status == 403);
    CHECK_THAT(answer.body, !Contains("Mine"));
  }
  for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    INFO(method);
    const HttpAnswer answer = served.ask(method + " / HTTP/1.1\r\n" + host + "Content-Length: 0\r\n");
    CHECK(answer.status == 405);
    CHECK_THAT(answer.head, Contains("Allow: GET, HEAD"));
  }
  for (const std::string path :
       {"/a.yaml", "/secret.txt", "/../secret.txt", "/%2e%2e/secret.txt", "//etc/passwd", "/changes/", "/index.html"}) {
    INFO(path);
    CHECK(served.get(path).status == 404);
  }
  const HttpAnswer page = served.get("/");
  CHECK_THAT(page.head, !Contains("Access-Control") && Contains("frame-ancestors 'none'") && Contains("no-store") &&
                            Contains("nosniff") && Contains("Cross-Origin-Resource-Policy: same-origin"));
}

TEST_CASE("HEAD is answered as GET is, without a body and without a wait") {
  const TemporaryFolder folder;
  const Served served({folder.write("a.yaml", scenario("Mine"))});
  served.page(1);
  const std::string end = " HTTP/1.1\r\nHost: " + served.host() + "\r\n";
  const auto without_date = [](const std::string& head) {
    const std::size_t date = head.find("Date: ");
    return date == std::string::npos ? head : head.substr(0, date) + head.substr(head.find("\r\n", date));
  };
  const HttpAnswer head = served.ask("HEAD /" + end);
  CHECK(head.body.empty());
  CHECK(without_date(head.head) == without_date(served.ask("GET /" + end).head));
  CHECK(served.ask("HEAD /changes?since=1" + end).status == 200);
  CHECK(served.ask("HEAD /none" + end).status == 404);
}

TEST_CASE("requests that wait for a change leave connections for others") {
  const TemporaryFolder folder;
  const Served served({folder.write("a.yaml", scenario("Mine"))});
  served.page(1);
  constexpr std::size_t slots = 64, may_wait = 48;
  const std::string state = std::to_string(served.now().state);
  std::vector<Connection> connections;
  for (std::size_t at = 0; at < slots; ++at) {
    connections.emplace_back(served.port());
    connections.back().send("GET /changes?since=" + state + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n");
  }
  std::size_t answered = 0;
  while (answered < slots - may_wait) answered += static_cast<std::size_t>(Connection::wait_for_one(connections));
  while (!is_answered(served)) std::this_thread::yield();  // until the connections of the answers are closed
  CHECK(answered == slots - may_wait);
  folder.write("a.yaml", scenario("Other"));
  for (const Connection& waiting : connections) CHECK_THAT(waiting.rest(), Contains("\"page\": 2"));
}

TEST_CASE("requests that arrive too slowly are cut off, so that others are answered") {
  const TemporaryFolder folder;
  const Served served({folder.write("a.yaml", scenario("Mine"))});
  served.page(1);
  std::vector<Connection> slow;
  for (int count = 0; count < 64; ++count) {
    slow.emplace_back(served.port());
    slow.back().send("GET / HTTP/1.1\r\n");
  }
  while (!is_answered(served)) {  // a server without such a limit waits as long as they send
    for (const Connection& each : slow) each.send("X-More: yes\r\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  CHECK(served.page(1) == served.get("/").body);
}

TEST_CASE("a port that is none, or that is taken, and what is no file are refused before anything is served") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.yaml", scenario("Mine"));
  for (const std::string port : {"0", "65536", "-1", "8080.5", "http"}) {
    INFO(port);
    const Ran ran = run_gdsim({"serve", file, "--port", port});
    CHECK(ran.status == 2);
    CHECK_THAT(ran.err, Contains("is not a whole number from 1 to 65535, as in `--port 8080`"));
  }
  const Served served({file});
  const Ran taken = run_gdsim({"serve", file, "--port", std::to_string(served.port())});
  CHECK(taken.status == 2);
  CHECK_THAT(taken.err, Contains("cannot listen on port " + std::to_string(served.port()) + " of 127.0.0.1"));
  CHECK(run_gdsim({"serve", folder.path().string()}).status == 2);
  CHECK(run_gdsim({"serve", file + ".none"}).status == 2);
  CHECK(run_gdsim({"serve", "-"}).status == 2);
  CHECK(run_gdsim({"serve", file, file}).status == 2);
  CHECK(run_gdsim({"serve", file, "--scale", "half"}).status == 2);
}
