// A graph and its backward pass: what is known of each node at each step, and which groups are open. Nothing of the page.

import { filled } from "./frame.js";
import { placed } from "./levels.js";

/** How many of a sorted row are at most `most`. */
function upTo(row, most) {
  let low = 0, high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle] <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A scene with all that follows from the rest, which a document leaves out (viz/drawing/sending.py). */
function whole(scene) {
  const { words, ends } = scene, now = [], local = [], came = [];
  const nodes = scene.nodes.map(node => {
    const { kind = "op", title, made = words.leaf, value = "" } = node, facts = [[words.made, made], [words.value, value]];
    return {
      kind, made, value, name: title, rest: `= ${value}`, line: "", badge: "", badgeWidth: 30, nothing: words.nothing, look: "none",
      facts: facts.filter(([, said]) => said), told: kind === "op" ? `${title} = ${made}` : title, ...node,
    };
  });
  const levels = scene.levels.map(({ boxes, edges, ...level }) => ({
    ...level, boxes: boxes.map((box, node) => ({ node, ...box })), edges: edges.map((edge, index) => ({ carried: [index], ...edge })),
  }));
  const alone = levels.flatMap(({ edges }) => edges.filter(({ carried }) => carried.length === 1));
  for (const { carried: [edge], forward } of alone) local[edge] = forward;
  const events = scene.events.map((event, index) => {
    const { edge = null, value = event.came } = event, [to, from] = ends[edge] || [event.node], source = nodes[from], node = nodes[to];
    const follows = { value, look: "some", state: `grad ${value}`, entries: value, node: to };
    if (source) {
      const sign = now[to] === undefined ? "=" : "+=", product = local[edge] ? `${now[from]} × ${local[edge]} = ${event.came}` : event.came;
      const arrives = `${sign} ${product}`, giver = source.bold ? source.title : `${source.badge} (${source.title})`;
      const fields = { step: index + 1, total: scene.events.length, giver, target: node.title, arrives, value };
      follows.sentence = filled(words[sign === "=" ? "set" : "add"], fields);
      follows.arrives = `${arrives}, ${filled(words.from, { giver: source.title })}`;
      came[edge] = `${sign} ${event.came}`;
    }
    now[to] = value;
    return { ...follows, ...event };
  });
  for (const edge of alone) edge.backward ??= came[edge.carried[0]];
  return { ...scene, nodes, levels, events };
}

export class Pass {
  constructor(sent) {
    const scene = whole(sent);
    Object.assign(this, scene);
    this.scene = scene;
    this.last = this.events.length;
    this.changes = this.nodes.map(() => []); // for each node the steps that change its gradient
    this.arrival = this.ends.map(() => Infinity); // for each arrow of the whole graph the step that travels along it
    this.events.forEach((event, index) => {
      this.changes[event.node].push(index + 1);
      if (event.edge !== null) this.arrival[event.edge] = index + 1;
    });
    this.reached = this.nodes.map(() => []); // for each group the steps at which a node in it gets a gradient
    this.nodes.forEach((node, index) => {
      if (node.shows || node.kind === "constant") return;
      for (const group of this.around(index)) this.reached[group].push(this.changes[index][0] ?? Infinity);
    });
    this.reached.forEach(steps => steps.sort((a, b) => a - b));
    this.open = new Set();
    this.arrange();
  }

  /** Where everything is while these groups are open, and at which steps something that is seen happens. */
  arrange() {
    this.flat = placed(this.scene, this.open);
    this.where = new Map(); // node → its box, the first drawing of it
    this.flat.boxes.forEach((box, index) => {
      if (!box.copy) this.where.set(box.node, index);
    });
    this.flat.boxes.forEach((box, index) => this.where.has(box.node) || this.where.set(box.node, index));
    this.within = this.events.map(event => this.inside(event)); // the closed group that an event is in
    this.stops = [0];
    this.within.forEach((group, index) => {
      if (group === null || this.within[index + 1] !== group) this.stops.push(index + 1);
    });
  }

  /** The closed group in which all of an event happens, null where some of it is seen. */
  inside(event) {
    const group = this.seen(event.node);
    const away = event.edge === null ? group : this.seen(this.ends[event.edge][1]);
    return group === away && this.nodes[group].shows && group !== event.node && event.edge !== null ? group : null;
  }

  /** The groups that a node is in, from inside out. */
  around(node) {
    const { up } = this.nodes[node];
    return up === undefined ? [] : [up, ...this.around(up)];
  }

  /** The node, or the closed group that it is in. */
  seen(node) {
    return this.around(node).filter(group => !this.open.has(group)).at(-1) ?? node;
  }

  opens(node) {
    return this.nodes[node].level !== undefined;
  }

  toggle(node) {
    if (!this.open.delete(node)) this.open.add(node);
    this.arrange();
  }

  /** Opens every group that a node is in. */
  uncover(node) {
    for (const group of this.around(node).reverse()) {
      if (!this.opens(group)) break;
      this.open.add(group);
    }
    this.arrange();
  }

  /** The next step, or the one before, at which something that is seen has happened. */
  later(step) {
    return this.stops[upTo(this.stops, step)] ?? this.last;
  }

  earlier(step) {
    return this.stops[upTo(this.stops, step - 1) - 1] ?? 0;
  }

  /** The last event that changed a node's gradient, or null while none has. */
  latest(node, step) {
    const count = upTo(this.changes[node], step);
    return count ? this.events[this.changes[node][count - 1] - 1] : null;
  }

  /** Of the nodes whose gradients a box shows, those that have one. */
  having(node, step) {
    return (this.nodes[node].shows || [node]).map(each => this.latest(each, step)).filter(Boolean);
  }

  gradient(node, step) {
    const { shows, nothing } = this.nodes[node], having = this.having(node, step);
    if (!having.length) return nothing;
    return shows?.length > 1 ? filled(this.words.reached, { done: having.length, total: shows.length }) : having[0].state;
  }

  /** Of a box that stands for several nodes: the name of each, and its gradient. */
  members(node, step) {
    const { shows = [] } = this.nodes[node];
    return shows.length < 2 ? [] : shows.map(each => [this.nodes[each].title, this.gradient(each, step)]);
  }

  /** The state's look; the words say it too. */
  look(node, step) {
    const looks = this.having(node, step).map(event => event.look);
    return ["odd", "some", "zero"].find(each => looks.includes(each)) || this.nodes[node].look;
  }

  /** A box's second line: of a group, how far the pass has come inside it. */
  line(node, step) {
    const steps = this.reached[node], done = upTo(steps, step);
    if (!steps.length || !done || done === upTo(steps, this.last)) return this.nodes[node].line;
    return filled(this.words.reached, { done, total: upTo(steps, this.last) });
  }

  spoken(node, step) {
    const { title, made, value, shows } = this.nodes[node];
    const line = shows && this.line(node, step);
    return [title, made, value && filled(this.controls.value, { value }), line, this.gradient(node, step), this.born(node, step)].filter(Boolean).join(", ");
  }

  /** Where a nan begins, and from which step on it is there. */
  born(node, step) {
    const { born } = this.nodes[node];
    return born && born.step <= step ? born.said : "";
  }

  /** What happened last: a step, or all those inside a closed group that were passed over. */
  status(step) {
    if (!step) return this.before;
    const { sentence } = this.events[step - 1], group = this.within[step - 1];
    if (group === null) return sentence;
    const title = this.nodes[group].title;
    const first = this.earlier(step) + 1;
    if (this.stops[upTo(this.stops, step) - 1] !== step || first === step) return filled(this.words.during, { group: title, sentence });
    return filled(this.words.inside, { first, last: step, total: this.last, group: title, count: step - first + 1 });
  }
}
