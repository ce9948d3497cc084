"use strict";
/** Two agents of an environment that the reader picks, compared on the episodes that both have played. */
const comparePickers = (el, number, name) => {
  const FIELDS = ["left", "right", "metric", "difference", "low", "high", "n", "asked", "tasks", "wins", "losses", "ties"];
  const FEW_TASKS = 10;
  const contests = JSON.parse(document.getElementById("pairs").textContent).map((contest) => ({
    ...contest, pairs: contest.pairs.map((row) => Object.fromEntries(row.map((value, k) => [FIELDS[k], value]))),
  }));

  /** The same comparison seen from the other agent. */
  const turned = (row) => ({ ...row, left: row.right, right: row.left, difference: row.difference === null ? null : -row.difference,
    low: row.high === null ? null : -row.high, high: row.low === null ? null : -row.low, wins: row.losses, losses: row.wins });

  const found = (contest, left, right) => contest.pairs
    .filter((row) => (row.left === left && row.right === right) || (row.left === right && row.right === left))
    .map((row) => (row.left === left ? row : turned(row)));

  function verdict(row) {
    if (row.difference === null) return "They share no scored episode.";
    if (!row.wins && !row.losses) return "They are level on every pair.";
    if (row.low === null) return "One task shows no spread, so nothing can be said beyond it.";
    const apart = row.low > 0 || row.high < 0 ? "The interval leaves 0 out." : "The interval holds 0: the two are not told apart.";
    return row.tasks < FEW_TASKS ? `${apart} With fewer than ${FEW_TASKS} tasks it is too narrow to be relied on.` : apart;
  }

  function table(contest, rows) {
    const heads = ["difference of", "mean", "95 % interval", "ahead", "behind", "level", "pairs", "tasks"];
    const cells = rows.map((row) => [
      row.metric === "reward" && contest.unit ? `reward (${contest.unit})` : row.metric, number(row.difference),
      row.low === null ? "–" : `${number(row.low)} to ${number(row.high)}`, row.wins, row.losses, row.ties,
      row.n === row.asked ? row.n : `${row.n}/${row.asked}`, row.tasks,
    ]);
    return el("table", {}, el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, cells.map((row) => el("tr", {}, row.map((value, k) => el("td", { class: k ? "num" : null }, value))))));
  }

  for (const place of document.querySelectorAll(".picker")) {
    const contest = contests[Number(place.dataset.contest)];
    const chosen = [0, 1];
    const answer = el("div", { class: "answer" });
    const show = () => {
      const [left, right] = chosen.map((k) => contest.agents[k]);
      const rows = left === right ? [] : found(contest, left, right);
      answer.replaceChildren(...(rows.length
        ? [table(contest, rows), el("p", { class: "note" }, name(left), " less ", name(right), ". ", verdict(rows[0]))]
        : [el("p", { class: "note" }, "Choose two different agents.")]));
    };
    const choices = ["compare", "with"].map((label, side) => {
      const select = el("select", { "data-side": side },
        contest.agents.map((agent, k) => el("option", { value: k, selected: k === chosen[side] }, agent)));
      select.addEventListener("change", () => { chosen[side] = Number(select.value); show(); });
      return el("label", {}, label, select);
    });
    place.append(el("h4", {}, "Any two agents"), el("div", { class: "bar" }, choices), answer);
    show();
  }
};
