"""The program ends when nobody looks for a while, and not before."""

from __future__ import annotations

import asyncio

from mmind.page.watch import Watch


def test_when_the_last_line_is_closed_it_ends() -> None:
    async def closed() -> list[str]:
        ended = asyncio.Event()
        watch = Watch(ended.set, grace_seconds=0.01)
        line = watch.line()
        await anext(line)
        await line.aclose()
        await asyncio.wait_for(ended.wait(), 60)
        return ["ended"]

    assert asyncio.run(closed()) == ["ended"]


def test_a_line_that_is_opened_in_time_calls_the_end_off() -> None:
    async def reloaded() -> bool:
        ended = asyncio.Event()
        watch = Watch(ended.set, grace_seconds=0.01)
        first = watch.line()
        await anext(first)
        await first.aclose()
        second = watch.line()
        await anext(second)  # before the loop runs the end that was called for
        await anext(second)  # a whole beat: much longer than the grace
        return ended.is_set()

    assert not asyncio.run(reloaded())


def test_one_of_two_windows_may_be_closed() -> None:
    async def halved() -> bool:
        ended = asyncio.Event()
        watch = Watch(ended.set, grace_seconds=0.01)
        first, second = watch.line(), watch.line()
        await anext(first)
        await anext(second)
        await first.aclose()
        await anext(second)
        return ended.is_set()

    assert not asyncio.run(halved())
