// SPDX-License-Identifier: Apache-2.0
// Formats numbers for readers.

// At most four digits: 0.0123, 12.3, 1.20e-7.
export function number(value) {
  if (value === null || value === undefined) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) return value.toExponential(2).replace('e+', 'e');
  return String(Number(value.toPrecision(size >= 1000 ? 4 : 3)));
}

// Beside an axis: short enough for every value, 0.001, 250, 25k, 1.5M.
export function axisNumber(value) {
  return Math.abs(value) < 1e4 ? number(value) : (value < 0 ? '-' : '') + steps(Math.abs(value));
}

// Input steps: 950, 12.3k, 1.25M, 1.1G.
export function steps(value) {
  if (value === null || value === undefined) return '–';
  for (const [unit, size] of [
    ['G', 1e9],
    ['M', 1e6],
    ['k', 1e3],
  ]) {
    if (value >= size) return Number((value / size).toPrecision(3)) + unit;
  }
  return String(Math.round(value));
}

export function spread(mean, deviation, show = number) {
  if (mean === null || mean === undefined) return '–';
  if (deviation === null || deviation === undefined) return show(mean);
  return `${show(mean)} ± ${show(deviation)}`;
}

// target loss (nats per output) -> target loss
export function withoutUnit(label) {
  return label.replace(/ \(.*/, '');
}

export function plural(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export function escape(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return String(text).replace(/[&<>"]/g, (c) => entities[c]);
}
