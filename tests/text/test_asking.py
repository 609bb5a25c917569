"""Words that ask, in languages that put no blank around them."""

from __future__ import annotations

import pytest

from mmind.text.asking import asking_words, without_asking
from mmind.text.tokens import names_something, query_terms, repeats

ASKED = [
    ("项目会议是什么时候开始？", "项目会议 开始"),
    ("哪个城市有最多的人口", "城市 最多的人口"),
    ("備用鑰匙放在哪裡？", "備用鑰匙放"),
    ("予備の鍵はどこですか？", "予備の鍵"),
    ("회의는 언제 시작하나요?", "회의 시작하"),
]


@pytest.mark.parametrize(("question", "telling"), ASKED)
def test_a_question_asks_for_what_it_names(question: str, telling: str) -> None:
    asked = set(query_terms(question))
    assert asked <= set(query_terms(question.translate(dict.fromkeys(map(ord, "？?")))))
    assert set(query_terms(telling)) <= asked
    assert not asked & asking_words(question)


def test_no_pair_stands_across_a_word_that_asks() -> None:
    assert not {"么时", "是什", "候开", "什么"} & set(query_terms("会议是什么时候开始"))


@pytest.mark.parametrize(
    "said",
    [
        "目的地",
        "存在",
        "吗啡的剂量",
        "ぶどうの収穫",
        "いつもの店",
        "どこでもドア",
        "哪吒电影",
        "任何时候",
        "왜관 가는 길",
        "누구나 아는 노래",
        "왜",
        "the key",
        "Wo ist der Schlüssel?",
        "",
    ],
)
def test_a_word_that_only_holds_such_characters_is_kept(said: str) -> None:
    assert without_asking(said) == said


def test_a_question_of_such_words_alone_asks_for_these() -> None:
    assert "什么" in query_terms("什么是什么")
    assert not names_something("什么是什么")
    assert not names_something("what is it")
    assert names_something("钥匙在哪里")


def test_a_word_that_asks_is_no_repetition() -> None:
    assert repeats("谁有钥匙？谁有", query_terms("谁有钥匙？谁有")) == {"有": 2}


def test_a_run_of_words_that_end_a_question_is_kept_before_a_letter_however_long() -> None:
    run = "ですか" * 10_000
    assert without_asking(f"鍵{run}") == "鍵 "
    assert without_asking(f"{run}鍵") == f"{run}鍵"
