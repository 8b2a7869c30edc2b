"""Runs the parts of a campaign: here, on local processes, or on a Dask cluster."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import as_completed as futures_done
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from cryptile.errors import CryptileError, UsageError
from cryptile.faults import campaign, store
from cryptile.faults.campaign import Campaign, Question

_QUESTION = "campaign.json"


@dataclass(frozen=True)
class Where:
    """Who computes: threads of this process, so many other processes, or the cluster at an address.

    The compiled machine runs beside Python, so threads are as quick and start at once; processes
    can be killed.
    """

    workers: int | None = None
    scheduler: str | None = None


OnPart = Callable[[int, dict[str, float]], None]
"""Hears of every part that is there: its number and what it cost; no cost for an earlier one."""


def run(what: Campaign, folder: Path, where: Where, resume: bool, on_part: OnPart) -> float:
    """Run all parts that are not there yet and return the seconds that all of them took.

    For parts of an earlier run that is their computing time, shared by as many workers as now.

    Args:
        what: the campaign.
        folder: where the results of parts go.
        where: who computes.
        resume: keep parts that an earlier run has left; otherwise all are run again.
        on_part: hears of every part that is there.

    Raises:
        UsageError: the folder holds the results of another campaign.
    """
    _claim(what, folder, resume)
    missing, earlier = [], 0.0
    for index in range(len(what.parts)):
        if store.path(folder, index).is_file():
            earlier += store.cost(store.path(folder, index))["seconds"]
            on_part(index, {})
        else:
            missing.append(index)
    started = time.perf_counter()
    if missing and where == Where():
        _in_threads(what.question, missing, folder, on_part)
    elif missing:
        _on_cluster(what.question, missing, folder, where, on_part)
    return time.perf_counter() - started + earlier / (where.workers or os.cpu_count() or 1)


def _claim(what: Campaign, folder: Path, resume: bool) -> None:
    file = folder / _QUESTION
    asked = {"key": what.key, **{k: str(v) for k, v in asdict(what.question).items()}}
    if file.is_file():
        try:
            found = json.loads(file.read_text())["key"]
        except (ValueError, KeyError) as error:
            raise UsageError(f"{file} is damaged: delete {folder}") from error
        if resume and found != what.key:
            raise UsageError(f"{folder} holds another campaign: drop --resume, or name another")
        if not resume:
            for part in folder.glob("part-*"):
                part.unlink()
    elif folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{folder} holds other files")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(asked, indent=1) + "\n")


def _part(question: Question, index: int) -> pa.Table:
    what = campaign.prepare(question)
    part = what.parts[index]
    first_bin = (part.first - what.first) // part.bin_cycles
    return store.table(campaign.run_part(question, index), part, first_bin)


def _keep(folder: Path, index: int, result: pa.Table, on_part: OnPart) -> None:
    store.write(result, folder, index)
    on_part(index, store.cost(store.path(folder, index)))


def _in_threads(question: Question, missing: list[int], folder: Path, on_part: OnPart) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            futures = {pool.submit(_part, question, index): index for index in missing}
            for future in futures_done(futures):
                _keep(folder, futures[future], future.result(), on_part)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _on_cluster(
    question: Question, missing: list[int], folder: Path, where: Where, on_part: OnPart
) -> None:
    # Imported here, because that takes a second.
    from dask import distributed

    made: Any = distributed

    with _client(where, folder, len(missing)) as client:
        futures = {
            client.submit(_part, question, index, key=f"{folder.name}-{index}", pure=False): index
            for index in missing
        }
        for future in made.as_completed(futures):
            if future.status != "finished":
                raise CryptileError(f"part {futures[future]} failed: {future.exception()}")
            _keep(folder, futures[future], future.result(), on_part)
            future.release()


@contextmanager
def _client(where: Where, folder: Path, parts: int) -> Iterator[Any]:
    import dask
    from dask import distributed

    # It declares no types.
    made: Any = distributed

    dask.config.set({"distributed.worker.daemon": True})
    if where.scheduler is not None:
        try:
            client = made.Client(where.scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise UsageError(f"--scheduler {where.scheduler}: no answer ({error})") from error
        with client:
            yield client
        return
    scratch = folder / "scratch"
    with (
        made.LocalCluster(
            n_workers=min(where.workers or 1, parts),
            threads_per_worker=1,
            dashboard_address=None,
            local_directory=str(scratch),
            silence_logs="ERROR",
            host="127.0.0.1",
        ) as cluster,
        made.Client(cluster) as client,
    ):
        try:
            yield client
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
