// Sliders and lists for values of the scenario: each replaces one value, like `--set`, and does not change the text.
"use strict";

const maxControls = 60;

class Controls {
  /// `onChange` is called after each change by the user.
  constructor(root, onChange) {
    this.root = root;
    this.onChange = onChange;
    this.values = new Map(); // the replaced values by path
    this.shape = "";
  }

  get overrides() {
    return [...this.values];
  }
  set overrides(pairs) {
    this.values = new Map(pairs);
    this.shape = "";
  }

  /// Shows the controls of an answer: new ones if the list has changed, else the same. The focused one keeps its value.
  show(all) {
    const controls = all.slice(0, maxControls);
    const shape = JSON.stringify(controls.map(({path, choices, max}) => [path, choices, max]));
    if (shape !== this.shape) {
      this.shape = shape;
      this.rows = controls.map((control) => this.row(control));
      this.root.replaceChildren(...this.rows.map(({element}) => element));
      if (all.length > controls.length) this.root.append(`${all.length - controls.length} more values have no control.`);
    }
    controls.forEach((control, i) => this.rows[i].update(control));
  }

  set(path, value) {
    if (value === null) this.values.delete(path);
    else this.values.set(path, value);
    this.onChange();
  }

  row({kind, path, label, value, choices, max}) {
    const element = document.createElement("label");
    element.dataset.path = path;
    const name = document.createElement("span");
    name.textContent = kind === "parameter" || kind === "rule" ? label : `${label}: ${kind}`;
    const undo = document.createElement("button");
    undo.type = "button";
    undo.textContent = "×";
    undo.title = "as the scenario has it";
    undo.addEventListener("click", (event) => {
      event.preventDefault();
      this.set(path, null);
    });
    const words = kind === "rule" && choices.length === 0 ? schemas.device.definitions.dispatch.properties[label].enum : choices;
    const inputs = words.length > 0 ? [this.choice(path, words)] : this.number(kind, path, value, max);
    element.append(name, ...inputs.map(({input}) => input), undo);
    return {
      element,
      update: (now) => {
        undo.hidden = !this.values.has(path);
        for (const {input, update} of inputs) if (document.activeElement !== input) update(now.value);
      },
    };
  }

  choice(path, words) {
    const input = document.createElement("select");
    input.add(new Option("by default", ""));
    for (const word of words) input.add(new Option(word));
    input.addEventListener("change", () => this.set(path, input.value || null));
    const update = (value) => {
      if (value !== "" && ![...input.options].some((option) => option.value === value)) input.add(new Option(value));
      input.value = value;
    };
    return {input, update};
  }

  /// A field, and a slider if the value is one number.
  number(kind, path, value, max) {
    const field = document.createElement("input");
    field.size = 10;
    const pattern = /^(-?[0-9]+(?:\.[0-9]+)?)( ?[A-Za-z/]+)?$/;
    field.addEventListener("input", () => this.set(path, field.value.trim() || null));
    const first = pattern.exec(value) ?? (kind === "slm" && value === "" ? ["", "0", " KiB"] : null);
    const fields = [{input: field, update: (now) => (field.value = now)}];
    if (first === null) return fields;
    const unit = first[2] ?? "";
    const slider = document.createElement("input");
    slider.type = "range";
    Object.assign(slider, Controls.range(kind, Number(first[1]), unit.trim() === "KiB" ? max / 1024 : max));
    slider.setAttribute("aria-label", `${path}, slider`);
    slider.addEventListener("input", () => {
      field.value = slider.value + unit;
      this.set(path, field.value);
    });
    const update = (now) => {
      const match = pattern.exec(now);
      slider.disabled = now !== "" && (match === null || (match[2] ?? "") !== unit);
      if (!slider.disabled) slider.value = match === null ? 0 : match[1];
    };
    return [{input: slider, update}, ...fields];
  }

  /// Returns the ends and steps of a slider that begins at `value`; `limit` is the device's limit, or 0.
  static range(kind, value, limit) {
    if (kind === "local") return {min: 8, max: Math.max(limit, value), step: 8};
    if (limit > 0) return {min: 0, max: Math.max(limit, value), step: 1};
    const [min, max] = value < 0 ? [4 * value, 0] : [0, 4 * value];
    return Number.isInteger(value)
      ? {min, max: Math.max(16, max), step: 1}
      : {min, max, step: Math.abs(value) / 20};
  }
}
