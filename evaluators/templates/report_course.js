"use strict";
/** The course of an episode as figures: amounts by minute, their floors dashed, and where checks were broken. */
const courseFigures = (() => {
  const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [880, 240, 78, 14, 22, 34];
  const [COLOURS, DASHES, TICKS] = [7, 3, 5];
  const [LETTER, LABEL_GAP] = [7, 6];

  /** A node of a drawing; text goes in as text alone. */
  function draw(tag, attributes, text) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  /** Round numbers between two ends, about as many as `TICKS`. */
  function ticks(low, high) {
    const rough = (high - low) / TICKS;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((each) => each * power >= rough);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) found.push(k * step + 0);
    return found;
  }

  function range(values, room) {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const width = high - low || Math.abs(high) || 1;
    return [low - room * width, high + room * width];
  }

  const amount = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 });

  function axes(svg, [xLow, xHigh], [yLow, yHigh], x, y, label) {
    for (const value of ticks(yLow, yHigh)) {
      svg.append(draw("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        draw("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, amount(value)));
    }
    for (const value of ticks(xLow, xHigh)) {
      svg.append(draw("text", { x: x(value), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, amount(value)));
    }
    svg.append(draw("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, label));
  }

  /** The points of a line, in pieces where a value is missing. */
  function pieces(xs, values) {
    const found = [[]];
    values.forEach((value, k) => {
      if (value === null) found.push([]);
      else found[found.length - 1].push([xs[k], value]);
    });
    return found.filter((piece) => piece.length);
  }

  /** The class of each line by its place: colours for amounts, dashes of their own for floors. */
  function styles(names) {
    let floors = 0;
    return names.map((name, k) => {
      if (!name.startsWith("floor ")) return `line line${(k - floors) % COLOURS + 1}`;
      floors += 1;
      return floors === 1 ? "floor" : `floor floor${(floors - 1) % DASHES + 1}`;
    });
  }

  /** The breaks whose labels would run into each other, together: [place of the label, minute, text]. */
  function labels(broken, x) {
    const found = [];
    for (const [minute, ids] of [...broken].sort((one, other) => one[0] - other[0])) {
      const last = found[found.length - 1];
      if (last && x(minute) - last.end < LABEL_GAP) {
        last.text += `; ${ids.join(", ")}`;
      } else {
        found.push({ start: x(minute), text: `✗ ${ids.join(", ")}` });
      }
      found[found.length - 1].end = found[found.length - 1].start + LETTER * found[found.length - 1].text.length;
    }
    return found;
  }

  function figure(panel, broken, el) {
    const names = Object.keys(panel.lines);
    const values = names.flatMap((name) => panel.lines[name]).filter((value) => value !== null);
    if (!values.length) return null;
    const across = range(panel.x, 0);
    if (across[0] === across[1]) across[1] += 1;
    const up = range([0, ...values], 0.05);
    const x = (value) => LEFT + (WIDTH - LEFT - RIGHT) * (value - across[0]) / (across[1] - across[0]);
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (up[1] - value) / (up[1] - up[0]);
    const title = `${panel.title} by ${panel.x_label}`;
    const svg = draw("svg", { class: "course", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title });
    axes(svg, across, up, x, y, panel.x_label);
    const looks = styles(names);
    names.forEach((name, k) => {
      for (const piece of pieces(panel.x, panel.lines[name])) {
        const points = piece.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
        const line = draw("polyline", { class: looks[k], points });
        line.append(draw("title", {}, name));
        svg.append(line);
      }
    });
    for (const minute of broken.keys()) {
      svg.append(draw("line", { class: "broken", x1: x(minute), x2: x(minute), y1: TOP, y2: HEIGHT - BOTTOM }));
    }
    for (const { start, end, text } of labels(broken, x)) {
      const fits = end < WIDTH - RIGHT;
      svg.append(draw("text", { class: "broken", x: fits ? start - LETTER : WIDTH - RIGHT, y: TOP - 6,
        "text-anchor": fits ? "start" : "end" }, text));
    }
    const keys = names.map((name, k) => {
      const swatch = draw("svg", { class: "swatch", viewBox: "0 0 26 8", "aria-hidden": "true" });
      swatch.append(draw("line", { class: looks[k], x1: 0, x2: 26, y1: 4, y2: 4 }));
      return el("span", { class: "key" }, swatch, " ", name);
    });
    return el("figure", {}, el("figcaption", {}, el("strong", {}, panel.title.includes(panel.unit) ? panel.title : `${panel.title} (${panel.unit})`), keys), svg);
  }

  return (course, el) => {
    if (!course.panels.length) return null;
    const broken = new Map();
    for (const [id, at] of Object.entries(course.decided)) {
      broken.set(at.minute, [...(broken.get(at.minute) || []), id]);
    }
    return [el("h3", {}, "Course of the episode"), course.panels.map((panel) => figure(panel, broken, el))];
  };
})();
