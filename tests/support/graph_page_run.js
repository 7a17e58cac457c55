// Runs the script of a graph page without a browser: `node graph_page_run.js SCRIPT` with the page's data on stdin.
// Prints what would be seen today, at each date of the slider, for a search, and for a thing that was clicked.
"use strict";
const fs = require("fs");
const vm = require("vm");

class Item {
  constructor(name) { Object.assign(this, { name, children: [], attributes: {}, listeners: {}, style: { setProperty() {} }, text: "" }); }
  get classList() {
    const read = () => new Set((this.attributes.class || "").split(" ").filter(Boolean));
    const write = (set) => { this.attributes.class = [...set].join(" "); };
    return {
      contains: (one) => read().has(one),
      toggle: (one, on) => { const set = read(); if (on) set.add(one); else set.delete(one); write(set); },
    };
  }
  set textContent(text) { this.children = []; this.text = String(text); }
  get textContent() { return this.text + this.children.map((one) => (typeof one === "string" ? one : one.textContent)).join(""); }
  setAttribute(key, value) { this.attributes[key] = String(value); }
  getAttribute(key) { return key in this.attributes ? this.attributes[key] : null; }
  toggleAttribute() {}
  append(...items) { this.children.push(...items); }
  replaceChildren(...items) { this.text = ""; this.children = items; }
  addEventListener(kind, listener) { this.listeners[kind] = listener; }
  getBoundingClientRect() { return { x: 0, y: 0, width: 900, height: 700 }; }
  setPointerCapture() {}
  closest() { return this; }
}

const items = {};
const document = {
  getElementById: (id) => (items[id] = items[id] || new Item(id)),
  createElement: (name) => new Item(name),
  createElementNS: (space, name) => new Item(name),
  addEventListener() {},
};
document.getElementById("data").textContent = fs.readFileSync(0, "utf-8");
const started = process.hrtime.bigint();
vm.runInNewContext(fs.readFileSync(process.argv[2], "utf-8"), { document, window: new Item("window") });
const took = Number(process.hrtime.bigint() - started) / 1e6;

const shown = (item) => item.style.display !== "none";
function look() {
  const edges = items.scene.children.filter((item) => item.name === "path" && shown(item));
  const tell = (item) => item.children[0].textContent + (item.classList.contains("past") ? " (past)" : "");
  const nodes = items.scene.children.filter((item) => item.classList.contains("node") && shown(item));
  return { edges: edges.map(tell).sort(), nodes: nodes.map((item) => item.getAttribute("aria-label")).sort(), panel: items.panel.textContent };
}
const found = { took_ms: took, today: look(), moments: [] };
const slider = items.moment;
for (let at = 0; at < Math.min(20, Number(slider.max)); at++) {
  slider.value = at;
  slider.listeners.input();
  found.moments.push(look());
}
slider.value = slider.max;
slider.listeners.input();
const node = items.scene.children.find((item) => item.classList.contains("node"));
items.picture.listeners.pointerdown({ target: node, clientX: 1, clientY: 1, pointerId: 1 });
items.picture.listeners.pointerup();
found.clicked = look();
items.search.listeners.input({ target: { value: " B" } });
found.search = look();
console.log(JSON.stringify(found));
