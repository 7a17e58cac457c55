"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, edges, notes, wordings, centre } = data;
const SVG = "http://www.w3.org/2000/svg";
const KINDS = ["tool", "service", "person", "file", "symbol", "concept"];
const MANY_UNRELATED = 12;
const FEW_DOTS = 150;
const FLAT = 0.6;
const LETTER = 6.9, LINE = 15;
const $ = (id) => document.getElementById(id);
const picture = $("picture");
const scene = $("scene");
let chosen = -1;
let wanted = "";
let moment = Infinity;
let unit = 1; // how much of the drawing is a pixel on the screen
let hasUnrelated = true;
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
  const when = note.to === null ? "from " + day(note.from) : day(note.from) + " to " + day(note.to);
  return when + (note.why ? ", " + note.why : "");
}

// At the right end of the slider: what is told as true today. Before: what held at that moment.
const isBegun = (note) => moment === Infinity || note.from <= moment;
const isLive = (note) => isBegun(note) && (note.to === null || (moment !== Infinity && note.to > moment));

// --- places: a spiral to begin with, then forces; there is no chance in it, equal graphs look the same
const beside = nodes.map(() => []);
nodes.forEach((node, at) => { node.at = at; });
edges.forEach((edge, at) => { beside[edge.s].push(at); if (edge.t !== edge.s) beside[edge.t].push(at); });

// Only what is related is moved by forces; the rest stands in rows below, where it does not hide the picture.
function place() {
  const moved = nodes.filter((node) => beside[node.at].length);
  const count = moved.length;
  const gap = 62;
  moved.forEach((node, at) => {
    const radius = gap * 0.62 * Math.sqrt(at + 0.5);
    node.x = radius * Math.cos(at * 2.39996) * 1.25;
    node.y = radius * Math.sin(at * 2.39996) * 0.85;
  });
  const rounds = Math.max(60, Math.min(400, Math.round(4e7 / (count * count + 1))));
  for (let round = 0; round < rounds; round++) pushAndPull(moved, gap, 24 * (1 - round / rounds) + 0.5);
  const rest = nodes.filter((node) => !beside[node.at].length);
  const width = Math.max(5, Math.ceil(Math.sqrt(rest.length * 0.5)));
  const low = Math.max(0, ...moved.map((node) => node.y)) + (count ? 80 : 0);
  rest.forEach((node, at) => {
    node.x = ((at % width) - (width - 1) / 2) * 150;
    node.y = low + Math.floor(at / width) * 44;
  });
}

function pushAndPull(moved, gap, reach) {
  const count = moved.length;
  for (const node of moved) { node.dx = -node.x * 0.012; node.dy = -node.y * 0.022; }
  for (let i = 0; i < count; i++) {
    for (let j = i + 1; j < count; j++) {
      // names stand beside their dots: things need more room to the side than above
      const dx = (moved[i].x - moved[j].x) * FLAT, dy = moved[i].y - moved[j].y;
      const far = dx * dx + dy * dy + 0.01;
      if (far > 90000) continue;
      const force = (gap * gap * 0.45) / far;
      moved[i].dx += dx * force; moved[i].dy += dy * force;
      moved[j].dx -= dx * force; moved[j].dy -= dy * force;
    }
  }
  for (const { s, t } of edges) {
    const dx = nodes[s].x - nodes[t].x, dy = nodes[s].y - nodes[t].y;
    const length = Math.hypot(dx * FLAT, dy) + 0.01;
    const force = (length - gap * 1.3) / length * 0.12;
    nodes[s].dx -= dx * force; nodes[s].dy -= dy * force;
    nodes[t].dx += dx * force; nodes[t].dy += dy * force;
  }
  for (const node of moved) {
    const length = Math.hypot(node.dx, node.dy) || 1;
    const scale = Math.min(length, reach) / length;
    node.x += node.dx * scale; node.y += node.dy * scale;
  }
}

// --- the drawing
function radius(node) {
  return (5 + Math.min(9, 1.6 * Math.sqrt(node.r.length + beside[node.at].length))) * Math.sqrt(unit);
}

function draw() {
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
  for (const node of nodes) {
    node.item = make("g", { class: "node", tabindex: "0", role: "button", "aria-label": node.n });
    node.item.style.setProperty("--dot", `var(--${node.k})`);
    const name = node.n.length > 34 ? "…" + node.n.slice(-33) : node.n;
    node.item.append(make("title", {}, node.n + ", " + node.k), make("circle"), make("text", {}, name));
    node.item.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(node.at); });
    scene.append(node.item);
  }
}

function move(node) {
  node.item.setAttribute("transform", `translate(${node.x.toFixed(1)},${node.y.toFixed(1)})`);
  const [, circle, text] = node.item.children;
  circle.setAttribute("r", radius(node).toFixed(1));
  text.setAttribute("x", (radius(node) + 4 * unit).toFixed(1));
  text.setAttribute("y", (4 * unit).toFixed(1));
}

// Names keep their size whatever the zoom; of those that would lie on each other the more mentioned one is seen.
function nameThem() {
  const order = nodes.filter((node) => node.isShown);
  const dots = order.length > FEW_DOTS ? [] : order.map((node) => ({ node, r: radius(node) * 0.7 }));
  const taken = dots.map(({ node, r }) => [node.x - r, node.y - r, node.x + r, node.y + r]);
  const weight = (node) => (node.item.classList.contains("near") ? 1000 : 0) + node.r.length + beside[node.at].length;
  order.sort((a, b) => weight(b) - weight(a));
  for (const node of order) {
    const left = node.x + radius(node), top = node.y - LINE * unit / 2;
    const box = [left, top, left + Math.min(34, node.n.length) * LETTER * unit, top + LINE * unit];
    const isFree = !taken.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3]);
    node.item.classList.toggle("nameless", !isFree);
    if (isFree) taken.push(box);
  }
}

function bend(edge) {
  const a = nodes[edge.s], b = nodes[edge.t];
  const dx = b.x - a.x, dy = b.y - a.y;
  const length = Math.hypot(dx, dy) || 1;
  const side = (edge.turn % 2 ? -1 : 1) * (edge.turn ? 16 * Math.ceil(edge.turn / 2) : 0) * (edge.s < edge.t ? 1 : -1);
  const mx = (a.x + b.x) / 2 - dy / length * side, my = (a.y + b.y) / 2 + dx / length * side;
  const from = radius(a), to = radius(b) + 6 * unit;
  const x1 = a.x + dx / length * from, y1 = a.y + dy / length * from;
  const x2 = b.x - dx / length * to, y2 = b.y - dy / length * to;
  edge.line.setAttribute("d", `M${x1.toFixed(1)},${y1.toFixed(1)} Q${mx.toFixed(1)},${my.toFixed(1)} ${x2.toFixed(1)},${y2.toFixed(1)}`);
  edge.word.setAttribute("x", mx.toFixed(1));
  edge.word.setAttribute("y", (my - 4 * unit).toFixed(1));
}

// --- what is seen: the moment of the slider, hidden kinds, a search, a chosen thing
function refresh() {
  const near = new Set();
  const hits = wanted ? nodes.filter((node) => node.n.toLowerCase().includes(wanted)) : [];
  const isFew = edges.length <= 40;
  for (const node of nodes) {
    const begun = node.r.filter((at) => isBegun(notes[at]));
    node.isShown = begun.length > 0 && !hiddenKinds.has(node.k) && (beside[node.at].length > 0 || hasUnrelated);
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
  for (const edge of edges) {
    const isNear = edge.isShown && (edge.s === chosen || edge.t === chosen);
    edge.line.style.display = edge.isShown ? "" : "none";
    edge.word.style.display = edge.isShown && (isFew || isNear) ? "" : "none";
    for (const item of [edge.line, edge.word]) {
      item.classList.toggle("past", edge.isPast);
      item.classList.toggle("near", isNear);
    }
  }
  scene.classList.toggle("dim", chosen >= 0 || (wanted !== "" && hits.some((node) => node.isShown)));
  nameThem();
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
function show() {
  picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  const box = picture.getBoundingClientRect();
  const now = Math.max(view.w / (box.width || 1), view.h / (box.height || 1));
  if (Math.abs(now / unit - 1) < 0.001) return;
  unit = now;
  scene.style.setProperty("--unit", unit);
  $("tip").setAttribute("markerWidth", 8 * unit);
  $("tip").setAttribute("markerHeight", 8 * unit);
  nodes.forEach(move);
  edges.forEach(bend);
  nameThem();
}
function fit() {
  const seen = nodes.filter((node) => node.isShown);
  const xs = seen.map((node) => node.x), ys = seen.map((node) => node.y);
  const left = Math.min(...xs, 0), top = Math.min(...ys, 0) - 40;
  const wide = Math.max(...xs, 0) - left, high = Math.max(...ys, 0) + 40 - top;
  // room for the names on the right
  view = { x: left - wide * 0.04 - 20, y: top, w: wide * 1.2 + 140, h: high };
  if (view.w < 420) { view.x -= (420 - view.w) / 2; view.w = 420; }
  if (view.h < 300) { view.y -= (300 - view.h) / 2; view.h = 300; }
  show();
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
  const dx = (event.clientX - held.x) * unit, dy = (event.clientY - held.y) * unit;
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
    if (count) addKey(`${kind} ${count}`, true, (isOn) => { hiddenKinds[isOn ? "delete" : "add"](kind); }, kind);
  }
  const unrelated = nodes.filter((node) => !beside[node.at].length).length;
  hasUnrelated = !edges.length || unrelated < MANY_UNRELATED;
  if (edges.length && unrelated) addKey(`unrelated ${unrelated}`, hasUnrelated, (isOn) => { hasUnrelated = isOn; }, "");
  tellMoment();
}
function addKey(text, isOn, turn, kind) {
  const key = make("label", { class: "key" });
  const box = make("input", { type: "checkbox" });
  box.checked = isOn;
  box.addEventListener("change", () => { turn(box.checked); refresh(); fit(); });
  key.append(box);
  if (kind) {
    const dot = make("i");
    dot.style.setProperty("--dot", `var(--${kind})`);
    key.append(dot);
  }
  key.append(text);
  $("keys").append(key);
}
function tellMoment() { $("told").textContent = moment === Infinity ? "today" : day(moment); }

draw();
place();
prepare();
nodes.forEach(move);
edges.forEach(bend);
if (centre !== null) chosen = centre;
refresh();
fit();
nameThem();
window.addEventListener("resize", show);
