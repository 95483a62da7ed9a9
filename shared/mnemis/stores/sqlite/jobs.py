"""The queue of jobs inside ``mnemis.db``; each function runs inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from mnemis.model.change import Job, Scope
from mnemis.stores.codec import decode_scope


def list_jobs(connection: sqlite3.Connection, *, scope: Scope | None) -> tuple[Job, ...]:
    """All jobs, oldest first."""
    return tuple(job for job in _read(connection) if scope in (None, job.scope))


def claim(
    connection: sqlite3.Connection,
    *,
    owner: str,
    now: datetime,
    lease: timedelta,
    scope: Scope | None,
) -> Job | None:
    """Give the oldest free job to ``owner``."""
    jobs = tuple(_read(connection))
    busy = {job.scope for job in jobs if _held(job, now)}
    for job in jobs:
        if job.status == "failed" or job.scope in busy or scope not in (None, job.scope):
            continue
        taken = replace(
            job, status="running", attempts=job.attempts + 1, leased_until=now + lease, owner=owner
        )
        connection.execute(
            "UPDATE jobs SET status = 'running', attempts = ?, leased_until = ?, owner = ?"
            " WHERE row = ?",
            (taken.attempts, (now + lease).isoformat(), owner, _row(job)),
        )
        return taken
    return None


def requeue(connection: sqlite3.Connection) -> None:
    """Put back what was running: who holds the folder's lock knows that its owner is gone."""
    connection.execute(
        "DELETE FROM jobs WHERE status = 'running' AND EXISTS (SELECT 1 FROM jobs AS waiting"
        " WHERE waiting.scope = jobs.scope AND waiting.kind = jobs.kind"
        " AND waiting.status = 'queued')"
    )
    connection.execute(
        "UPDATE jobs SET status = 'queued', leased_until = NULL, owner = ''"
        " WHERE status = 'running'"
    )


def renew(connection: sqlite3.Connection, job: Job, *, now: datetime, lease: timedelta) -> bool:
    """Prolong a lease; False when the job is somebody else's or gone."""
    cursor = connection.execute(
        "UPDATE jobs SET leased_until = ?"
        " WHERE row = ? AND owner = ? AND attempts = ? AND status = 'running'",
        ((now + lease).isoformat(), _row(job), job.owner, job.attempts),
    )
    return cursor.rowcount == 1


def finish(connection: sqlite3.Connection, job: Job, *, error: str) -> None:
    """Remove a job or keep it as failed; nothing when it is somebody else's."""
    key = (_row(job), job.owner, job.attempts)
    if error:
        connection.execute(
            "UPDATE jobs SET status = 'failed', leased_until = NULL, error = ?"
            " WHERE row = ? AND owner = ? AND attempts = ?",
            (error, *key),
        )
    else:
        connection.execute("DELETE FROM jobs WHERE row = ? AND owner = ? AND attempts = ?", key)


def _read(connection: sqlite3.Connection) -> Iterator[Job]:
    rows = connection.execute(
        "SELECT jobs.row, labels, kind, status, attempts, queued_at, leased_until, owner, error"
        " FROM jobs JOIN scopes ON scopes.id = jobs.scope ORDER BY jobs.row"
    ).fetchall()
    for row, labels, kind, status, attempts, queued_at, leased_until, owner, error in rows:
        yield Job(
            id=f"job:{row}",
            scope=decode_scope(labels),
            kind=kind,
            status=status,
            attempts=attempts,
            queued_at=datetime.fromisoformat(queued_at),
            leased_until=None if leased_until is None else datetime.fromisoformat(leased_until),
            owner=owner,
            error=error,
        )


def _held(job: Job, now: datetime) -> bool:
    return job.status == "running" and job.leased_until is not None and job.leased_until > now


def _row(job: Job) -> int:
    number = job.id.removeprefix("job:")
    return int(number) if number.isdecimal() else -1
