"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, edges, notes, wordings, centre } = data;
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["tool", "service", "person", "file", "symbol", "concept"];
const CROWDED = 60;
const $ = (id) => document.getElementById(id);
const picture = $("picture");
const scene = $("scene");
let chosen = -1;
let wanted = "";
let moment = Infinity;
const hiddenKinds = new Set();

// All text of notes goes in as text, never as markup.
function make(name, attributes, text) {
  const isSvg = ["g", "path", "circle", "text", "title"].includes(name);
  const item = isSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) item.setAttribute(key, value);
  if (text !== undefined) item.textContent = text;
  return item;
}

function day(at) {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

function span(note) {
  if (note.to === null) return "from " + day(note.from);
  return day(note.from) + " to " + day(note.to) + (note.why ? ", " + note.why : "");
}

// At the right end of the slider: what is told as true today. Before: what held at that moment.
const isBegun = (note) => moment === Infinity || note.from <= moment;
const isLive = (note) => isBegun(note) && (note.to === null || (moment !== Infinity && note.to > moment));

// --- places: a spiral to begin with, then forces; there is no chance in it, equal graphs look the same
const beside = nodes.map(() => []);
edges.forEach((edge, at) => { beside[edge.s].push(at); if (edge.t !== edge.s) beside[edge.t].push(at); });

function place() {
  const count = nodes.length;
  const gap = 62;
  nodes.forEach((node, at) => {
    const radius = gap * 0.62 * Math.sqrt(at + 0.5);
    node.x = radius * Math.cos(at * 2.39996) * 1.25;
    node.y = radius * Math.sin(at * 2.39996) * 0.85;
  });
  const rounds = Math.max(60, Math.min(400, Math.round(4e7 / (count * count + 1))));
  for (let round = 0; round < rounds; round++) {
    const reach = 24 * (1 - round / rounds) + 0.5;
    for (const node of nodes) { node.dx = -node.x * 0.012; node.dy = -node.y * 0.022; }
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const dx = nodes[i].x - nodes[j].x, dy = nodes[i].y - nodes[j].y;
        const far = dx * dx + dy * dy + 0.01;
        if (far > 90000) continue;
        const force = (gap * gap) / far;
        nodes[i].dx += dx * force * 0.35; nodes[i].dy += dy * force * 0.35;
        nodes[j].dx -= dx * force * 0.35; nodes[j].dy -= dy * force * 0.35;
      }
    }
    for (const { s, t } of edges) {
      const dx = nodes[s].x - nodes[t].x, dy = nodes[s].y - nodes[t].y;
      const length = Math.hypot(dx, dy) + 0.01;
      const force = (length - gap * 1.5) / length * 0.12;
      nodes[s].dx -= dx * force; nodes[s].dy -= dy * force;
      nodes[t].dx += dx * force; nodes[t].dy += dy * force;
    }
    for (const node of nodes) {
      const length = Math.hypot(node.dx, node.dy) || 1;
      const scale = Math.min(length, reach) / length;
      node.x += node.dx * scale; node.y += node.dy * scale;
    }
  }
}

// --- the drawing
function radius(node) {
  return 5 + Math.min(9, 1.6 * Math.sqrt(node.r.length + beside[node.at].length));
}

function draw() {
  nodes.forEach((node, at) => { node.at = at; });
  const pairs = new Map();
  edges.forEach((edge) => {
    const pair = Math.min(edge.s, edge.t) + " " + Math.max(edge.s, edge.t);
    edge.turn = pairs.get(pair) || 0;
    pairs.set(pair, edge.turn + 1);
    edge.line = make("path", { class: "edge", "marker-end": "url(#tip)" });
    edge.line.append(make("title", {}, nodes[edge.s].n + " " + wordings[edge.k][0] + " " + nodes[edge.t].n));
    edge.word = make("text", { class: "what" }, wordings[edge.k][0]);
    scene.append(edge.line, edge.word);
  });
  const order = [...nodes].sort((a, b) => b.r.length + beside[b.at].length - a.r.length - beside[a.at].length);
  order.slice(0, 24).forEach((node) => { node.isBig = true; });
  for (const node of nodes) {
    node.item = make("g", { class: "node" + (node.isBig ? " big" : ""), tabindex: "0", role: "button", "aria-label": node.n });
    node.item.style.setProperty("--dot", `var(--${node.k})`);
    const name = node.n.length > 34 ? "…" + node.n.slice(-33) : node.n;
    node.item.append(make("title", {}, node.n + ", " + node.k), make("circle", { r: radius(node) }), make("text", {}, name));
    node.item.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(node.at); });
    scene.append(node.item);
  }
  scene.classList.toggle("crowded", nodes.length > CROWDED);
}

function move(node) {
  node.item.setAttribute("transform", `translate(${node.x.toFixed(1)},${node.y.toFixed(1)})`);
  const text = node.item.lastChild;
  text.setAttribute("x", radius(node) + 4);
  text.setAttribute("y", 4);
}

function bend(edge) {
  const a = nodes[edge.s], b = nodes[edge.t];
  const dx = b.x - a.x, dy = b.y - a.y;
  const length = Math.hypot(dx, dy) || 1;
  const side = (edge.turn % 2 ? -1 : 1) * (edge.turn ? 14 * Math.ceil(edge.turn / 2) : 0) * (edge.s < edge.t ? 1 : -1);
  const mx = (a.x + b.x) / 2 - dy / length * side, my = (a.y + b.y) / 2 + dx / length * side;
  const from = radius(a), to = radius(b) + 7;
  const x1 = a.x + dx / length * from, y1 = a.y + dy / length * from;
  const x2 = b.x - dx / length * to, y2 = b.y - dy / length * to;
  edge.line.setAttribute("d", `M${x1.toFixed(1)},${y1.toFixed(1)} Q${mx.toFixed(1)},${my.toFixed(1)} ${x2.toFixed(1)},${y2.toFixed(1)}`);
  edge.word.setAttribute("x", mx.toFixed(1));
  edge.word.setAttribute("y", (my - 4).toFixed(1));
}

// --- what is seen: the moment of the slider, hidden kinds, a search, a chosen thing
function refresh() {
  const near = new Set();
  const hits = wanted ? nodes.filter((node) => node.n.toLowerCase().includes(wanted)) : [];
  for (const node of nodes) {
    const begun = node.r.filter((at) => isBegun(notes[at]));
    node.isShown = begun.length > 0 && !hiddenKinds.has(node.k);
    node.isPast = !begun.some((at) => isLive(notes[at]));
  }
  for (const edge of edges) {
    const begun = edge.r.filter((at) => isBegun(notes[at]));
    edge.isShown = begun.length > 0 && nodes[edge.s].isShown && nodes[edge.t].isShown;
    edge.isPast = !begun.some((at) => isLive(notes[at]));
    if (edge.isShown && (edge.s === chosen || edge.t === chosen)) { near.add(edge.s); near.add(edge.t); }
  }
  hits.forEach((node) => near.add(node.at));
  if (chosen >= 0) near.add(chosen);
  for (const node of nodes) {
    node.item.toggleAttribute("hidden", !node.isShown);
    node.item.style.display = node.isShown ? "" : "none";
    node.item.classList.toggle("past", node.isPast);
    node.item.classList.toggle("near", near.has(node.at));
    node.item.classList.toggle("chosen", node.at === chosen);
  }
  const isFew = nodes.length <= 40;
  for (const edge of edges) {
    const isNear = edge.isShown && (edge.s === chosen || edge.t === chosen);
    edge.line.style.display = edge.isShown ? "" : "none";
    edge.word.style.display = edge.isShown && (isFew || isNear) ? "" : "none";
    for (const item of [edge.line, edge.word]) {
      item.classList.toggle("past", edge.isPast);
      item.classList.toggle("near", isNear);
    }
  }
  scene.classList.toggle("dim", chosen >= 0 || (wanted !== "" && hits.length > 0));
  fillPanel(hits);
}

function list(title, items) {
  if (!items.length) return [];
  const rows = make("ul");
  rows.append(...items);
  return [make("h3", {}, title), rows];
}

function link(node, text) {
  const item = make("button", { type: "button" }, text);
  item.addEventListener("click", () => { choose(node.at); });
  return item;
}

function relationRows(node) {
  const rows = [];
  for (const at of beside[node.at]) {
    const edge = edges[at];
    if (!edge.isShown) continue;
    const isForward = edge.s === node.at;
    const other = nodes[isForward ? edge.t : edge.s];
    const row = make("li", { class: edge.isPast ? "past" : "" });
    const ids = edge.r.filter((one) => isBegun(notes[one])).map((one) => notes[one].id).join(" ");
    row.append(wordings[edge.k][isForward ? 0 : 1] + " ", link(other, other.n), " ", make("span", { class: "id" }, ids));
    rows.push([edge.isPast, row]);
  }
  return rows.sort((a, b) => a[0] - b[0]).map((row) => row[1]);
}

function noteRow(note) {
  const row = make("li", { class: isLive(note) ? "" : "past" });
  row.append(make("span", { class: "id" }, note.id), " " + note.text + " ", make("span", { class: "faint" }, "(" + span(note) + ")"));
  return row;
}

function fillPanel(hits) {
  const panel = $("panel");
  if (chosen >= 0) {
    const node = nodes[chosen];
    const own = node.r.map((at) => notes[at]).filter(isBegun).sort((a, b) => isLive(b) - isLive(a) || b.from - a.from);
    panel.replaceChildren(make("h2", {}, node.n), make("p", { class: "faint" }, node.k),
      ...list("How it stands to others", relationRows(node)), ...list("Notes that speak of it", own.map(noteRow)));
    return;
  }
  const shown = (wanted ? hits : nodes).filter((node) => node.isShown);
  const rows = shown.slice(0, 200).map((node) => {
    const row = make("li", { class: node.isPast ? "past" : "" });
    row.append(link(node, node.n), make("span", { class: "faint" }, " " + node.k + ", " + node.r.length + (node.r.length === 1 ? " note" : " notes")));
    return row;
  });
  const title = wanted ? (shown.length ? "Found" : "Nothing is called so") : "Most mentioned first";
  panel.replaceChildren(make("h3", {}, title), ...list("", rows).slice(1));
}

function choose(at) {
  chosen = chosen === at ? -1 : at;
  refresh();
  $("panel").scrollTop = 0;
}

// --- looking around: wheel and drag on the picture, drag on a thing
let view = { x: 0, y: 0, w: 100, h: 100 };
function show() { picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`); }
function fit() {
  const xs = nodes.map((node) => node.x), ys = nodes.map((node) => node.y);
  const left = Math.min(...xs, 0) - 50, top = Math.min(...ys, 0) - 40;
  view = { x: left, y: top, w: Math.max(...xs, 0) + 170 - left, h: Math.max(...ys, 0) + 40 - top };
  if (view.w < 420) { view.x -= (420 - view.w) / 2; view.w = 420; }
  if (view.h < 300) { view.y -= (300 - view.h) / 2; view.h = 300; }
  show();
}
function scaleOf() {
  const box = picture.getBoundingClientRect();
  return Math.max(view.w / box.width, view.h / box.height);
}
picture.addEventListener("wheel", (event) => {
  event.preventDefault();
  const factor = Math.min(1.25, Math.max(0.8, Math.exp(event.deltaY * 0.0015)));
  const at = toScene(event);
  view = { x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor, w: view.w * factor, h: view.h * factor };
  show();
}, { passive: false });
function toScene(event) {
  const matrix = picture.getScreenCTM().inverse();
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
}
let held = null;
picture.addEventListener("pointerdown", (event) => {
  const item = event.target.closest(".node");
  held = { x: event.clientX, y: event.clientY, node: nodes.find((node) => node.item === item), hasMoved: false };
  picture.setPointerCapture(event.pointerId);
});
picture.addEventListener("pointermove", (event) => {
  if (!held) return;
  const scale = scaleOf();
  const dx = (event.clientX - held.x) * scale, dy = (event.clientY - held.y) * scale;
  if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < 3 && !held.hasMoved) return;
  held.hasMoved = true; held.x = event.clientX; held.y = event.clientY;
  if (held.node) {
    held.node.x += dx; held.node.y += dy; move(held.node);
    beside[held.node.at].forEach((at) => bend(edges[at]));
  } else { view.x -= dx; view.y -= dy; show(); }
});
picture.addEventListener("pointerup", () => {
  if (held && !held.hasMoved) {
    if (held.node) choose(held.node.at);
    else if (chosen >= 0) choose(chosen);
  }
  held = null;
});

// --- controls
function prepare() {
  const moments = [...new Set(notes.flatMap((note) => (note.to === null ? [note.from] : [note.from, note.to])))].sort((a, b) => a - b);
  const slider = $("moment");
  slider.max = moments.length;
  slider.value = moments.length;
  slider.addEventListener("input", () => {
    moment = Number(slider.value) >= moments.length ? Infinity : moments[Number(slider.value)];
    tellMoment();
    refresh();
  });
  $("search").addEventListener("input", (event) => { wanted = event.target.value.trim().toLowerCase(); chosen = -1; refresh(); });
  $("search").addEventListener("keydown", (event) => {
    const hit = nodes.find((node) => node.isShown && wanted && node.n.toLowerCase().includes(wanted));
    if (event.key === "Enter" && hit) choose(hit.at);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && chosen >= 0) choose(chosen); });
  for (const kind of KINDS) {
    const count = nodes.filter((node) => node.k === kind).length;
    if (!count) continue;
    const key = make("label", { class: "key" });
    const box = make("input", { type: "checkbox", checked: "" });
    const dot = make("i");
    dot.style.setProperty("--dot", `var(--${kind})`);
    box.addEventListener("change", () => { hiddenKinds[box.checked ? "delete" : "add"](kind); refresh(); });
    key.append(box, dot, `${kind} ${count}`);
    $("keys").append(key);
  }
  tellMoment();
}
function tellMoment() { $("told").textContent = moment === Infinity ? "as of today" : "as of " + day(moment); }

draw();
place();
nodes.forEach(move);
edges.forEach(bend);
fit();
prepare();
if (centre !== null) chosen = centre;
refresh();
