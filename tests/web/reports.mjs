// SPDX-License-Identifier: Apache-2.0
// Makes reports of small real runs, and opens them in a browser. GRADUS is the path of the program.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { launch, openPage } from './browser.mjs';

export const PG = '#0072b2';
export const GRID = ['max_length=3', 'max_repeats=3', 'bits=2'].map(
  (text) => `repeat_copy.${text}`,
);
export const folder = mkdtempSync(join(tmpdir(), 'gradus-report-'));
export const gradus = (...args) =>
  execFileSync(process.env.GRADUS, args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
let browser;

// Two signals with two seeds each, unless the settings say otherwise.
export function sweep(name, ...settings) {
  const grid = '[sweep]\ngain = ["uniform", "pg"]\nseed = [1, 2]\n';
  writeFileSync(join(folder, 'sweep.toml'), grid);
  const small = ['network.cells=8', 'batch=8', 'optimiser.learning_rate=1e-3'];
  const evaluation = ['evaluation.sequences=8', 'evaluation.all_tasks=true'];
  gradus('sweep', 'sweep.toml', ...small, ...evaluation, ...settings, '--quiet', '--out', name);
}

// Repeat copy with three seeds.
export const sweepCopy = () =>
  sweep('copy', ...GRID, 'steps=40000', 'evaluation.interval=4000', 'seed=[1, 2, 3]');

before(async () => {
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// Opens a report. done() fails if the page logged an error or warning, or used the network.
export async function open(file, options = {}, shown = 'figure .panel svg') {
  const isLocal = (address) => !/^(https?|wss?):/.test(address);
  const { page, complaints, close } = await openPage(browser, isLocal, options);
  await page.goto(`file://${join(folder, file)}`);
  await page.locator(shown).first().waitFor();
  const report = await page.evaluate(() =>
    JSON.parse(document.getElementById('document').textContent),
  );
  return {
    page,
    report,
    done: async () => {
      assert.deepEqual(complaints, []);
      await close();
    },
  };
}

// 12.3k -> 12300
export function parse(text) {
  const [, digits, unit] = /(-?[\d.]+(?:e-?\d+)?)([kMG]?)/.exec(text);
  return Number(digits) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit];
}

// The page shows three or four digits.
export function assertShows(text, value) {
  assert.ok(Math.abs(parse(text) - value) <= 0.006 * Math.abs(value), `${text} is not ${value}`);
}

// Curves are 2 wide, and single runs 0.8; the lines to the names of curves have other widths.
export const curvesOf = (page, figure, colour) =>
  page
    .locator(
      ['2', '0.8']
        .map(
          (width) =>
            `#${figure} .panel path[fill="none"][stroke="${colour}"][stroke-width="${width}"]`,
        )
        .join(),
    )
    .count();
