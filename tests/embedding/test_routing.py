from __future__ import annotations

import pytest

from mmind.embedding.routing import Reader, reader_of


@pytest.mark.parametrize(
    "text",
    [
        "",
        "42",
        "When does the lease end?",
        "git rebase --interactive HEAD~3",
        "I prefer environment variables over constants for configuration.",
        "Met Söhnke Brüning and Zoë in Łódź; they want to see the flat on Friday.",
        "café",
        "> Show the version.\n> More information: <https://example.com/docs/en/os/com/po/de>.",
        "The café serves crème brûlée and the menu is on the naïve side.",
        "def naïve(größe): return größe  # the size of it as a number",
        "इस पन्ने में systemctl restart nginx समझाया गया है",  # Hindi, which neither reads
        "CACM August, 1958 Strong, J. Wegstein, J. Tritter, A. Mock, O. Steel, T.",
    ],
)
def test_english_is_read_by_the_english_model(text: str) -> None:
    assert reader_of(text) is Reader.ENGLISH


@pytest.mark.parametrize(
    "text",
    [
        "Wann endet der Vertrag mit dem Vermieter?",
        "Wer ist der General Manager der Broncos?",
        "Où sont les clés de la voiture ?",
        "La cita con el médico es a las nueve.",
        "Il dottore arriva alle nove.",
        "De huur is negentig euro per maand.",
        "Hasło do komputera leży w szufladzie Zośki, obok paszportów.",
        "Toplantı perşembe günü saat dokuzda başlıyor.",
        "Пароль лежит в сейфе.",
        "会议改到了星期四",
        "サーバーの再起動 `systemctl restart nginx`",
        "إعادة تشغيل الخادم: systemctl restart nginx",
    ],
)
def test_other_languages_are_read_by_the_other_model(text: str) -> None:
    assert reader_of(text) is Reader.OTHERS


@pytest.mark.parametrize("text", ["Kaffeemaschine entkalken", "Apfelbaum", "Hauptbahnhof Gleis", "Bcrx sjdk"])
def test_what_may_be_a_name_or_a_word_of_another_language_is_read_by_both(text: str) -> None:
    assert reader_of(text) is Reader.BOTH


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert reader_of("The cat sleeps. " * 300 + "Der Hund und die Katze. " * 3000) is Reader.ENGLISH
