"""Words of a question that no store knows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mmind import wiring
from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.embedding.multilingual import MultilingualEmbedder
from mmind.router.fan_out import Answer
from mmind.router.mind import Mind
from mmind.router.parse import Request
from mmind.router.retrieve import worded
from mmind.router.spelling import guess_note, respelled_text, settled_guesses, to_ask, with_guesses
from mmind.values.bundle import Bundle
from mmind.values.memory import Memory, Passage
from mmind.values.query import Guess, Hit, Query, TermStatistics
from mmind.wiring import open_mind
from tests.index.build import NOON
from tests.wrapped import TICKETS

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

MANAGER = Guess("manger", "manger", ("manager",), ("manag",))
UMLAUT = Guess("Soehnke", "soehnk", ("Söhnke",), ("sohnk",), is_sure=True)

Ask = Callable[..., Bundle]


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    environ = {"MMIND_HOME": str(tmp_path / "home"), "MMIND_EMBED_MODEL": "none", "MMIND_AUDIT_CONTENT": "queries"}
    with open_mind(environ=environ, clock=lambda: NOON) as opened:
        yield opened


@pytest.fixture
def ask(mind: Mind) -> Ask:
    """Stores texts (in `sqlite`, those after "vector:" in `vector`), then asks."""

    def asked(question: str, *texts: str) -> Bundle:
        for text in texts:
            said = text.removeprefix("vector: ")
            mind.store(said, store="sqlite" if said == text else "vector")
        return mind.retrieve(question)

    return asked


def told(bundle: Bundle) -> list[str]:
    return [note for note in bundle.notes if "searched for" in note]


def test_a_misspelt_word_is_taken_for_the_nearest_one_and_a_note_says_so(ask: Ask) -> None:
    answer = ask("who is the manger", "Pia is the manager of the bakery.", "vector: Bread is sold on Fridays.")
    assert answer.results[0].text == "Pia is the manager of the bakery."
    assert told(answer) == ['no memory holds "manger"; searched for "manager" as well']
    inputs = answer.results[0].score.factors[0].inputs
    assert inputs["guessed"] == "manager for manger"


def test_nothing_is_said_and_nothing_guessed_where_every_word_is_known(ask: Ask) -> None:
    answer = ask("manager bakery", "Pia is the manager of the bakery.", "The manger stands in the stable.")
    assert told(answer) == []
    assert "guessed" not in answer.results[0].score.factors[0].inputs


def test_a_word_that_any_store_knows_is_never_touched(ask: Ask) -> None:
    managers = [f"Manager {name} works here." for name in ("Pia", "Ole", "Mads", "Signe")]
    answer = ask("the manger", *managers, "vector: The manger is made of oak.")
    assert told(answer) == []
    assert answer.results[0].text == "The manger is made of oak."


@pytest.mark.parametrize(
    ("question", "text", "searched"),
    [
        ("Soehnke Bruening", "Söhnke Brüning sings.", '"Soehnke" or "Bruening"; searched for "Söhnke" and "Brüning"'),
        ("Aarhus", "Århus is windy.", '"Aarhus"; searched for "Århus"'),
        ("frau müller", "Frau Mueller sings.", '"müller"; searched for "mueller"'),
        ("sour dough", "The sourdough is alive.", '"sour" or "dough"; searched for "sourdough"'),
        ("sourdoughstarter", "The sourdough starter is alive.", '"sourdoughstarter"; searched for "sourdough starter"'),
        ("ubernetes", "Kubernetes runs.", '"ubernetes"; searched for "kubernetes"'),
        ("slow retreivel", "The retrieval is slow.", '"retreivel"; searched for "retrieval"'),
    ],
)
def test_other_writings_of_a_word_are_found(ask: Ask, question: str, text: str, searched: str) -> None:
    answer = ask(question, text, "vector: The ferry winch takes twelve tons.")
    assert answer.results[0].text == text
    assert told(answer) == [f"no memory holds {searched} as well"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("order A7731K", "Order A7713K was sent."),
        ("version 20.40", "Version 20.04 is out."),
        ("carter", "A cartel and a career."),  # an English name of its own
        ("what is the form", "The farm is closed."),
        ("der islamische Staat ruht", "The stat is low."),
        ("zorblax", "The ferry winch takes twelve tons."),
        ("东京", "东西 is a word."),
    ],
)
def test_ids_numbers_words_of_their_own_and_letters_without_sense_are_not_guessed_at(
    ask: Ask, question: str, text: str
) -> None:
    assert told(ask(question, text)) == []


def test_halves_that_stand_nowhere_together_are_no_other_writing_of_a_word(ask: Ask) -> None:
    answer = ask("jamjar", "The jam is red.", "The jar is blue.")
    assert told(answer) == []
    assert told(ask("jamjar", "A jam jar is on the table.")) == [
        'no memory holds "jamjar"; searched for "jam jar" as well'
    ]


@pytest.mark.parametrize(
    ("question", "is_guessed"),
    [
        ("who is the manger of the bakery", True),
        ("when does the manger swim", False),  # the manager does not, and who does is not known
        ("zorblax flimping manger", False),  # of three words none is known
        ("manger bakrey", True),  # two slips in two words that stand together
    ],
)
def test_a_slip_is_seen_where_what_is_meant_stands_beside_another_word_of_the_question(
    ask: Ask, question: str, is_guessed: bool
) -> None:
    answer = ask(question, "Pia is the manager of the bakery.", "vector: Ole can swim.")
    assert bool(told(answer)) is is_guessed


@pytest.mark.parametrize(
    ("question", "is_guessed"), [("kuznetsov", False), ("kuznetsov curve", True), ("kuznetss", True)]
)
def test_two_edits_are_a_slip_only_beside_another_word(ask: Ask, question: str, is_guessed: bool) -> None:
    assert bool(told(ask(question, "The curve of Kuznets is steep."))) is is_guessed


@pytest.mark.parametrize("word", ["shines", "sharpest", "shorten", "reuse", "pooling", "carter"])
def test_an_english_word_is_no_slip_for_another(ask: Ask, word: str) -> None:
    assert told(ask(word, "The rhines are shortest, shorter, in a refuse, cooling, tooling, cartel.")) == []


def test_a_transcription_must_stand_in_a_store_itself_and_not_only_its_stem(ask: Ask) -> None:
    answer = ask("structuer", "The structure is of steel.")
    assert told(answer) == ['no memory holds "structuer"; searched for "structure" as well']


def test_of_equally_near_words_those_that_are_about_as_common_are_all_searched_for(ask: Ask) -> None:
    answer = ask("the bater", "The batter is cold.", "vector: The bather is cold.", "A baker sleeps.")
    assert told(answer) == ['no memory holds "bater"; searched for "baker", "bather" and "batter" as well']
    assert len(answer.results) == 3


def test_a_rare_word_gives_way_to_a_common_one_that_is_as_near(ask: Ask) -> None:
    common = [f"Batter number {number} is cold." for number in ("one", "two", "three", "four")]
    assert told(ask("the bater", *common, "The bather is cold.")) == [
        'no memory holds "bater"; searched for "batter" as well'
    ]


def test_what_is_found_through_a_guess_alone_is_less_sure_than_what_holds_the_word(ask: Ask) -> None:
    texts = ("Kubernetes runs on three nodes.", "The winch takes twelve tons.", "Bread is sold on Fridays.")
    guessed = ask("kuberentes", *texts).results[0]
    exact = ask("kubernetes").results[0]
    assert guessed.text == exact.text
    assert 0.0 < guessed.confidence < 0.8 < exact.confidence


def test_of_more_wrong_letters_the_less_sure_the_answer(ask: Ask) -> None:
    texts = ("Kubernetes runs on three nodes.", "The winch takes twelve tons.", "Bread is sold on Fridays.")
    one, two = ask("kuberentes nodes", *texts).results[0], ask("kuberentess nodes").results[0]
    assert one.text == two.text
    assert one.confidence > two.confidence


def test_a_word_that_may_stand_for_several_counts_wholly_as_unknown(ask: Ask) -> None:
    one = ask("the bathter", "The bather is cold.").results[0]
    several = ask("the bathter", "vector: The batter is cold.").results[0]
    assert one.confidence > several.confidence


def test_a_note_shows_a_word_with_its_marks_as_the_answer_spells_it(ask: Ask) -> None:
    answer = ask("bruningg", "Frau Brüning feeds the cat.", "vector: Ole can swim.")
    assert told(answer) == ['no memory holds "bruningg"; searched for "Brüning" as well']


def test_a_word_that_only_a_table_with_words_of_its_own_knows_is_not_touched(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(TICKETS + 'search = "words"\n')
    with sqlite3.connect(home / "tickets.db") as tickets:
        tickets.execute("CREATE TABLE tickets(id INTEGER PRIMARY KEY, body TEXT)")
        tickets.execute("INSERT INTO tickets VALUES (7, 'The manger is made of oak.'), (8, 'The ferry is late.')")
        tickets.execute("CREATE VIRTUAL TABLE words USING fts5(body, content='tickets', content_rowid='id')")
        tickets.execute("INSERT INTO words(words) VALUES ('rebuild')")
    tickets.close()
    with open_mind(environ={"MMIND_HOME": str(home), "MMIND_EMBED_MODEL": "none"}, clock=lambda: NOON) as mind:
        mind.store("The manager of the ferry is Pia.", store="sqlite")
        known, unknown = mind.retrieve("the manger"), mind.retrieve("the mangaer")
    assert known.results[0].text == "The manger is made of oak."
    assert told(known) == []
    assert told(unknown) == ['no memory holds "mangaer"; searched for "manager" as well']


def test_a_question_of_many_unknown_words_is_in_another_language_and_left_alone(ask: Ask) -> None:
    question = "qui manger bonjor merciq liberte egalitee fraternitee soleill"
    assert told(ask(question, "The manager said liberty, and the solely known one.")) == []


def test_the_log_tells_what_was_guessed_where_it_keeps_questions(ask: Ask, tmp_path: Path) -> None:
    ask("who is the manger", "Pia is the manager of the bakery.")
    files = (tmp_path / "home" / "audit").glob("*.jsonl")
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    query = next(line for line in lines if line.get("event") == "query")
    assert query["n_guessed"] == 1
    assert query["guessed"] == ["manager for manger"]


def worded_query(text: str) -> Query:
    request = Request(text=text, limit=8, stores=(), since=None, until=None, tags=(), session="", max_tokens=2000)
    return worded(request)


def test_the_word_meant_takes_the_place_of_the_unknown_one_which_comes_last_unless_the_guess_is_sure() -> None:
    query = worded_query("Soehnke the manger of bread")
    assert with_guesses(query, [MANAGER, UMLAUT]).terms == ("sohnk", "manag", "bread", "manger")
    assert with_guesses(query, [MANAGER, UMLAUT]).telling == ("sohnk", "manag", "bread")
    assert to_ask(query, [MANAGER, UMLAUT]).terms == ("sohnk", "manag", "bread", "manger", "soehnk")
    assert to_ask(query, [MANAGER]).text.endswith("\nmanager")  # for tables with a dictionary of their own


def test_rivals_come_after_all_others_and_a_term_that_is_asked_for_already_stays_once() -> None:
    rivals = Guess("manger", "manger", ("manager", "manner"), ("manag", "manner"))
    query = worded_query("manger of managers")
    assert with_guesses(query, [rivals]).terms == ("manag", "manger", "manner")


def test_what_the_unknown_word_said_twice_the_word_meant_says_twice() -> None:
    query = worded_query("manger or manger")
    assert with_guesses(query, [MANAGER]).repeats["manag"] == 2


def test_a_guess_at_a_word_that_some_store_knows_after_all_is_dropped() -> None:
    query = worded_query("manger of bread")
    asked = to_ask(query, [MANAGER])
    known = TermStatistics(9, 90.0, {"manger": 1, "manag": 3})
    final, _ = settled_guesses(query, asked, [], known)
    assert final.terms == ("manger", "bread")
    assert final.guesses == ()


def test_what_stands_side_by_side_is_told_by_the_places_that_the_terms_have_at_last() -> None:
    query = worded_query("Soehnke manger bread")
    asked = to_ask(query, [UMLAUT, MANAGER])
    hit = Hit(
        Memory(store="here", id="a", text=""), Passage(0, "", 1, 1), {"bread": 1.0}, 3.0, None, pairs=frozenset({0, 1})
    )
    known = TermStatistics(9, 90.0, {"manger": 1, "sohnk": 1, "bread": 4})
    final, answers = settled_guesses(query, asked, [Answer("here", [hit])], known)
    assert asked.terms == ("sohnk", "manag", "bread", "manger", "soehnk")
    assert final.terms == ("sohnk", "manger", "bread")
    assert (answers[0].value or ())[0].pairs == frozenset()  # neither pair of the three is one of these two
    assert settled_guesses(query, asked, [Answer("here", [hit])], TermStatistics())[1][0].value[0].pairs == {0, 1}


def test_the_model_reads_the_word_meant_but_neither_a_name_nor_one_of_several() -> None:
    name = Guess("Marten", "marten", ("Market",), ("market",), is_name=True)
    rivals = Guess("bater", "bater", ("baker", "batter"), ("baker", "batter"))
    text = "Soehnke, the manger of Marten, is a bater"
    assert respelled_text(text, [MANAGER, UMLAUT, name, rivals]) == "Söhnke, the manager of Marten, is a bater"


class Listening:
    """The local models, and what they were given to embed."""

    is_local = True

    def __init__(self) -> None:
        self._models = MultilingualEmbedder(LocalEmbedder(PACKAGED))
        self.identity, self.dimension = self._models.identity, self._models.dimension
        self.heard: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.heard += texts
        return self._models.embed(texts)

    def close(self) -> None:
        self._models.close()


@pytest.mark.parametrize(
    ("note", "question", "heard"),
    [
        ("Die Bäckerei macht um sieben auf.", "Wann macht die Bäkerei auf?", "Wann macht die Bäckerei auf?"),
        ("The train to Wrocław leaves at seven.", "Wroclav", "Wrocław"),
        ("The train to Wrocław leaves at seven.", "when does the train to wroclav leave", "wroclaw"),  # hears no marks
    ],
)
def test_a_model_that_hears_marks_reads_the_word_meant_with_them_a_german_noun_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, note: str, question: str, heard: str
) -> None:
    models = Listening()
    monkeypatch.setattr(wiring, "open_embedder", lambda *_: models)
    with open_mind(environ={"MMIND_HOME": str(tmp_path)}, clock=lambda: NOON) as mind:
        mind.store(note, store="sqlite")
        mind.retrieve(question)
    assert any(text.endswith(heard) or f" {heard} " in text for text in models.heard if text != note)


def test_without_a_guess_there_is_no_note() -> None:
    assert guess_note([]) == []


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("what port does Redis run on", ['no memory holds "Redis"']),
        ("what port does redis run on", ['no memory holds "redis"']),
        ("the port of Redis or Memcached", ['no memory holds "Redis" or "Memcached"']),
        ("which harbour does the server use", []),
        ("what port does PostgreSQL run on", []),
        ("welchen Port hat Redis und welchen hat der Server", []),
        ("Redis Memcached", []),
    ],
    ids=["a name", "typed small", "two", "a plain word", "known", "German", "nothing known"],
)
def test_a_name_that_no_memory_holds_is_told(ask: Ask, question: str, notes: list[str]) -> None:
    bundle = ask(question, "The PostgreSQL server runs on port 5432.")
    assert [note for note in bundle.notes if note.startswith("no memory holds")] == notes
