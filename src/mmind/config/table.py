"""The one table of knobs: variable, key in the file, default, range, help. Docs and `mmind config` are made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mmind.values.memory import Access
from mmind.values.ranking import Ranking

Default = str | float | bool | tuple[str, ...] | Access

STORES = ("markdown", "sqlite", "leveldb", "files", "vector")
BACKENDS = {"sqlite": "backend_structured", "leveldb": "backend_session", "vector": "backend_vector"}
"""The knob that chooses the engine of a store. The other stores have one engine each, of their own name."""


class Kind(Enum):
    """What a knob holds. `value` is how the docs and the error messages call it."""

    PATH = "a path"
    TEXT = "text"
    URL = "a URL"
    CHOICE = "one of a list"
    ACCESS = "read or read/write"
    NUMBER = "a number"
    SWITCH = "on or off"
    PATTERNS = "glob patterns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One thing that can be set.

    `env` is its variable and `file_key` its dotted key in `config.toml` ("" where the file may not hold it).
    `choices` are the legal words of a CHOICE and the legal schemes of a URL; `minimum` and `maximum` (inclusive) bound
    a NUMBER. A `secret` comes from the environment alone and is never shown. `default_note` describes a default that
    is not a plain value (a path below the data home, "off"). An ACCESS with `read_only_because`
    stays `read` whatever is asked for, and a note says why.
    """

    name: str
    section: str
    kind: Kind
    env: str
    file_key: str = ""
    default: Default = ""
    default_note: str = ""
    minimum: float = 0.0
    maximum: float = 0.0
    choices: tuple[str, ...] = ()
    secret: bool = False
    read_only_because: str = ""
    help: str

    @property
    def key(self) -> str:
        """How people name it: the file's key, or the variable where the file may not hold it."""
        return self.file_key or self.env


def _place(name: str, section: str, below_home: str, help: str) -> Knob:
    """A folder or file that lies below the data home unless it is moved."""
    return Knob(
        name=f"{name}_path",
        section=section,
        kind=Kind.PATH,
        env=f"MMIND_{name.upper()}_PATH",
        file_key=f"paths.{name}",
        default=below_home,
        default_note=f"`~/.mmind/{below_home}`",
        help=help,
    )


def _backend(slot: str, choices: tuple[str, ...], help: str) -> Knob:
    return Knob(
        name=f"backend_{slot}",
        section="Engines",
        kind=Kind.CHOICE,
        env=f"MMIND_BACKEND_{slot.upper()}",
        file_key=f"backends.{slot}",
        default=choices[0],
        choices=choices,
        help=help,
    )


def _server(engine: str, schemes: tuple[str, ...], help: str) -> Knob:
    return Knob(
        name=f"{engine}_url",
        section="Engines",
        kind=Kind.URL,
        env=f"MMIND_{engine.upper()}_URL",
        choices=schemes,
        secret=True,
        help=help,
    )


def _token(name: str, help: str) -> Knob:
    return Knob(
        name=name,
        section="Safety",
        kind=Kind.TEXT,
        env=f"MMIND_{name.upper()}",
        secret=True,
        default_note="unset; `mmind serve --http` makes one at the first start",
        help=help,
    )


def _access(store: str, default: Access, help: str, read_only_because: str = "") -> Knob:
    return Knob(
        name=f"access_{store}",
        section="Access",
        kind=Kind.ACCESS,
        env=f"MMIND_ACCESS_{store.upper()}",
        file_key=f"access.{store}",
        default=default,
        read_only_because=read_only_because,
        help=help,
    )


def _weight(name: str, default: float, bounds: tuple[float, float], help: str) -> Knob:
    return Knob(
        name=name,
        section="Ranking",
        kind=Kind.NUMBER,
        env=f"MMIND_RANK_{name.upper()}",
        file_key=f"ranking.{name}",
        default=default,
        minimum=bounds[0],
        maximum=bounds[1],
        help=help,
    )


def _half_life(store: str, days: float, reason: str) -> Knob:
    return Knob(
        name=f"half_life_{store}",
        section="Ranking",
        kind=Kind.NUMBER,
        env=f"MMIND_RANK_HALFLIFE_{store.upper()}",
        file_key=f"ranking.half_life_days.{store}",
        default=days,
        minimum=0.01,
        maximum=1_000_000,
        help=f"Days until the freshness of a memory in `{store}` has halved. {reason}",
    )


_RANKING = Ranking()  # the defaults stand there; this table adds variable, range and help

_PLACES = (
    Knob(
        name="home",
        section="Places",
        kind=Kind.PATH,
        env="MMIND_HOME",
        default="~/.mmind",
        default_note="`~/.mmind`",
        help="The data home: the saved file, the index, and every store that has no path of its own.",
    ),
    Knob(
        name="vault_path",
        section="Places",
        kind=Kind.PATH,
        env="MMIND_VAULT_PATH",
        file_key="paths.vault",
        default_note="the first argument of the command; without one the markdown store is off",
        help="The folder of Markdown notes, read in place and never changed. The variable beats the argument, and the "
        "argument beats the file.",
    ),
    _place("sqlite", "Places", "memory.db", "The SQLite file that keeps structured memories."),
    _place("leveldb", "Places", "leveldb", "The LevelDB folder that keeps the state of sessions."),
    _place("files", "Places", "files", "The folder that keeps documents, with their metadata beside them."),
    _place("vector", "Places", "vector-index", "The folder of the local vector store."),
    _place("audit", "Places", "audit", "The folder of the audit log. It can be moved; it cannot be turned off."),
)

_VAULT = (
    Knob(
        name="vault_generated",
        section="Vault",
        kind=Kind.PATTERNS,
        env="MMIND_VAULT_GENERATED",
        file_key="vault.generated",
        default=(),
        help="Notes in the vault that agents wrote, as globs relative to it (`agents/**`). They get the trust of "
        "generated memories.",
    ),
    Knob(
        name="vault_ignore",
        section="Vault",
        kind=Kind.PATTERNS,
        env="MMIND_VAULT_IGNORE",
        file_key="vault.ignore",
        default=(),
        help="Notes and folders to leave out, as globs relative to the vault (`archive/**`). Folders whose names "
        "start with a dot are always left out.",
    ),
    Knob(
        name="vault_follow_links",
        section="Vault",
        kind=Kind.SWITCH,
        env="MMIND_VAULT_FOLLOW_LINKS",
        file_key="vault.follow_links",
        default=False,
        help="Whether symbolic links that lead out of the vault are followed.",
    ),
)

_ENGINES = (
    _backend("structured", ("sqlite", "postgres", "mysql"), "The engine behind the `sqlite` store."),
    _backend(
        "vector", ("local", "pgvector", "qdrant"), "The engine behind the `vector` store; `vectra` means `local`."
    ),
    _backend("session", ("leveldb", "redis"), "The engine behind the `leveldb` store."),
    _server("postgres", ("postgresql", "postgres"), "Where Postgres is, for `postgres` and `pgvector`."),
    _server("mysql", ("mysql", "mariadb"), "Where MySQL or MariaDB is."),
    _server("redis", ("redis", "rediss", "unix"), "Where Redis is."),
    _server("qdrant", ("http", "https"), "Where Qdrant is."),
)

_ACCESS = (
    _access(
        "markdown",
        Access.READ,
        "What may be done with the vault: read it. `read/write` is refused, as this version cannot write notes.",
        read_only_because="mmind reads the vault and has no way to write notes in this version",
    ),
    _access("sqlite", Access.READ_WRITE, "What agents may do with the structured store."),
    _access("leveldb", Access.READ_WRITE, "What agents may do with the session store."),
    _access("files", Access.READ_WRITE, "What agents may do with the documents."),
    _access("vector", Access.READ_WRITE, "What agents may do with the semantic store."),
)

_WEIGHTS = (
    _weight("semantic_weight", _RANKING.semantic_weight, (0, 1), "The share of meaning (embeddings) in the relevance."),
    _weight("lexical_weight", _RANKING.lexical_weight, (0, 1), "The share of words (BM25) in the relevance."),
    _weight(
        "recency_floor",
        _RANKING.recency_floor,
        (0, 1),
        "What is left of an old memory's score at least; at 1 age counts nothing.",
    ),
    _weight("trust_curated", _RANKING.trust_curated, (0.1, 3), "The multiplier for what the user wrote or filed."),
    _weight("trust_generated", _RANKING.trust_generated, (0.1, 3), "The multiplier for what an agent wrote."),
    _weight(
        "corroboration_boost",
        _RANKING.corroboration_boost,
        (0, 1),
        "The bonus for each further independent store that agrees; the sum is capped.",
    ),
    _weight(
        "duplicate_threshold",
        _RANKING.duplicate_threshold,
        (0.5, 1),
        "The share of common tokens from which two passages count as one.",
    ),
    Knob(
        name="conflict_detection",
        section="Ranking",
        kind=Kind.SWITCH,
        env="MMIND_RANK_CONFLICT_DETECTION",
        file_key="ranking.conflict_detection",
        default=_RANKING.conflict_detection,
        help="Whether answers say when two memories contradict each other.",
    ),
    _half_life("markdown", 1095, "Notes are kept because they stay true: three years."),
    _half_life("sqlite", 365, "Facts and decisions that agents keep go out of date with the year's work: one year."),
    _half_life("leveldb", 7, "What a session was doing matters for days: one week."),
    _half_life("files", 730, "Documents are filed on purpose and age more slowly than notes of agents: two years."),
    _half_life("vector", 365, "Loose memories of agents, as in `sqlite`: one year."),
)

_EMBEDDINGS = (
    Knob(
        name="embed_model",
        section="Embeddings",
        kind=Kind.TEXT,
        env="MMIND_EMBED_MODEL",
        file_key="embeddings.model",
        default="auto",
        help="`auto` takes OpenAI when there is a key and the packaged models otherwise (all-MiniLM-L6-v2 for English, "
        "Universal Sentence Encoder for other languages); `local` never asks OpenAI; `all-MiniLM-L6-v2` is the English "
        "one alone (120 MB less memory where notes are in several languages); `none` answers by words alone; an OpenAI "
        "model's name, or the path of a local model, takes that one.",
    ),
    Knob(
        name="openai_api_key",
        section="Embeddings",
        kind=Kind.TEXT,
        env="OPENAI_API_KEY",
        secret=True,
        help="When set, texts are sent to OpenAI for embeddings (`text-embedding-3-small`). Without it nothing leaves "
        "the machine.",
    ),
    Knob(
        name="openai_base_url",
        section="Embeddings",
        kind=Kind.URL,
        env="OPENAI_BASE_URL",
        choices=("https", "http"),
        default_note="OpenAI's own address",
        help="Another server that speaks OpenAI's API; it is asked only when there is a key.",
    ),
)

_RUNNING = (
    Knob(
        name="log_level",
        section="Running",
        kind=Kind.CHOICE,
        env="MMIND_LOG_LEVEL",
        file_key="log.level",
        default="warning",
        choices=("debug", "info", "warning", "error"),
        help="How much is said on standard error.",
    ),
)

_SAFETY = (
    Knob(
        name="allow_secrets",
        section="Safety",
        kind=Kind.SWITCH,
        env="MMIND_ALLOW_SECRETS",
        file_key="safety.allow_secrets",
        default=False,
        help="Whether memories may hold what looks like a key, token or password. Off: `store` refuses them and says "
        "why.",
    ),
    Knob(
        name="audit_content",
        section="Safety",
        kind=Kind.CHOICE,
        env="MMIND_AUDIT_CONTENT",
        file_key="audit.content",
        default="none",
        choices=("none", "queries", "full"),
        help="Which texts the audit log keeps beside ids, sizes and keyed hashes: none, the questions, or questions "
        "and what is stored. What looks like a secret is masked in all of them.",
    ),
    Knob(
        name="audit_keep_days",
        section="Safety",
        kind=Kind.NUMBER,
        env="MMIND_AUDIT_KEEP_DAYS",
        file_key="audit.keep_days",
        default=0,
        minimum=0,
        maximum=36_500,
        help="After how many days the oldest files of the audit log are deleted, whole ones and told in the log; 0 "
        "keeps them for ever.",
    ),
    Knob(
        name="audit_segment_mb",
        section="Safety",
        kind=Kind.NUMBER,
        env="MMIND_AUDIT_SEGMENT_MB",
        file_key="audit.segment_mb",
        default=16,
        minimum=0.01,
        maximum=1024,
        help="From how many megabytes on the audit log goes on in a new file (it does so after 31 days as well).",
    ),
    _token("http_token", "What a client of `mmind serve --http` shows to search and to store: 43 characters or more."),
    _token("http_read_token", "The same for a client that may search and read only."),
)

KNOBS: tuple[Knob, ...] = (*_PLACES, *_VAULT, *_ENGINES, *_ACCESS, *_WEIGHTS, *_EMBEDDINGS, *_RUNNING, *_SAFETY)

KNOB_BY_NAME = {knob.name: knob for knob in KNOBS}
KNOB_BY_ENV = {knob.env: knob for knob in KNOBS}
KNOB_BY_FILE_KEY = {knob.file_key: knob for knob in KNOBS if knob.file_key}
