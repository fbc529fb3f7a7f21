// SPDX-License-Identifier: Apache-2.0
// The runs that the server lists, by number, and those that the reader has selected, by name: names
// stay the same when the server starts again.
const STATUSES = ['running', 'failed', 'stopped', 'broken', 'waiting', 'finished'];

export class Runs {
  constructor() {
    this.rows = new Map();
    this.byName = new Map();
    this.selected = new Set(JSON.parse(sessionStorage.getItem('selected') ?? '[]'));
  }

  // Takes what the server has sent. A whole listing replaces everything.
  apply({ runs, gone }, whole) {
    if (whole) this.rows.clear();
    for (const row of runs) this.rows.set(row.n, row);
    for (const number of gone) this.rows.delete(number);
    if (whole || gone.length > 0) {
      this.byName = new Map([...this.rows.values()].map((row) => [row.name, row]));
    } else {
      for (const row of runs) this.byName.set(row.name, row);
    }
  }

  select(names, on) {
    for (const name of names) this.selected[on ? 'add' : 'delete'](name);
    sessionStorage.setItem('selected', JSON.stringify([...this.selected]));
  }

  selectedRows() {
    return [...this.selected].map((name) => this.byName.get(name)).filter(Boolean);
  }

  counts() {
    const counts = new Map(STATUSES.map((status) => [status, 0]));
    for (const { status } of this.rows.values()) counts.set(status, (counts.get(status) ?? 0) + 1);
    return [...counts].filter(([, count]) => count > 0);
  }
}

// The folder of a run: its sweep.
export function groupOf(name) {
  const slash = name.lastIndexOf('/');
  return slash < 0 ? '' : name.slice(0, slash);
}

export const shortName = (name) => name.slice(name.lastIndexOf('/') + 1);

export const inOrder = new Intl.Collator('en', { numeric: true }).compare;

// "0-3,7" for the numbers 0, 1, 2, 3 and 7.
export function ranges(numbers) {
  const parts = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts.map(([a, b]) => (a === b ? a : `${a}-${b}`)).join(',');
}
