// Files that are dropped onto the page, or chosen, become a scenario: `gdsim import` runs in the worker.
"use strict";

/// The maximum size of all files together, in bytes.
const maxImported = 200_000_000;

class ImportPanel {
  /// `run({files, words})` resolves to the answer of import_json(). `open(name, text)` is called with each scenario.
  constructor(root, {run, open}) {
    this.root = root;
    this.words = root.querySelector("input");
    this.said = root.querySelector("ul");
    this.run = run;
    this.open = open;
    this.files = [];
    this.calls = 0;
    root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.import();
    });
    root.querySelector("[type=button]").addEventListener("click", () => (root.hidden = true));
  }

  /// Splits a text into words as a shell does: quotes keep spaces. Returns null if a quote is not closed.
  static wordsOf(text) {
    const pattern = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;
    if (text.replaceAll(pattern, "").trim() !== "") return null;
    return [...text.matchAll(pattern)].map(([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
  }

  say(lines) {
    this.said.replaceChildren(
      ...lines.map((line) => Object.assign(document.createElement("li"), {textContent: line})));
  }

  /// Opens a scenario, or imports other files with these words of `gdsim import`.
  async take(files, words) {
    if (files.length === 1 && /\.ya?ml$/i.test(files[0].name)) {
      this.root.hidden = true;
      this.open(files[0].name, await files[0].text());
      return;
    }
    this.files = files;
    this.root.hidden = false;
    this.root.querySelector("code").textContent = files.map(({name}) => name).join(" ");
    this.words.value = words;
    await this.import();
  }

  async import() {
    const call = ++this.calls;
    this.root.dataset.state = "running";
    this.say(["importing …"]);
    const {state, lines} = await this.attempt().catch((error) => ({state: "wrong", lines: [error.message]}));
    if (call !== this.calls) return;
    this.root.dataset.state = state;
    this.say(lines);
  }

  async attempt() {
    const words = ImportPanel.wordsOf(this.words.value);
    if (words === null) throw new Error("a quote is not closed");
    const size = this.files.reduce((sum, file) => sum + file.size, 0);
    if (size > maxImported)
      throw new Error(`${size} bytes are too many for a page, which takes ${maxImported}; \`gdsim import\` reads them`);
    const read = async (file) => ({name: file.name, bytes: new Uint8Array(await file.arrayBuffer())});
    const answer = await this.run({files: await Promise.all(this.files.map(read)), words});
    if (answer.problems.length === 0) {
      this.open(answer.file, answer.text);
      return {state: "done", lines: answer.report};
    }
    const lines = answer.problems.map(({place, line, column, message}) =>
      `${place}${line > 0 ? `:${line}:${column}` : ""}${place === "" ? "" : ": "}${message}`);
    return {state: "wrong", lines: answer.more > 0 ? [...lines, `${answer.more} more problems`] : lines};
  }
}
