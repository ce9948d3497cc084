"""Each gate trips where something is broken; that they hold on the shipped blueprints is tested elsewhere."""

import pytest
from bizgym.envs.consulting import gates, trials
from bizgym.envs.consulting.blueprints import blueprint
from bizgym.envs.consulting.check import draw_lines, main, problems
from bizgym.envs.consulting.words import BlueprintWords, places, words_of
from pydantic import ValidationError

from .toys import case_of

ID = "profitability_1"
GIVEN, WORDS = blueprint(ID), words_of(ID).skins["a"]
CASE = case_of("profitability_1-hard-a")


def changed(field, key, **changes):
    """The words with one entry of a field changed."""
    entries = dict(getattr(WORDS, field))
    entries[key] = entries[key].changed(**changes)
    return WORDS.changed(**{field: entries})


def only(lines):
    (line,) = lines
    return line


def test_words_that_are_missing_or_not_known_are_named():
    facts = {name: each for name, each in WORDS.facts.items() if name != "cost.unit"}
    assert only(gates.keys(GIVEN, WORDS.changed(facts=facts))) == "facts: missing ['cost.unit'], not known []"
    nouns = {**WORDS.nouns, "bed": ["bed", "beds"]}
    assert only(gates.keys(GIVEN, WORDS.changed(nouns=nouns))) == "nouns: name ['unit'], not ['bed', 'unit']"
    assert only(gates.keys(GIVEN, WORDS.changed(factors={"fares": 2.0}))) == "not known: ['fares']"


@pytest.mark.parametrize(
    ("fact", "say", "message"),
    [
        (
            "cost.overhead",
            "The office costs more than before, as everybody knows.",
            "cost.overhead: says [], but carries",
        ),
        ("market.growth", "It grows by {market_growth} %, or {fullness} %.", "says ['fullness', 'market_growth'], but"),
        ("market.growth", "Travel grows by {market_growth} % a year, as in 2019.", "a figure is written out"),
        ("market.growth", "Travel grows by {growth} % a year, they say.", "no node of the model: ['growth']"),
        ("market.growth", "Travel grows by {market_growth:.1f} % a year.", "braces hold the plain name"),
    ],
)
def test_figures_stand_in_braces_and_where_they_belong(fact, say, message):
    lines = list(gates.figures(GIVEN, changed("facts", fact, say=say)))
    assert any(message in line for line in lines), lines


@pytest.mark.parametrize(
    ("difficulty", "more", "message"),
    [
        ("hard", " Deck sales reached {light_now} thousand.", "statement hard gives away ['light_now']"),
        ("middle", None, "statement middle must tell ['advertised_units']"),
    ],
)
def test_statements_tell_what_is_given_and_nothing_else(difficulty, more, message):
    text = WORDS.statements["hard"] if more is None else WORDS.statements[difficulty] + more
    words = WORDS.changed(statements={**WORDS.statements, difficulty: text})
    assert message in only(gates.figures(GIVEN, words))


def test_an_exhibit_shows_the_figures_of_its_facts():
    table = WORDS.exhibits["tickets"]
    rows = [table.rows[0].changed(cells=["Cabin", "{full_before} thousand", "{overhead_rise}"]), table.rows[1]]
    words = WORDS.changed(exhibits={**WORDS.exhibits, "tickets": table.changed(rows=rows)})
    assert only(gates.figures(GIVEN, words)) == "exhibit tickets: the row of volume.trend:full shows ['overhead_rise']"


@pytest.mark.parametrize(
    ("fact", "say", "message"),
    [
        ("cost.overhead", "The office costs {overhead_rise} thousand more a year.", "is in GBP; say so"),
        ("cost.overhead", "The office costs {overhead_rise} GBP more a year.", "is in thousands; say so"),
        ("market.growth", "Travel grows by {market_growth} a year.", "is a share; put % behind it"),
    ],
)
def test_units_stand_beside_their_figures(fact, say, message):
    assert message in only(gates.units_said(GIVEN, changed("facts", fact, say=say)))


def test_options_that_may_be_right_have_risks_of_their_own():
    risks = [each for each in WORDS.risks if each.when]
    lines = list(gates.ties(GIVEN, WORDS.changed(risks=risks)))
    assert lines == ["advertise: no risk that rests on a fact which is never given"]
    assert "near: no phrase" in only(gates.ties(GIVEN, changed("facts", "cost.unit", near=[])))


def test_statements_and_sentences_have_their_lengths():
    short = WORDS.changed(statements={**WORDS.statements, "easy": "Too short to be a case."})
    assert only(gates.lengths(short)).startswith("statement easy: 6 words")
    long = changed("facts", "cost.rent" if "cost.rent" in WORDS.facts else "cost.unit", say="word " * 60)
    assert "60 words" in only(gates.lengths(long))


def test_names_of_real_companies_are_found():
    named = changed("facts", "competitor.price", say="The boats of Maersk ask {rival_price} GBP for a seat.")
    assert "a real name, 'Maersk'" in only(gates.real_names(named))
    assert list(gates.real_names(changed("facts", "competitor.price", say="Maerskling asks {rival_price} GBP."))) == []


def cause(cause_id, **changes):
    return CASE.changed(causes=[each.changed(**changes) if each.cause_id == cause_id else each for each in CASE.causes])


def test_groups_of_words_tell_causes_options_and_the_constraint_apart():
    assert "does not meet its words" in only(gates.groups(cause("mix", words=["anchor"])))
    assert "also meets the words of" in " ".join(gates.groups(cause("overhead", words=["ticket|office"])))
    denied = cause("overhead", text="It is not the ships but the office and its insurance that became dearer.")
    assert "a word of denial" in " ".join(gates.groups(denied))
    option = CASE.options["advertise"]
    options = {**CASE.options, "advertise": option.changed(words=["passengers|deck"])}
    assert "also meets the words of ['advertise']" in " ".join(gates.groups(CASE.changed(options=options)))
    constraint = CASE.solution.constraint.changed(words=["quay|promise"])
    told = CASE.changed(solution=CASE.solution.changed(constraint=constraint))
    assert only(gates.groups(told)) == "constraint: a sentence of the statement already meets its words"


def test_counts_are_held_to_the_difficulty():
    easy = CASE.changed(difficulty="easy")
    assert "9 essential facts, not 4 to 5" in " ".join(gates.counts(easy))
    assert "11 facts to be asked for" in " ".join(gates.counts(CASE.changed(facts=CASE.facts[:11])))
    quiet = CASE.changed(facts=[fact.changed(noise=False) for fact in CASE.facts])
    assert "fewer than three facts are noise" in list(gates.counts(quiet))
    loud = CASE.changed(facts=[fact.changed(noise=fact.noise or fact.essential) for fact in CASE.facts])
    assert "a fact that is noise bears on the decision" in list(gates.counts(loud))
    solution = CASE.solution
    for changes, message in (
        ({"margin": 0.3}, "the margin 0.3 is not within 0.08 and 0.25"),
        ({"naive": solution.decision}, "the naive path decides rightly"),
        ({"topics": ["price"]}, "three to five"),
    ):
        assert message in " ".join(gates.counts(CASE.changed(solution=solution.changed(**changes))))


def test_statements_that_are_alike_are_found():
    twin = CASE.changed(case_id="twin")
    assert only(gates.alike([CASE, twin], {})) == f"{CASE.case_id} and twin: statements share 1.00 of their 5-grams"
    assert "twin" in only(gates.alike([CASE], {"other": [twin]}))
    assert only(gates.skins_alike([WORDS, WORDS.changed(client="Other Line")])).startswith(
        "Tarnholm Line and Other Line"
    )


def test_a_candidate_who_cannot_do_well_is_found():
    confused = cause("mix", text="That the mix moved from cabin to deck has nothing to do with it.")
    assert "root_cause" in " ".join(trials.candidate(confused))
    spare = CASE.changed(facts=[fact.changed(essential=fact.essential or fact.noise) for fact in CASE.facts])
    assert "without the essential technology.system" in " ".join(trials.candidate(spare))


@pytest.mark.parametrize("text", ["{price", "price}", "{}", "{Price}", "{price!r}", "{a.b}", "{0}"])
def test_braces_hold_plain_names(text):
    with pytest.raises(ValueError):
        places(text)


def test_a_file_of_words_has_three_skins():
    with pytest.raises(ValidationError, match="skins: a, b, c"):
        BlueprintWords(canary="", blueprint=ID, skins={"a": WORDS, "b": WORDS})


def test_the_command_says_what_is_wrong_and_how_values_are_drawn(capsys):
    assert main(["pricing_9"]) == 1
    assert "pricing_9: 1 problems" in capsys.readouterr().out
    assert main([ID]) == 0
    assert capsys.readouterr().out == f"{ID}: sound\n"
    assert list(problems("zzzzzz")) == ["blueprint: there is no 'zzzzzz'."]
    lines = list(draw_lines("market_entry_1"))
    assert [line.partition(":")[0] for line in lines if not line.startswith(" ")] == ["easy", "middle", "hard"]
