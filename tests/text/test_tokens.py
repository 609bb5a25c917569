"""One tokenizer for index and query: what becomes of words, names, numbers and scripts."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.text import tokens as module
from mmind.text.bm25 import bm25
from mmind.text.tokens import LONGEST, distinct, query_terms, repeats, tokens
from mmind.values.query import TermStatistics


def ranked(query: str, documents: dict[str, str]) -> list[str]:
    """The names of the documents that hold a term of the query, best BM25 first."""
    held = {name: tokens(text) for name, text in documents.items()}
    terms = query_terms(query)
    statistics = TermStatistics(
        passages=len(held),
        total_length=sum(map(len, held.values())),
        frequencies={term: sum(term in found for found in held.values()) for term in terms},
    )
    scores = {
        name: bm25({term: float(found.count(term)) for term in terms}, len(found), statistics, terms)
        for name, found in held.items()
    }
    return [name for name in sorted(scores, key=lambda name: -scores[name]) if scores[name] > 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running migrations", "run migrat"),
        ("Café Müller naïve Ångström", "cafe muller naiv angstrom"),
        ("Straße ΣΊΣΥΦΟΣ İstanbul ISPARTA ısparta", "strass σισυφοσ istanbul isparta isparta"),
        ("Đà Nẵng Phòng khám", "da nang phong kham"),
        ("Łódź søren Þór", "lodz soren thor"),
        ("мой ёлка Київ", "мой елка киів"),
        ("مُحَمَّد مـــحمد أحمد", "محمد محمد احمد"),
        ("\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd", "\u05e9\u05dc\u05d5\u05dd"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("٤٢ २०२६", "42 2026"),
        ("getUserById", "getuserbyid get user by id"),
        ("HTTPServerError", "httpservererror http server error"),
        ("atomic_write_json", "atomicwritejson atom write json"),
        ("node-llama-cpp", "nodellamacpp node llama cpp"),
        ("ticket-4711", "ticket4711 ticket 4711"),
        ("health.base", "health.base health base"),
        ("grammar::fa", "grammar::fa grammar fa"),
        ("path/to/file.yaml", "path/to/file.yaml path to file.yaml file yaml"),
        ("`D:\\jobs\\run`", "d:\\jobs\\run d job run"),
        ("ann@example.com", "ann@example.com ann example.com exampl com"),
        ("v1.2.3", "v1.2.3 1.2.3 1.2"),
        ("1.2.3-rc1", "1.2.3rc1 1.2.3 1.2 rc1 rc 1"),
        ("Ubuntu 20.04", "ubuntu 20.04"),
        ("2026-05-26", "2026-05-26 2026-05 2026"),
        ("2026-05-26T08:30:00Z", "2026-05-26 2026-05 2026 08:30:00 08:30"),
        ("1,000 1,234,567.5", "1000 1234567.5"),
        ("3GB sha256 python3", "3gb 3 gb sha256 sha 256 python3 python 3"),
        ("0x80070005", "0x80070005"),
        ("9f86d081884c7d65", "9f86d081884c7d65"),
        ("C++ C# F# g++", "c++ c# f# g++"),
        ("C/C++17", "c/c++ c c++ 17"),
        (".NET ASP.NET .gitignore", ".net net asp.net asp net .gitignore gitignor"),
        ("don't O'Brien dog's l’eau", "dont obrien brien dog leau eau"),
        ("U.S.A. e.g. APIs", "usa eg api"),
        ("#tag **bold** __init__ (x)", "tag bold init x"),
        ("🚀 ⚓️ 🇩🇪", "🚀 ⚓ 🇩🇪"),
        ("备份运行", "备 份 运 行 备份 份运 运行"),
        ("林", "林"),
        ("Python入门", "python 入 门 入门"),
        ("ﾃﾞｰﾀ データ", "デ ー タ デー ータ デ ー タ デー ータ"),
        ("점검은", "점 검 은 점검 검은"),
        ("ประเทศ", "ปร ระ ะเ เท ทศ"),
        ("ｆｕｌｌ ﬁne m² №5", "full fine m2 2 5"),
        ("and/or and—or", "and/or and or and or"),
        ("wait...what --flag", "wait what flag"),
        ("does doe", "does doe"),
        ("a\x00b \ud800 c\x01d soft\u00adhyphen", "a b c d softhyphen"),
        ("|||  ( \" ' - -- \\ % _ $ ^ * ~", ""),
        ("", ""),
    ],
)
def test_a_text_becomes_these_tokens(text: str, expected: str) -> None:
    assert " ".join(tokens(text)) == expected


@pytest.mark.parametrize("name", ["userName", "user_name", "user-name", "UserName", "USER_NAME", "username"])
def test_a_name_in_any_case_style_shares_the_token_for_the_whole(name: str) -> None:
    assert "usernam" in tokens(name)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("atomic_write_json", "saves"),
        ("getUserById", "accounts"),
        ("v1.2.3", "release"),
        ("1.2.3", "release"),
        ("Ubuntu 20.04", "release"),
        ("0x80070005", "errors"),
        ("health.base", "errors"),
        ("C++", "parser"),
        ("node-llama-cpp", "parser"),
        ("llama", "parser"),
        ("sparrow 2.10", "newer"),
    ],
)
def test_a_whole_identifier_ranks_first_among_its_neighbours(query: str, best: str) -> None:
    documents = {
        "saves": "Use atomic_write_json for saves.",
        "accounts": "getUserById lives in the accounts module.",
        "release": "We released v1.2.3 on Ubuntu 20.04.",
        "errors": "Setup stops with 0x80070005 when health.base is missing.",
        "parser": "The parser is written in C++ on top of node-llama-cpp.",
        "by hand": "Please write the json file by hand, atomic or not.",
        "versions": "v1.2.4 and v1.3.2 and 2.1.3 are out.",
        "handles": "Error 0x80070006 is about handles; base your health on sleep.",
        "compiler": "The C compiler needs a flag.",
        "guide": "User guide: get help by phone.",
        "boats": "Twenty boats came 04 times.",
        "newer": "Sparrow v2.10.3 is the last of its line.",
        "older": "Sparrow v2.1.0 and 10 others.",
    }
    assert ranked(query, documents)[0] == best


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("备份", "backup"),
        ("自动运行", "backup"),
        ("林", "backup"),
        ("会議室", "room"),
        ("予約", "room"),
        ("점검", "server"),
        ("泊位费", "berth"),
    ],
)
def test_a_part_of_a_sentence_without_spaces_is_found(query: str, best: str) -> None:
    documents = {
        "backup": "项目的备份每周五晚上自动运行，负责人是林工。",
        "plants": "办公室的绿植每周一浇水。",
        "room": "会議室の予約は総務部のカレンダーで行う。",
        "server": "서버 점검은 매월 첫째 화요일에 합니다.",
        "berth": "港口的泊位费在三月调整。",
    }
    assert ranked(query, documents)[0] == best


@pytest.mark.parametrize(
    "query",
    [
        "don't use agents", "Downloads/transcripts", "multi-agent demo", "status: done", 'timeout "error', "retry OR",
        "grammar::fa", "what now?", "downloads", "3 GB/s",
    ],
)  # fmt: skip
def test_operators_and_punctuation_in_a_query_are_text(query: str) -> None:
    note = (
        "Status: done. Don't use agents for the multi-agent demo. Rate 3 GB/s (peak). Path Downloads/transcripts. "
        "Call grammar::fa. What now? Retry after the timeout error."
    )
    assert set(query_terms(query)) & set(tokens(note))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Café Zürich", "Cafe\u0301 Zu\u0308rich"),
        ("cafe zurich", "Cafe\u0301 Zu\u0308rich"),
        ("re\u0301sume\u0301", "résumé"),
        ("resume", "résumé"),
        ("bệnh", "be\u0323\u0302nh"),
        ("ا\u0654حمد", "أحمد"),
        ("STRASSE", "straße"),
        ("が", "か\u3099"),
        ("각", "\u1100\u1161\u11a8"),
    ],
)
def test_composed_decomposed_and_bare_letters_are_one_word(query: str, text: str) -> None:
    assert tokens(query) == tokens(text)


def test_kana_with_and_without_its_voicing_mark_stay_two_letters() -> None:
    assert tokens("か") != tokens("が")


def test_a_question_asks_for_its_content_words() -> None:
    question = "Why does the web kit avoid having any runtime dependencies at all?"
    assert query_terms(question) == ("web", "kit", "avoid", "runtim", "depend")


def test_a_question_of_nothing_but_stop_words_keeps_them() -> None:
    assert query_terms("What is this?") == ("what", "is", "this")


def test_not_and_may_are_no_stop_words() -> None:
    assert query_terms("not in May") == ("not", "may")


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("How much is the rent?", ("rent",)),
        ("how many berths, and how  often are they cleaned", ("berth", "clean")),
        ("how long is the pier", ("long", "pier")),
        ("how much is too much", ("much", "too")),
        ("how much", ("how", "much")),
        ("show much rent", ("show", "much", "rent")),
    ],
)
def test_a_question_for_a_measure_does_not_ask_for_the_word_much(question: str, terms: tuple[str, ...]) -> None:
    assert query_terms(question) == terms


def test_terms_are_distinct_and_in_order_of_appearance() -> None:
    assert query_terms("tide bell, tide harbour bell") == ("tide", "bell", "harbour")


def test_only_what_a_query_says_again_is_counted() -> None:
    query = "tide bells, and the tide bell and the harbour"
    assert repeats(query, query_terms(query)) == {"tide": 2, "bell": 2}


def test_a_pasted_page_is_asked_for_what_it_repeats() -> None:
    page = "\n".join(f"filler{number}word" for number in range(2000)) + "\nlighthouse keeper, lighthouse keeper"
    terms = query_terms(page)
    assert len(terms) == 64
    assert {"lighthous", "keeper"} <= set(terms)


def test_a_long_chinese_query_keeps_four_terms_for_each_word() -> None:
    page = "".join(chr(0x4E00 + number) for number in range(1000))
    assert len(query_terms(page)) == 256


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("a" * 500_000, 1),
        ("a" + "\u0300\u0323" * 500_000, 1),
        ("か" + "\u3099\u0300" * 100_000, 100_000),
        ("a." * 200_000, 200_000),
        ("1." * 200_000, 200_000),
        ("aA1" * 500_000, 1),
        ("_" * 500_000, 0),
        ("." * 500_000, 0),
        ("A" * 500_000 + "b", 1),
        ("'" * 500_000 + "a'" * 300_000, 300_000),
    ],
    ids=lambda value: repr(value[:8]) if isinstance(value, str) else "",
)
def test_one_endless_line_is_cut_in_linear_time(text: str, most: int) -> None:
    # The time limit of the suite is the check: the quadratic cases take hours.
    found = tokens(text)
    assert len(found) <= most
    assert all(len(token) <= LONGEST for token in found)


@given(st.text(max_size=300))
def test_any_text_gives_tokens_without_white_space(text: str) -> None:
    for token in tokens(text):
        assert token
        assert len(token) <= LONGEST
        assert not any(character.isspace() or character == "\x00" for character in token)
        token.encode()  # no lone surrogate


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cn", "Co"]), max_size=80))
def test_composed_and_decomposed_text_give_the_same_tokens(text: str) -> None:
    stable = unicodedata.normalize("NFC", text)
    assert tokens(stable) == tokens(unicodedata.normalize("NFD", stable))


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_text_holds_the_tokens_of_its_lines(first: str, second: str) -> None:
    assert tokens(f"{first}\n{second}") == [*tokens(first), *tokens(second)]


@given(
    st.lists(
        st.sampled_from(["C++", "getUser", "v1.2", "備份", "a/b.c", "🚀", "d'eau", "x_y", "ก่อน", "हिन्दी"]), max_size=20
    )
)
def test_every_token_survives_the_full_text_index_whole(words: list[str]) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "create virtual table f using fts5("
        "x, tokenize=\"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'\")"
    )
    connection.execute("create virtual table v using fts5vocab(f, 'row')")
    found = tokens(" ".join(words))
    connection.execute("insert into f values (?)", (" ".join(found),))
    assert {row[0] for row in connection.execute("select term from v")} == set(found)
    connection.close()


def test_threads_that_stem_at_once_get_the_stems_of_one() -> None:
    words = [
        f"{first}{last}ing" for first in ("walk", "jump", "relat", "connect") for last in ("", "er", "ation", "iz")
    ]
    expected = [tokens(word) for word in words]
    module._known.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: [tokens(word) for word in words], range(40)):
            assert found == expected


def test_the_stems_are_those_of_the_pure_python_stemmer() -> None:
    from snowballstemmer.english_stemmer import EnglishStemmer

    words = "generously knives skies dying running relational happily news inning exceed hopping databases"
    pure = EnglishStemmer()
    assert tokens(words) == [pure.stemWord(word) for word in words.split()]


@given(
    st.lists(
        st.sampled_from(
            [
                "don't",
                "a.b",
                ".NET",
                "C++",
                "备份 运行",
                "\u3000",
                "\xa0",
                "x" * 40,
                "Café",
                "#",
                "1,000",
                " ",
                "\n",
                "ß",
            ]
        )
    )
)
def test_distinct_tokens_are_those_of_the_whole_text(parts: list[str]) -> None:
    text = "".join(parts)
    assert distinct(text) == frozenset(tokens(text))
