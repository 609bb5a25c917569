"""What a text states as a password in plain words is found; what only speaks of passwords is not."""

from __future__ import annotations

import pytest

from mmind.text.secrets import find_secrets, redacted
from mmind.text.stated import stated

TWELVE = "".join(f"\n{number}. {word}" for number, word in enumerate(["abandon", "ability", "able"] * 4, 1))
STATES = {
    "the password is hunter2": ["hunter2"],
    "password: Tr0ub4dor&3, since May": ["Tr0ub4dor&3"],
    "password for the NAS is k9!mmxQ": ["k9!mmxQ"],
    "password (guest) = k9mmxQ77": ["k9mmxQ77"],
    "my old password was qwert99z.": ["qwert99z"],
    "password: v1nyl4ever": ["v1nyl4ever"],
    "DB_PASSWORD=hunter2x": ["hunter2x"],
    '{"user": "bob", "password": "b0bsecure"}': ["b0bsecure"],
    "**Password:** k9mmxQ77": ["k9mmxQ77"],
    "| password | k9mmxQ77 |": ["k9mmxQ77"],
    "Das Passwort lautet Sonne2024": ["Sonne2024"],
    "mot de passe : chat1234": ["chat1234"],
    "contraseña: gato1234": ["gato1234"],
    # one after the other
    "password 1: abc / password 2: def": ["abc", "def"],
    "Password 1: swordfish\nPassword 2: sesame\n": ["swordfish", "sesame"],
    "password #1 = apple, password #2 = pear": ["apple", "pear"],
    "pin 1: 1234, pin 2: 9876": ["1234", "9876"],
    # over several lines
    "username: bob\npassword:\n  k9mmxQ77\n": ["k9mmxQ77"],
    "Password:\n\n```\nk9mmxQ77\n```": ["k9mmxQ77"],
    "recovery codes:\n1. a1b2c-3d4e5\n2. f6g7h-8i9j0\n": ["\n1. a1b2c-3d4e5\n2. f6g7h-8i9j0"],
    f"seed phrase:{TWELVE}": [TWELVE],
    # drawn out
    "my pin is 1 2 3 4": ["1 2 3 4"],
    "PIN code: 8-3-1-9": ["8-3-1-9"],
    "the password is h u n t e r 2": ["h u n t e r 2"],
    "backup codes: 1234 5678 8765 4321": [" 1234 5678 8765 4321"],
    "CVV: 472": ["472"],
}
STATES_NONE = [
    "The password of the router is on the note inside the cellar door.",
    "password: ask Anna, she keeps it in the vault",
    "password 1: the one for the bank / password 2: the one for mail",
    "Password 1: required\nPassword 2: optional\n",
    "the password is case-sensitive, and 16-character long",
    "password: 8 characters minimum, 1 digit",
    "password policy: 12 characters",
    "password: string\nuser: int\n",
    "The password was changed on 2024-05-01T10:00Z, by v2.3.1",
    "password = os.environ['DB1']; password=config.db1.password; password: ${PW1x}; password={{ vault.db1 }}",
    "We store passwords as argon2id, the old password: sha256",
    "password: see 1Password, or https://vault.example.org/x1",
    "download with a user and password:\n\n`aria2c --ftp-user name`",
    "pin 13 is high, pin 1: 3300 mV, pin 2: 5000 mV",
    "the pin is 4 digits; the default PIN is 0000",
    "PIN: 2024-05-01",
    "pin the version: 1.2.3.4",
    "recovery codes: keep them in the safe, 2 for each person",
    "The seed phrase is kept in the bank, ask Maria for the key to it",
    "Reset the password: 1. open settings 2. click",
]


@pytest.mark.parametrize("text", STATES)
def test_a_stated_secret_is_found_with_exactly_its_value(text: str) -> None:
    assert [text[one.start : one.end] for one in sorted(stated(text), key=lambda one: one.start)] == STATES[text]
    assert find_secrets(text)
    assert not any(value in redacted(text) for value in STATES[text])


@pytest.mark.parametrize("text", STATES_NONE)
def test_what_only_speaks_of_secrets_states_none(text: str) -> None:
    assert list(stated(text)) == []


def test_a_secret_known_by_its_format_and_by_its_label_is_told_once_by_its_format() -> None:
    text = "password: ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"
    assert [secret.kind for secret in find_secrets(text)] == ["named secret"]
