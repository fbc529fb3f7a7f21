// SPDX-License-Identifier: Apache-2.0
// Texts for the numbers of a run.
import { number, steps } from '../../report/src/format.js';

// 0:07, 1:02:03, 3 d 4 h
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return '–';
  const whole = Math.round(seconds);
  const hours = Math.floor(whole / 3600);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  const two = (value) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(whole % 60)}`
    : `${minutes}:${two(whole % 60)}`;
}

export const rate = (row) => (row.rate > 0 ? `${steps(row.rate)}/s` : '–');

export const share = (row) => (row.total > 0 ? Math.min(1, (row.steps ?? 0) / row.total) : 0);

// How far a run is: "2M of 10M"; only "2M" if its length is not known.
export const progress = (row) =>
  row.total === 0 ? steps(row.steps) : `${steps(row.steps)} of ${steps(row.total)}`;

// The held-out loss: of the target if there is one, or else the mean.
export function heldOut(row) {
  if (row.target !== null && row.target !== undefined) return { value: row.target, of: 'target' };
  return { value: row.mean ?? null, of: 'mean' };
}

export const loss = (value) => (value === null || value === undefined ? '–' : number(value));
