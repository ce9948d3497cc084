"""The report in a browser: it opens with 500 episodes, links lead somewhere, and nothing that agents wrote runs."""

import re

import pytest
from bizgym.agents.base import AgentTurn
from bizgym.evaluators.report import write_report

from tests.evaluators.conftest import driven

pytestmark = pytest.mark.browser


def detail(html):
    return html[html.index('<article id="detail"') : html.index("</article>")]


def listed(html):
    return re.findall(r'<tr data-link="([0-9a-f]+)"', html)


@pytest.fixture(scope="module")
def large_page(large_run):
    return write_report([large_run])


@pytest.fixture(scope="module")
def rows(large_run):
    return list(large_run.episodes())


def test_500_episodes_are_listed_and_none_is_opened(dom, large_page):
    html = dom(large_page)
    assert len(set(listed(html))) == 500
    assert "500 of 500 episodes" in html
    assert 'class="step"' not in html


def test_a_link_opens_its_episode_with_every_step_in_full(dom, large_page, rows):
    links = listed(dom(large_page))
    opened = detail(dom(large_page, f"#episode-{links[321]}"))
    row = rows[321]
    assert f"<bdi>{row.agent['name']}</bdi>" in opened
    assert opened.count('class="step"') == row.n_steps + 1
    for step in row.steps:
        assert f'<pre dir="auto">{step.results[0].content}</pre>' in opened
        assert f'<pre dir="auto">{{"quantity": {step.turn.calls[0]["arguments"]["quantity"]}}}</pre>' in opened
    assert "the record is line 322 of episodes.jsonl" in opened
    assert "tests.Scripted" in opened


def test_an_unknown_link_says_so(dom, large_page):
    assert "There is no such episode in this report." in detail(dom(large_page, "#episode-ffffffffff"))


def test_filters_and_sorting(dom, large_page, rows):
    page, _ = driven(
        large_page,
        """
        const choose = document.querySelector('select[data-filter=agent]');
        choose.value = [...choose.options].find((o) => o.text === 'player-3').value;
        choose.dispatchEvent(new Event('change'));
        [...document.querySelectorAll('#list th button')].find((b) => b.textContent.startsWith('reward')).click();
        [...document.querySelectorAll('#list th button')].find((b) => b.textContent.startsWith('reward')).click();
        [...document.querySelectorAll('table.sortable')].find((t) => t.caption.textContent.startsWith('Leaderboard'))
            .querySelector('th button').click();
        """,
    )
    html = dom(page)
    assert "50 of 500 episodes" in html
    rewards = [row.reward for row in rows if row.agent["name"] == "player-3"]
    shown = re.findall(r'<tr data-link.*?data-sort="\d+">\d+</td>.*?<td class="num" data-sort="(-[\d.]+)"', html)
    assert list(map(float, shown)) == sorted(rewards)
    board = html[html.index("Leaderboard of") : html.index("</table>", html.index("Leaderboard of"))]
    assert re.findall(r'class="name"><bdi>([^<]+)', board) == [f"player-{k}" for k in range(10)]


@pytest.fixture(scope="module")
def small_page(lineup, make_run, tmp_path_factory):
    return write_report([make_run(tmp_path_factory.mktemp("runs") / "small", lineup)])


def test_two_episodes_are_aligned_to_the_first_call_that_differs(dom, small_page, lineup):
    names = [row.agent["name"] for row in lineup]
    links = listed(dom(small_page))
    one, other = links[names.index("constant-300")], links[names.index("turns-in-week-six")]
    opened = detail(dom(small_page, f"#compare-{one}-{other}"))
    assert "The first 5 calls are equal; call 6 is the first that differs." in opened
    assert "5 equal calls" in opened
    first = opened[opened.index('id="first-difference"') :].split("</section>")[0]
    assert re.findall(r"\{&quot;quantity&quot;: (\d+)\}|\{\"quantity\": (\d+)\}", first) == [("", "300"), ("", "250")]
    assert opened.count("same call, same result") == 5


def test_an_episode_offers_the_others_of_its_task(dom, small_page, lineup):
    links = listed(dom(small_page))
    opened = detail(dom(small_page, f"#episode-{links[0]}"))
    assert re.findall(r'<option value="([0-9a-f]+)"', opened) == links[1:]


def test_errors_and_the_step_without_a_turn_are_shown(dom, small_page, lineup):
    names = [row.agent["name"] for row in lineup]
    links = listed(dom(small_page))
    opened = detail(dom(small_page, f"#episode-{links[names.index('breaks')]}"))
    assert "RuntimeError: boom" in opened
    assert "Nobody's turn" in opened
    assert "forfeit_cost" in opened
    garbage = detail(dom(small_page, f"#episode-{links[names.index('garbage')]}-step-10"))
    assert garbage.count("✗ not_json") == 10
    assert "The episode ended early (malformed_calls)" in garbage


def test_what_agents_write_does_not_run(dom, play, make_run, tmp_path):
    evil = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">\u202e\ud800"
    rows = [
        play("a", 0, turn=lambda week: AgentTurn(text=evil, calls=[{"name": evil, "arguments": {evil: evil}}])),
        play("b", 0, turn=lambda week: evil).model_copy(update={"agent": {"name": evil}}),
    ]
    page = write_report([make_run(tmp_path / "evil", rows)])
    links = listed(dom(page))
    for link in (f"#episode-{links[0]}", f"#episode-{links[1]}", f"#compare-{links[0]}-{links[1]}"):
        html = dom(page, link)
        assert "<title>evil · BizGym report</title>" in html
        assert "<img" not in html
        assert "&lt;img src=x onerror=" in detail(html)
        assert "\\u202e\\ud800" in detail(html)
