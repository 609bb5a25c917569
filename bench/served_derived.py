"""The servers that `index.db` searches, filled in bulk through their own drivers, and then indexed as a user would.

The first memory goes in through the engine, which makes what it needs; the others are written as the engine writes
them, many at a time. Indexing reads them back through the engine, so that a row it cannot read would be missed.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pymysql
import redis
from bench.served_fill import Clustered, in_batches, memories
from qdrant_client import QdrantClient, models

from mmind.router.retrieve import World
from mmind.stores.mysql_login import login_of
from mmind.stores.mysql_schema import MEMORY_COLUMNS
from mmind.stores.qdrant import point_of
from mmind.stores.rows import fields_of
from mmind.stores.server_address import address_of
from mmind.values.memory import Memory
from mmind.values.ports import Progress

if TYPE_CHECKING:
    from bench.served_places import Place

AN_HOUR_MS = 3_600_000  # what Qdrant holds was written so long ago; what was written just now is looked at each time
POINTS = 500  # a request to Qdrant
VARIABLE = "the URL"  # in errors; the private servers' URLs stand in no variable

Batches = Iterable[Sequence[Memory]]


def fill_derived(place: Place, count: int, world: World, model: Clustered) -> None:
    """Fill the server of a place and index it; raises SystemExit when not all of it was found there again."""
    engine = world.stores[place.store].engine
    assert engine is not None
    if engine.health().entries < count:
        given = (replace(memory, store=place.store) for memory in memories(count))
        engine.put(next(given))
        FILLS[place.engine](place.store, place.url, in_batches(given), model)
        print(f"  {place.engine} {count:,}", file=sys.stderr, flush=True)
    world.indexer.complete(_told, rebuild=False)
    level = world.indexer.freshness()[place.store]
    if (level.entries, level.pending_words, level.pending_vectors) != (count, 0, 0):
        raise SystemExit(f"{place.engine} was not indexed whole: {level}")


def _told(progress: Progress) -> None:
    if progress.done and progress.done % 50_000 == 0:
        print(f"  {progress.store} {progress.phase} {progress.done:,}", file=sys.stderr, flush=True)


def _fill_mysql(store: str, url: str, batches: Batches, _: Clustered) -> None:
    columns = ("store", *MEMORY_COLUMNS, "revision", "edited")
    places = ", ".join(["%s"] * len(columns))
    insert = f"INSERT INTO mmind_memories({', '.join(columns)}) VALUES ({places})"
    revision = 1
    with (
        closing(pymysql.connect(**login_of(address_of(url, 3306, VARIABLE)))) as connection,
        connection.cursor() as cursor,
    ):
        for batch in batches:
            numbered = enumerate(batch, revision + 1)
            cursor.executemany(insert, [[store, *_row(memory), number, None] for number, memory in numbered])
            revision += len(batch)
        cursor.execute("UPDATE mmind_stores SET revision = %s, entries = %s WHERE store = %s", [revision] * 2 + [store])
        connection.commit()


def _row(memory: Memory) -> list[object]:
    fields: dict[str, object] = {"id": memory.id, **fields_of(memory)}
    values = (fields[name] for name in MEMORY_COLUMNS)
    return [json.dumps(value) if isinstance(value, list) else value for value in values]


def _fill_redis(store: str, url: str, batches: Batches, _: Clustered) -> None:
    name = f"mmind:{{{store}}}:"
    revision = 1
    with closing(redis.Redis.from_url(url)) as client:
        for batch in batches:
            pipeline = client.pipeline()
            pipeline.mset({f"{name}memory:{one.id}": json.dumps({"mmind": 1, **fields_of(one)}) for one in batch})
            pipeline.zadd(f"{name}live", {one.id: number for number, one in enumerate(batch, revision + 1)})
            revision += len(batch)
            pipeline.hset(f"{name}head", "revision", str(revision))
            pipeline.execute()


def _fill_qdrant(store: str, url: str, batches: Batches, model: Clustered) -> None:
    address = address_of(url, 6333, VARIABLE)
    options: Mapping[str, str] = address.options
    collection = f"{options.get('collection_prefix', 'mmind_')}{store}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the key goes to our own machine only
        client = QdrantClient(
            host=address.host,
            port=address.port,
            https=address.scheme == "https",
            api_key=address.password or None,
            timeout=600,
            check_compatibility=False,
        )
    with closing(client):
        (vector,) = client.get_collection(collection).config.params.vectors or {}
        then = time.time_ns() // 1_000_000 - AN_HOUR_MS
        for batch in batches:
            made = model.embed([memory.text for memory in batch]).tolist()
            points = [point_of(memory, then) for memory in batch]
            ready = [
                models.PointStruct(id=point, payload=payload, vector={vector: values})
                for (point, payload), values in zip(points, made, strict=True)
            ]
            for start in range(0, len(ready), POINTS):
                client.upsert(collection, ready[start : start + POINTS], wait=True)


FILLS: Mapping[str, Callable[[str, str, Batches, Clustered], None]] = {
    "mysql": _fill_mysql,
    "redis": _fill_redis,
    "qdrant": _fill_qdrant,
}
