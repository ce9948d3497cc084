"use strict";
/** A case interview as a reader follows it: the points, the issue tree, and who said what. */
const interviewParts = (() => {
  const COVERAGE = {
    "raised in own words": ["good", "✓ "],
    "named by a menu first": ["", "✗ "],
    "by the topic argument alone": ["", "✗ "],
    "not raised": ["bad", "✗ "],
  };
  const OUTCOMES = {
    released: "told a fact", repeated: "told again what was known", refused: "too early, another topic comes first",
    told: "stands in the description of the case", nothing: "nothing on that", menu: "asked back with a menu",
    purpose: "asked back for the purpose",
  };
  const CALLS = {
    ask_interviewer: "asks", share_analysis: "shares an analysis", request_exhibit: "asks for an exhibit",
    submit_recommendation: "recommends",
  };
  const ENDINGS = {
    "recommendation": "closed by a recommendation",
    "out of time": "cut off: a question came after the last turn, and there is no recommendation, so nothing scores",
    "broken off": "broken off without a recommendation, so nothing scores",
  };
  const spoken = (text) => text.replace(/[._]/g, " ");
  const points = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 2 });

  return (found, link, el) => {
    const { interview, metrics } = found;
    const head = (names) => el("thead", {}, el("tr", {}, names.map((text) => el("th", { scope: "col" }, text))));
    const table = (kind, names, rows) => el("div", { class: "scroll" },
      el("table", { class: kind }, head(names), el("tbody", {}, rows)));
    const stepLink = (step) => (step === null ? "" : el("a", { href: `#episode-${link}-step-${step}` }, step));
    const code = (text) => el("code", {}, text);
    const listed = (names) => names.map((text, k) => [k ? ", " : "", code(text)]);

    function dimension(name) {
      const rows = interview.points.filter((point) => point.dimension === name);
      const earned = rows.reduce((sum, point) => sum + point.earned, 0);
      const score = metrics && metrics[name] !== undefined ? metrics[name] : null;
      const total = score === null ? "no score" : `${points(score)} of 10`;
      const why = score !== null && Math.abs(score - earned) > 1e-6 ? ` (the points below come to ${points(earned)})` : "";
      return [el("tr", { class: "dimension" }, el("th", { scope: "rowgroup", colspan: 5 }, `${spoken(name)}: ${total}${why}`)),
        rows.map((point) => el("tr", {}, el("td", {}, el("bdi", {}, spoken(point.name))),
          el("td", { class: point.earned >= point.possible ? "num good" : "num bad" },
            point.possible ? `${points(point.earned)} of ${points(point.possible)}` : points(point.earned)),
          el("td", { dir: "auto" }, point.expected), el("td", { dir: "auto" }, point.observed),
          el("td", { class: "num" }, stepLink(point.turn))))];
    }

    function branch({ topic, coverage, step, told, untold }) {
      const [kind, mark] = COVERAGE[coverage] || ["", ""];
      return el("tr", {}, el("td", {}, code(topic)), el("td", { class: kind }, mark, coverage),
        el("td", { class: "num" }, stepLink(step)), el("td", {}, listed(told)), el("td", {}, listed(untold)));
    }

    function argument(key, value) {
      if (value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length)) return null;
      const text = (each) => (each && typeof each === "object" ? `${each.metric}: ${each.value} ${each.unit}` : `${each}`);
      const shown = Array.isArray(value)
        ? el("ul", {}, value.map((each) => el("li", { dir: "auto" }, text(each)))) : el("p", { dir: "auto" }, text(value));
      return [key === "question" || key === "text" ? null : el("div", { class: "what" }, spoken(key)), shown];
    }

    /** What became of a call: the fact that was told stands out, in colour where the case cannot be solved without it. */
    function verdict(each) {
      if (!each.answered) return each.exhibit ? el("span", { class: "tag" }, "exhibit opened: ", code(each.exhibit)) : null;
      const said = [OUTCOMES[each.answered] || each.answered];
      if (each.fact) said.push(": ", code(each.fact.id), ` (topic ${spoken(each.fact.topic)}, ${each.fact.weight})`);
      else if (each.topic) said.push(` (topic ${spoken(each.topic)})`);
      if (each.menu.length) said.push(": ", listed(each.menu));
      if (each.raised) said.push(" · topic raised in own words", each.raised === each.step ? "" : [" at step ", stepLink(each.raised)]);
      return el("span", { class: each.answered === "released" ? `tag ${each.fact.weight}` : "tag" }, said);
    }

    function exchange(each) {
      const { topic, ...rest } = each.arguments;
      return el("div", { class: "exchange" },
        el("div", { class: "what" }, "step ", stepLink(each.step), ` · ${each.turns} of ${interview.turns} turns used `, verdict(each)),
        el("div", { class: "candidate" },
          el("div", { class: "what" }, `The candidate ${CALLS[each.name] || each.name}`, topic ? [", topic ", code(topic)] : ""),
          Object.entries(rest).map(([key, value]) => argument(key, value))),
        el("div", { class: "interviewer" }, el("div", { class: "what" }, "The interviewer"),
          el(each.exhibit ? "pre" : "p", { dir: "auto" }, each.said)));
    }

    const missed = interview.missed.map((fact, k) => [k ? ", " : "", code(fact.id), ` (${spoken(fact.topic)})`]);
    const dimensions = [...new Set(interview.points.map((point) => point.dimension))];
    return [
      el("h3", {}, `Interview: ${interview.used} of ${interview.turns} turns used; ${ENDINGS[interview.ending] || interview.ending}`),
      el("h4", {}, "Points by dimension"),
      table("points", ["point", "earned", "expected", "seen", "decided at step"], dimensions.map(dimension)),
      el("p", { class: "note" }, "Branch: a topic of the issue tree raised in the candidate's own words; one that a menu named first, or the topic ",
        "argument alone, earns nothing. Order: how many of the ",
        "questions came too early or twice. Purpose: how many told a fact that has a bearing on the case. Questions that the ",
        "interviewer answered by a question count in neither."),
      el("h4", {}, "Issue tree: the topics that the case turns on"),
      table("tree", ["topic", "how it came up", "at step", "facts told", "facts not told"], interview.tree.map(branch)),
      el("p", {}, missed.length ? ["Essential facts that were never told: ", missed, "."] : "Every essential fact was told."),
      el("h4", {}, "Transcript"),
      el("p", { class: "note" }, "A fact without which the case cannot be solved is ",
        el("span", { class: "tag essential" }, "marked"), " where it is told."),
      interview.exchanges.length ? interview.exchanges.map(exchange) : el("p", { class: "note" }, "The candidate said nothing."),
    ];
  };
})();
