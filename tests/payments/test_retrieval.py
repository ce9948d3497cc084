"""Retrieval: the same answer everywhere, whatever is asked, and fast enough to be called in every step."""

import math
import random
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from bizgym.envs.core.errors import SettingError, ToolRefused
from bizgym.envs.payments.documents import index as index_module
from bizgym.envs.payments.documents.desk import Library, handed_over
from bizgym.envs.payments.documents.index import SNIPPET_CHARACTERS, Index, content_digest, index_of
from bizgym.envs.payments.documents.render import Document, Passage
from bizgym.envs.payments.documents.words import singular, words

from tests.payments.reserves import DAY, documents, text_of

LIBRARY = Library(documents())


def ids(hits):
    return [hit["id"] for hit in hits]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The fees of a Review", ["fee", "review"]),
        ("`reserve_release` D-0412", ["reserve_release", "reserve", "release", "d-0412", "d", "0412"]),
        ("USD 1,234.50, 12,5", ["usd", "1234.50", "12", "5"]),
        ("Ｆｅｅ ① naïve Straße", ["fee", "1", "naïve", "straße"]),
        ("fee\ud800share", ["fee", "share"]),
        ("", []),
        ("the of \x00 --- __ {}", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("policies", "policy"),
        ("fees", "fee"),
        ("charges", "charge"),
        ("reviews", "review"),
        ("heroes", "heroe"),
        ("status", "status"),
        ("business", "business"),
        ("gas", "gas"),
        ("review", "review"),
    ],
)
def test_plurals_are_cut_as_harman_does(word, stem):
    assert singular(word) == stem


@pytest.mark.parametrize(
    ("query", "first", "section"),
    [
        ("second officer approval release", "D-0110", "second"),
        ("Singapore", "D-0201", "fee"),
        ("busy weeks queue", "D-0401", "queue"),
        ("D-0601", "D-0601", "reading"),
        ("the state of your reserve and the papers you send", "D-0501", "when"),
        ("who disagrees with a decision", "D-0701", "file"),
    ],
)
def test_a_search_finds_the_document_and_its_section(query, first, section):
    (hit, *_) = LIBRARY.search(query)
    assert (hit["id"], hit["section"]) == (first, section)
    assert list(hit) == ["id", "title", "kind", "section", "snippet"]


def test_a_snippet_is_a_line_of_the_section_that_has_most_of_the_query():
    (hit,) = LIBRARY.search("a mix of rare words: scans originals page", limit=1)
    assert hit["id"] == "D-0110"
    assert hit["snippet"].startswith("Evidence kinds that count are `bank_statement`")
    assert hit["snippet"].endswith("...")
    assert len(hit["snippet"]) <= SNIPPET_CHARACTERS


def test_all_revisions_are_in_one_index_and_the_newest_is_not_always_first():
    assert {"D-0101", "D-0102", "D-0103"} < set(ids(LIBRARY.search("fees for looking into reserves")))


def document(document_id, text, issued_at=None):
    return Document(document_id, "Note", "memo", issued_at, "", (Passage("body", "Body", text),))


def test_documents_of_one_score_stand_in_the_order_of_ids():
    texts = ["Pledge, collateral, pledge.", "Pledge, collateral, cover.", "Pledge, premium, cover."]
    draw = random.Random(1)
    notes = [document(f"D-{k:04d}", draw.choice(texts)) for k in range(400)]
    draw.shuffle(notes)
    best = sorted(notes, key=lambda each: (texts.index(each.passages[0].text), each.id))
    found = Index(notes).search("pledge collateral", 400)
    assert [hit.id for hit in found] == [each.id for each in best]


def test_scores_are_those_of_bm25():
    # Lucene's BM25 by hand: three documents, k1 = 1.5, b = 0.75; the title "Note" counts three times.
    texts = ["pledge", "pledge pledge other", "other"]
    found = Index([document(f"D-000{k}", text) for k, text in enumerate(texts)])
    scores = found._scorer.get_scores_from_ids([found._vocabulary["pledge"]])
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    lengths = [3 + 1 + 1, 3 + 1 + 3, 3 + 1 + 1]
    mean = sum(lengths) / 3
    by_hand = [idf * tf / (tf + 1.5 * (0.25 + 0.75 * n / mean)) for tf, n in zip((1, 2, 0), lengths, strict=True)]
    assert scores.tolist() == pytest.approx(by_hand, abs=1e-12)
    assert [hit.id for hit in found.search("pledge", 10)] == ["D-0001", "D-0000"]


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", "zzzz qqqq", "\ud800\udfff", "\x00", "{{}}", "-" * 10**6], ids=range(8)
)
def test_a_query_without_a_known_word_finds_nothing(query):
    assert LIBRARY.search(query) == []


@pytest.mark.parametrize(
    "query",
    [
        "review " * 150_000,
        "\ud800review\udc00",
        "review\x00\n\r\t",
        "REVIEW",
        "reviews",
        "ｒｅｖｉｅｗ",
        "review'; DROP TABLE--",
    ],
    ids=range(7),
)
def test_hostile_queries_are_answered_as_what_they_hold(query):
    assert set(ids(LIBRARY.search(query, limit=50))) >= {"D-0101", "D-0301"}


def test_a_megabyte_is_answered_as_fast_as_a_line():
    began = time.perf_counter()
    for text in ("x" * 10**6, "review \ud800" * 110_000, "é" * 10**6, "1," * 500_000, "a-" * 500_000):
        LIBRARY.search(text)
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize("limit", [0, -1, 51, True, 2.0, "3", None, 10**4_000])
def test_a_limit_that_is_none_is_refused(limit):
    with pytest.raises(ToolRefused, match="limit: an integer from 1 to 50") as refused:
        LIBRARY.search("review", limit)
    assert refused.value.code == "BAD_LIMIT"


@pytest.mark.parametrize("query", [None, 7, ["review"], b"review"])
def test_a_query_that_is_no_text_is_refused(query):
    with pytest.raises(ToolRefused, match="query: a text of words"):
        LIBRARY.search(query)


def test_a_document_is_read_whole_or_by_section():
    whole = LIBRARY.read("D-0201")
    assert whole["text"] == text_of("D-0201")
    assert [each["id"] for each in whole["sections"]] == ["fee", "contract", "application"]
    part = LIBRARY.read("D-0201", "contract")
    assert "Authority: jurisdiction addendum" in part["text"]
    assert "## Which contract counts" in part["text"]
    assert "## Review fee in Singapore" not in part["text"]


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("D-0210",), "NO_SUCH_DOCUMENT", "there is no document D-0210. Did you mean 'D-0"),
        (("\ud800" * 10**6,), "NO_SUCH_DOCUMENT", "1000000 characters|6000000 characters"),
        ((["D-0201"],), "NO_SUCH_DOCUMENT", "there is no document"),
        (("D-0201", "fees"), "NO_SUCH_SECTION", "D-0201 has no section fees; it has fee, contract, application"),
        (("D-0201", ""), "NO_SUCH_SECTION", "it has fee"),
        (("D-0201", ["fee"]), "NO_SUCH_SECTION", "it has fee"),
    ],
)
def test_what_does_not_exist_cannot_be_read(arguments, code, complaint):
    with pytest.raises(ToolRefused, match=complaint) as refused:
        LIBRARY.read(*arguments)
    assert refused.value.code == code


def test_what_is_not_issued_yet_is_neither_found_nor_read():
    library = Library([document("D-0001", "pledge"), document("D-0002", "pledge", 5)])
    assert ids(library.search("pledge", now=4)) == ["D-0001"]
    assert ids(library.search("pledge", now=5)) == ["D-0001", "D-0002"]
    assert library.read("D-0002", now=5)["text"].endswith("pledge\n")
    with pytest.raises(ToolRefused) as refused:
        library.read("D-0002", now=4)
    assert "D-0002'" not in refused.value.message


def test_without_retrieval_documents_can_only_be_read(monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    library = Library(documents(), "none")
    assert library.read("D-0201")["id"] == "D-0201"
    with pytest.raises(ToolRefused, match="read those whose ids you know"):
        library.search("review")


def test_without_bm25s_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "bm25s", None)
    index_module._bm25s.cache_clear()
    with pytest.raises(SettingError, match=r"pip install 'bizgym\[payments\]'"):
        Library([document("D-9999", "a text that no other index holds")])
    index_module._bm25s.cache_clear()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [(([],), "at least one"), ((documents(), "bm52"), "retrieval: one of none, bm25, not bm52. Did you mean 'bm25'")],
)
def test_a_library_that_cannot_be_is_refused(arguments, complaint):
    with pytest.raises(SettingError, match=complaint):
        Library(*arguments)


def test_what_is_handed_over():
    assert handed_over(LIBRARY, "default", ["D-0201"], {"fee cap": "USD 50.00"}) == ""
    gold = handed_over(LIBRARY, "gold_documents", ["D-0201", "D-0102"], {"fee cap": "USD 50.00"})
    assert gold == "These documents bear on the request:\n\n" + text_of("D-0201") + "\n" + text_of("D-0102").rstrip()
    full = handed_over(LIBRARY, "full_disclosure", ["D-0201"], {"fee cap": "USD 50.00"})
    assert full.endswith("\n\nWhat the customer can tell:\n- fee cap: USD 50.00")
    with pytest.raises(SettingError, match="there is no document D-0999"):
        handed_over(LIBRARY, "gold_documents", ["D-0999"])
    with pytest.raises(SettingError, match="information: one of default, gold_documents, full_disclosure, not gold"):
        handed_over(LIBRARY, "gold", [])


def test_one_index_for_the_same_texts_and_another_for_others():
    assert index_of(documents()) is index_of(tuple(reversed(documents())))
    assert content_digest(documents()) != content_digest(documents()[1:])
    others = [document("D-0001", f"text {k}") for k in range(20)]
    built = [index_of([each]) for each in others]
    assert index_of([others[-1]]) is built[-1]
    assert len(index_module._INDICES) <= 8


def test_threads_share_one_index():
    notes = [document(f"D-{k:04d}", f"shared pledge {k}") for k in range(40)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: Library(notes)._index, range(32)))
    assert len(set(map(id, found))) == 1


SCRIPT = """
import hashlib, json
from tests.payments.reserves import documents
from bizgym.envs.payments.documents.desk import Library
library = Library(documents())
queries = ["review fee", "second officer", "evidence kinds of a merchant", "reserve_release", "busy weeks", "USD"]
found = [library.search(each, 50) for each in queries] + [library.read(each.id) for each in documents()]
print(hashlib.sha256(json.dumps(found).encode()).hexdigest())
"""


def test_searches_and_texts_do_not_depend_on_the_hash_seed():
    digests = set()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, (*sys.path, ".")))},
        )
        digests.add(done.stdout)
    assert len(digests) == 1


def test_a_search_of_two_hundred_documents_takes_at_most_a_millisecond():
    draw = random.Random(2)
    vocabulary = sorted({word for each in documents() for word in words(each.text)})
    weights = [1 / (k + 1) for k in range(len(vocabulary))]  # a few words stand in nearly every document
    notes = [
        document(f"D-{k:04d}", "\n".join(" ".join(draw.choices(vocabulary, weights, k=40)) for _ in range(10)), -DAY)
        for k in range(240)
    ]
    library = Library(notes)
    queries = [" ".join(draw.choices(vocabulary, weights, k=draw.randrange(1, 9))) for _ in range(300)]
    seconds = []
    for query in queries:
        began = time.perf_counter()
        library.search(query)
        seconds.append(time.perf_counter() - began)
    assert statistics.median(seconds) <= 0.001
