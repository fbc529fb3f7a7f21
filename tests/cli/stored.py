# SPDX-License-Identifier: Apache-2.0
"""Reads run folders by their documented schema, with Python's sqlite3 module, and reports."""

import json
import re
import sqlite3
from pathlib import Path


def rows(folder, query):
    """The rows of a query on the database of a run, as dicts."""
    connection = sqlite3.connect(f"file:{folder}/run.db?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in connection.execute(query)]
    finally:
        connection.close()


def metrics(folder):
    return rows(folder, "SELECT * FROM metrics ORDER BY steps")


def evaluations(folder):
    """How many evaluations are stored by now."""
    try:
        return len(metrics(folder))
    except sqlite3.OperationalError:  # there is no database yet
        return 0


def results(folder):
    """Everything that must be bit-identical, however often a run was interrupted."""
    tables = [
        rows(folder, f"SELECT * FROM {table} ORDER BY steps")
        for table in ["metrics", "task_metrics"]
    ]
    log = folder / "rewards.csv"
    rewards = log.read_bytes() if log.exists() else None
    return json.dumps(tables), last_weights(folder).read_bytes(), rewards


def best_network(folder):
    """The name of the checkpoint with the best network, and its weights."""
    [best] = (folder / "checkpoints").glob("best-*")
    return best.name, (best / "weights.safetensors").read_bytes()


def last_weights(folder):
    return sorted((folder / "checkpoints").glob("step-*"))[-1] / "weights.safetensors"


def document(page):
    """The data of a report."""
    text = Path(page).read_text(encoding="utf-8")
    return json.loads(re.search(r'id="document">(.*?)</script>', text, re.DOTALL)[1])
