"use strict";
// Whatever agents wrote reaches the page as text nodes only; nothing here builds HTML from data.
(() => {
  const COLUMNS = [
    "link", "run", "group", "agent", "task", "trial", "seed", "reward", "normalized", "steps", "errors", "stop",
  ];
  const byId = (id) => document.getElementById(id);
  const index = JSON.parse(byId("index").textContent);
  const episodes = index.rows.map((row) => Object.fromEntries(row.map((value, k) => [COLUMNS[k], value])));
  const byLink = new Map(episodes.map((episode) => [episode.link, episode]));
  const detail = byId("detail");
  const filters = { group: null, agent: null, task: null, stop: null, errors: false };

  const count = (errors) => Object.values(errors).reduce((sum, n) => sum + n, 0);
  for (const episode of episodes) episode.errorCount = count(episode.errors);

  /** Text as it may be shown: characters that are invisible or turn the text around become escapes. */
  const visible = (value) => String(value).replace(
    /[\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

  const number = (value) => {
    if (value === null || value === undefined) return "–";
    const size = Math.abs(value);
    const digits = Number.isInteger(value) || size >= 1000 ? 0 : size >= 1 ? 2 : 3;
    return (value || 0).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  };

  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity)) {
      if (child === null || child === "") continue;
      node.append(child instanceof Node ? child : visible(child));
    }
    return node;
  }
  const pre = (text) => el("pre", { dir: "auto" }, text);
  const block = (what, text) => [el("div", { class: "what" }, what), pre(text)];
  const note = (text) => el("p", { class: "note" }, text);
  const name = (text) => el("bdi", {}, text);
  const folded = (summary, ...children) => el("details", {}, el("summary", {}, summary), ...children);

  const headRow = (names) => el("thead", {}, el("tr", {}, names.map((text) => el("th", { scope: "col" }, text))));
  const scrolled = (...children) => el("div", { class: "scroll" }, children);
  const facts = (pairs) => scrolled(el("table", { class: "facts" }, headRow(pairs.map(([key]) => key)),
    el("tbody", {}, el("tr", {}, pairs.map(([, value]) => el("td", {}, name(value)))))));

  // Tables that sort by a click on a head.
  const sortValue = (cell) => {
    if ("sort" in cell.dataset) return Number(cell.dataset.sort);
    return cell.textContent === "–" || cell.classList.contains("num") ? null : cell.textContent;
  };
  function compareCells(a, b) {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }
  function sortBy(table, column, descending) {
    const rows = [...table.tBodies[0].rows].map((row) => [sortValue(row.cells[column]), row]);
    const last = (value) => value === null;
    rows.sort(([a], [b]) => (descending && !last(a) && !last(b) ? -compareCells(a, b) : compareCells(a, b)));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    [...table.tHead.rows[0].cells].forEach((head, k) => {
      if (k === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }
  function makeSortable(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = el("button", { type: "button" }, ...head.childNodes);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        sortBy(table, column, now ? now === "ascending" : head.classList.contains("num"));
      });
    });
  }

  // The list of episodes.
  const unit = new Set(index.units).size === 1 ? index.units[0] : "";
  const heads = [
    ["agent", "", ""], ["task", "", ""], ["trial", "num", ""], ["seed", "num", ""], ["reward", "num", unit],
    ["normalized", "num", ""], ["steps", "num", ""], ["errors", "num", ""], ["stop reason", "", ""],
  ];
  if (index.runs.length > 1) heads.push(["run", "", ""]);
  if (index.groups.length > 1) heads.push(["environment", "", ""]);

  const cell = (value, text = number(value)) => el("td", { class: "num", "data-sort": value }, text);
  function listRow(episode) {
    const row = el("tr", { "data-link": episode.link },
      el("td", { class: "name" }, el("a", { href: "#episode-" + episode.link }, name(episode.agent))),
      el("td", { class: "name" }, name(episode.task)), cell(episode.trial), cell(episode.seed, episode.seed),
      cell(episode.reward), cell(episode.normalized), cell(episode.steps), cell(episode.errorCount),
      el("td", {}, episode.stop),
      index.runs.length > 1 ? el("td", {}, name(index.runs[episode.run])) : null,
      index.groups.length > 1 ? el("td", {}, name(index.groups[episode.group])) : null);
    row.addEventListener("click", () => { location.hash = "#episode-" + episode.link; });
    return row;
  }

  function renderList() {
    const shown = episodes.filter((episode) => (!filters.errors || episode.errorCount > 0) &&
      ["group", "agent", "task", "stop"].every((key) => filters[key] === null || filters[key] === episode[key]));
    const table = document.querySelector("#list table");
    table.tBodies[0].replaceChildren(...shown.map(listRow));
    const cells = [...table.tHead.rows[0].cells];
    const sorted = cells.findIndex((head) => head.hasAttribute("aria-sort"));
    if (sorted >= 0) sortBy(table, sorted, cells[sorted].getAttribute("aria-sort") === "descending");
    byId("matches").textContent = `${shown.length} of ${episodes.length} episodes`;
    markCurrent();
  }

  /** A filter; its options are told by their place, so that no text from a record becomes an attribute. */
  function choice(label, key, options) {
    const select = el("select", { "data-filter": key }, el("option", { value: "" }, "all"),
      options.map(([, text], k) => el("option", { value: k }, text)));
    select.addEventListener("change", () => {
      filters[key] = select.value === "" ? null : options[select.value][0];
      renderList();
    });
    return el("label", {}, label, select);
  }

  function setUpList() {
    const unique = (key) => [...new Set(episodes.map((episode) => episode[key]))].map((value) => [value, value]);
    const box = el("input", { type: "checkbox", "data-filter": "errors" });
    box.addEventListener("change", () => { filters.errors = box.checked; renderList(); });
    const form = byId("filters");
    if (index.groups.length > 1) form.append(choice("environment", "group", index.groups.map((text, k) => [k, text])));
    form.append(choice("agent", "agent", unique("agent")), choice("task", "task", unique("task")),
      choice("stop reason", "stop", unique("stop")), el("label", {}, box, " has errors"),
      el("output", { id: "matches" }));
    form.hidden = false;
    const head = heads.map(([text, kind, unitOf]) => el("th", { scope: "col", class: kind || null },
      el("span", { class: "head" }, text), unitOf ? el("span", { class: "unit" }, unitOf) : null));
    const table = el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody"));
    byId("list").append(table);
    makeSortable(table);
    renderList();
  }

  // One episode.
  async function unpack(link) {
    const packed = byId("packed-" + link);
    if (packed === null) throw new Error("The steps of this episode are not in this page; they are in episodes.jsonl.");
    if (!("DecompressionStream" in window)) {
      throw new Error("This browser is too old to unpack the steps: it lacks DecompressionStream.");
    }
    const bytes = Uint8Array.from(atob(packed.textContent), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  }

  const observationOf = (step) =>
    (step.o || []).map((part) => (typeof part === "number" ? step.r[part][4] : part)).join("");
  const quotesOneResult = (step) => step.o && step.o.length === 1 && step.o[0] === 0;
  const listing = (of) => Object.entries(of || {}).map(([key, value]) => `${key} ${number(value)}`).join(", ");

  function callParts(call, result, text = "") {
    const title = (call && call[0]) || (result && result[1]);
    const how = call && call[1] === null ? "read as a call of " : "call ";
    return el("div", { class: "call" }, text ? block("text of the agent", text) : null,
      el("h4", {}, title ? [how, el("code", {}, title)] : "no call could be read"),
      call && call[1] !== null ? pre(call[1]) : null);
  }
  function resultParts(result, label) {
    if (!result) return el("div", { class: "what bad" }, "no result is recorded for this call");
    const [, , ok, code, content] = result;
    const state = el("span", { class: ok ? "good" : "bad" }, ok ? "ok" : "✗ " + (code || "failed"));
    return el("div", { class: "result" }, el("div", { class: "what" }, label, " ", state), pre(content));
  }

  function stepHead(step, turn, link) {
    const seconds = Object.entries(step.s || {}).filter(([, value]) => value >= 0.01)
      .map(([who, value]) => `${who.replace("_seconds", "")} ${value.toFixed(2)} s`).join(" · ");
    return el("header", {},
      el("a", { href: `#episode-${link}-step-${turn}` }, step.x ? "After the last step" : `Step ${turn}`),
      el("span", {}, `reward ${number(step.w)}`, step.p ? ` = ${listing(step.p)}` : ""),
      step.e ? el("span", { class: "bad" }, step.e) : null,
      step.u ? el("small", {}, `usage ${step.u}`) : null,
      step.b ? el("small", {}, `from here on the model saw stubs in place of the results ${step.b}`) : null,
      seconds ? el("small", {}, seconds) : null);
  }
  function stepParts(step, k, link, course) {
    const [calls, results] = [step.c || [], step.r || []];
    const label = quotesOneResult(step) ? "result, which is all that the agent saw next" : "result";
    const pairs = Array.from({ length: Math.max(calls.length, results.length) }, (_, i) => el("div", { class: "pair" },
      callParts(calls[i], results[i], i === 0 ? step.t : ""), resultParts(results[i], label)));
    return el("section", { class: "step", id: `step-${k + 1}` }, stepHead(step, k + 1, link),
      el("div", { class: "body" },
        step.x ? note("Nobody's turn: the episode was stopped from outside, and what was not played was charged.") : null,
        pairs,
        quotesOneResult(step) ? null : block("observation, as the agent saw it", observationOf(step)),
        changesTable(course, k + 1),
        step.q ? folded("replies of the counterpart", pre(step.q)) : null));
  }

  /** What the events of a turn changed, and which checks they broke. */
  function changesTable(course, turn) {
    const events = course ? course.events.filter((event) => event.turn === turn) : [];
    if (!events.length) return null;
    const broken = (event) => Object.keys(course.decided).filter((id) => course.decided[id].event === event.event);
    const rows = events.flatMap((event) => {
      const changes = event.changes.length ? event.changes : [["nothing", "", ""]];
      const who = `${event.actor}: ${event.name}${event.code ? ` (${event.code})` : ""}`;
      return changes.map(([what, before, after], i) => el("tr", {},
        el("td", { class: "num" }, i === 0 ? event.event : ""), el("td", { class: "num" }, i === 0 ? event.minute : ""),
        el("td", {}, i === 0 ? [who, broken(event).map((id) => el("span", { class: "bad" }, ` breaks ${id}`))] : ""),
        el("td", {}, name(what)), el("td", {}, name(before)), el("td", {}, name(after))));
    });
    return el("div", {}, el("div", { class: "what" }, "what changed"), scrolled(el("table", { class: "changes" },
      headRow(["event", "minute", "by", "what", "before", "after"]), el("tbody", {}, rows))));
  }

  function checksTable(checks, link, course) {
    const decided = course ? course.decided : {};
    const eventCell = (id, ok) => {
      const at = Object.hasOwn(decided, id) ? decided[id] : null;
      return el("td", {}, at ? `event ${at.event}, minute ${at.minute}` : ok ? "" : "end");
    };
    const passed = checks.filter((check) => check[2]).length;
    const rows = checks.map(([kind, id, ok, expected, observed, turn]) => el("tr", {},
      el("td", { class: ok ? "good" : "bad" }, ok ? "✓ passed" : "✗ failed"), el("td", {}, kind), el("td", {}, name(id)),
      el("td", { dir: "auto" }, expected), el("td", { dir: "auto" }, observed), course ? eventCell(id, ok) : null,
      el("td", {}, turn === null ? "end" : el("a", { href: `#episode-${link}-step-${turn}` }, turn))));
    return [el("h3", {}, `Checks: ${passed} of ${checks.length} passed`),
      scrolled(el("table", { class: "checks" },
        headRow(["verdict", "class", "check", "expected", "observed", course ? "decided by" : [], "step"].flat()), el("tbody", {}, rows)))];
  }

  function neighbours(episode) {
    const order = [...document.querySelectorAll("#list tbody tr")].map((row) => row.dataset.link);
    const at = order.indexOf(episode.link);
    const link = (to, text) => (at < 0 || !to ? null : el("a", { href: "#episode-" + to }, text));
    return [link(order[at - 1], "← previous in the list"), link(order[at + 1], "next in the list →")];
  }

  function compareChoice(episode, chosen = "") {
    const others = episodes.filter((other) =>
      other !== episode && other.task === episode.task && other.group === episode.group);
    if (!others.length) return note("no other episode of this task to compare with");
    const brief = (other) => `${other.agent} · trial ${other.trial} · reward ${number(other.reward)} · ${other.stop}`;
    const select = el("select", { id: "compare" }, el("option", { value: "" }, "choose an episode of the same task"),
      others.map((other) => el("option", { value: other.link, selected: other.link === chosen }, brief(other))));
    select.addEventListener("change", () => {
      if (select.value) location.hash = `#compare-${episode.link}-${select.value}`;
    });
    return el("label", {}, "compare with", select);
  }

  const played = (episode) => [["agent", episode.agent], ["task", episode.task], ["trial", episode.trial],
    ["seed", episode.seed], ["run", index.runs[episode.run]], ["environment", index.groups[episode.group]]];
  function outcome(episode) {
    const unitOf = index.units[episode.group];
    const unscaled = episode.normalized === null && episode.reward !== null;
    return [[unitOf ? `reward (${unitOf})` : "reward", number(episode.reward)],
      ["normalized", unscaled ? "no scale" : number(episode.normalized)], ["steps", episode.steps],
      ["errors", listing(episode.errors) || "none"], ["stop reason", episode.stop]];
  }

  function show(parts, target) {
    detail.replaceChildren(...parts.flat(Infinity).filter((part) => part !== null));
    (byId(target) || detail).scrollIntoView();
    detail.focus({ preventScroll: true });
  }

  function episodeParts(episode, found) {
    const settings = Object.entries(found.facts).map(([key, value]) => block(key, value));
    return [
      el("h2", {}, "Episode: ", name(episode.agent), " on ", name(episode.task), `, trial ${episode.trial}`),
      el("div", { class: "bar" }, compareChoice(episode), neighbours(episode)),
      facts([...played(episode), ...outcome(episode)]),
      found.error ? block("what went wrong", found.error) : null,
      found.metrics ? facts(Object.entries(found.metrics).map(([key, value]) => [key, number(value)])) : null,
      found.interview ? interviewParts(found, episode.link, el)
        : found.checks.length ? checksTable(found.checks, episode.link, found.course) : null,
      found.course ? courseFigures(found.course, el) : null,
      folded(`Settings and versions; the record is line ${found.line} of episodes.jsonl`, settings),
      el("h3", {}, found.interview ? "Steps, as they were recorded" : "Steps"),
      el("section", { class: "step", id: "step-0" }, el("header", {}, "Start"),
        el("div", { class: "body" }, block("first observation", found.first))),
      found.steps.map((step, k) => stepParts(step, k, episode.link, found.course)),
    ];
  }

  // Two episodes of a task side by side.
  function keyOf(call, step) {
    if (call[2] !== undefined) return call[2];
    return call[1] === null ? step.t || "" : `${call[0]} ${call[1]}`;
  }
  /** Every call of an episode in order, and null for what was charged after it was stopped from outside. */
  const callsOf = (found) => found.steps.flatMap((step, k) => (step.x ? [null] : step.c || []).map((call, i) => ({
    turn: k + 1, step, call, result: (step.r || [])[i], first: i === 0, key: call === null ? null : keyOf(call, step),
  })));

  function side(unitOfPlay) {
    if (!unitOfPlay) return el("div", {}, note("no further call"));
    const { step, call, result, turn, first } = unitOfPlay;
    if (call === null) return el("div", {}, el("h4", {}, "after the last step"), pre(observationOf(step)));
    const where = `step ${turn}${first ? ` · reward ${number(step.w)}` : ", the same"}`;
    return el("div", {}, el("div", { class: "what" }, where), callParts(call, result, first ? step.t : ""),
      resultParts(result, "result"));
  }
  function relation(a, b, differs) {
    if (differs) return "first difference";
    if (!a || !b || a.key === null || a.key !== b.key) return "";
    return a.result && b.result && a.result[4] === b.result[4] ? "same call, same result" : "same call, another result";
  }
  function rowOf(a, b, at, differs) {
    return el("section", { class: differs ? "step differs" : "step", id: differs ? "first-difference" : null },
      el("header", {}, el("span", {}, `Call ${at + 1}`), el("small", {}, relation(a, b, differs))),
      el("div", { class: "body versus" }, side(a), side(b)));
  }
  function verdict(at, length) {
    if (at === length) return `All ${length} calls are equal.`;
    if (at === 0) return "The very first calls differ.";
    return `The first ${at} calls are equal; call ${at + 1} is the first that differs.`;
  }

  function comparisonParts(a, b, one, two) {
    const [left, right] = [callsOf(one), callsOf(two)];
    const length = Math.max(left.length, right.length);
    let at = 0;
    while (at < length && left[at] && right[at] && left[at].key === right[at].key) at += 1;
    const rows = (from, to) => Array.from({ length: to - from }, (_, k) =>
      rowOf(left[from + k], right[from + k], from + k, from + k === at));
    const sameStart = one.first === two.first;
    const card = (episode) => el("div", {}, el("h3", {},
      el("a", { href: "#episode-" + episode.link }, name(episode.agent), `, trial ${episode.trial}`)),
    facts(outcome(episode)));
    return [
      el("h2", {}, "Two episodes of ", name(a.task)),
      el("div", { class: "bar" }, compareChoice(a, b.link)),
      el("div", { class: "versus" }, card(a), card(b)),
      el("p", {}, el("strong", {}, verdict(at, length)), sameStart ? "" : " The first observations differ already."),
      sameStart ? null : folded("First observations", el("div", { class: "versus" }, pre(one.first), pre(two.first))),
      at > 0 ? folded(at === 1 ? "1 equal call" : `${at} equal calls`, rows(0, at)) : null,
      rows(at, length),
    ];
  }

  // Links: #episode-LINK, #episode-LINK-step-NUMBER, #compare-LINK-LINK.
  const EPISODE = /^#episode-([0-9a-f]+)(?:-step-(\d+))?$/;
  const COMPARISON = /^#compare-([0-9a-f]+)-([0-9a-f]+)$/;

  function markCurrent() {
    const links = [...(EPISODE.exec(location.hash) || []), ...(COMPARISON.exec(location.hash) || [])];
    for (const row of document.querySelectorAll("#list tbody tr")) {
      if (links.includes(row.dataset.link)) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  async function route() {
    const asked = location.hash;
    const [, link, step] = EPISODE.exec(asked) || [];
    const chosen = link === undefined ? (COMPARISON.exec(asked) || []).slice(1) : [link];
    markCurrent();
    if (!chosen.length) return;
    try {
      const found = chosen.map((each) => byLink.get(each));
      if (found.includes(undefined)) throw new Error("There is no such episode in this report.");
      const opened = await Promise.all(chosen.map(unpack));
      if (location.hash !== asked) return; // the reader has gone on meanwhile
      if (found.length === 1) show(episodeParts(found[0], opened[0]), step === undefined ? "detail" : `step-${step}`);
      else show(comparisonParts(...found, ...opened), "detail");
    } catch (error) {
      detail.replaceChildren(el("p", { class: "warning" }, error.message));
    }
  }

  document.querySelectorAll("table.sortable").forEach(makeSortable);
  comparePickers(el, number, name);
  setUpList();
  window.addEventListener("hashchange", route);
  route();
})();
