from __future__ import annotations

import pytest

from mmind.embedding.languages import masters, speaks

LOCAL = "all-MiniLM-L6-v2/int8@8199be6f/384"
BOTH = "all-MiniLM-L6-v2/int8@8199be6f+use-multilingual-v3@618a2ff4/384"
OPENAI = "text-embedding-3-small/openai/1536"


@pytest.mark.parametrize(
    "text",
    [
        "When does the lease end?",
        "Die Besprechung wurde auf Donnerstag verschoben.",
        "Łódź, Ångström, Việt Nam, Ǆemal",
        "ＦＵＬＬ ＷＩＤＴＨ",
        "PostgreSQL 数据库",
        "the word мир",
    ],
)
def test_the_local_model_speaks_texts_in_mostly_latin_letters(text: str) -> None:
    assert speaks(LOCAL, text)


@pytest.mark.parametrize(
    "text",
    [
        "知识管理是一种长期的习惯",
        "Встреча перенесена на четверг",
        "اجتماع يوم الخميس",
        "ひらがなとカタカナ",
        "한국어 검색",
        "GPT 的上下文窗口",
        "δοκιμή",
    ],
)
def test_the_local_model_does_not_speak_texts_in_mostly_other_letters(text: str) -> None:
    assert not speaks(LOCAL, text)


@pytest.mark.parametrize(
    "text",
    ["知识管理是一种长期的习惯", "Встреча перенесена", "اجتماع يوم الخميس", "カタカナ", "한국어 검색", "สวัสดี", "When?"],
)
def test_with_the_multilingual_model_more_scripts_are_spoken(text: str) -> None:
    assert speaks(BOTH, text)


@pytest.mark.parametrize("text", ["δοκιμή στα ελληνικά", "שלום עולם", "हिन्दी में खोज"])
def test_and_some_are_still_foreign(text: str) -> None:
    assert not speaks(BOTH, text)


@pytest.mark.parametrize("text", ["", "   ", "2024-03-31", "🚀🔥", "\0\ud800"])
def test_a_text_without_letters_is_spoken(text: str) -> None:
    assert speaks(LOCAL, text)


def test_openai_speaks_every_script() -> None:
    assert speaks(OPENAI, "知识管理是一种长期的习惯")


def test_half_and_half_is_spoken() -> None:
    assert speaks(LOCAL, "ab жд")
    assert not speaks(LOCAL, "ab ждю")


def test_the_local_model_is_at_home_in_english_and_openais_in_every_language() -> None:
    assert masters(LOCAL, "When does the lease end?")
    assert masters(LOCAL, "Mietvertrag 2026")  # nothing tells
    assert not masters(LOCAL, "Wann endet der Vertrag mit dem Vermieter?")
    assert masters(OPENAI, "Wann endet der Vertrag mit dem Vermieter?")
