// SPDX-License-Identifier: Apache-2.0
// Checks the page of `gradus arena`.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { assertShows, gradus, open } from './reports.mjs';

const openArena = (options) => open('arena/arena.html', options, '#arena td');

before(() => {
  const seeds = ['stop.target_loss=0', 'steps=40000', 'evaluation.interval=1000', 'seed=[1, 2, 3]'];
  const settings = [...seeds, 'optimiser.learning_rate=3e-3'];
  const chosen = ['--only', 'stress.scenario=learned,duplicates', '--only', 'curriculum=stress'];
  gradus('arena', '--arm', 'pg+exp3s', ...settings, ...chosen, '--quiet', '--out', 'arena');
});

test('the arena shows the speed-up of every cell, the worst case and the cost', async () => {
  const { page, report, done } = await openArena();
  const [row] = report.rows;
  assert.equal(await page.locator('#arena tbody tr').count(), 1);
  assert.equal(await page.locator('#finding').textContent(), report.finding);
  const heads = await page.locator('#arena thead th').allTextContents();
  assert.deepEqual(heads, ['Arm', 'duplicates', 'learned', 'Worst case', 'Cost of measuring']);
  const cells = page.locator('#arena td');
  for (const [i, cell] of row.cells.entries()) {
    const { ratio, interval } = cell.speedUp;
    const [words, small] = await cells
      .nth(i)
      .evaluate((node) =>
        [...node.querySelectorAll('span, small')].map((part) => part.textContent),
      );
    assertShows(words, ratio);
    assertShows(small, interval[0]);
    assert.equal(await cells.nth(i).getAttribute('class'), cell.verdict);
  }
  assert.match(await cells.nth(2).textContent(), new RegExp(report.columns[row.worst].name));
  assert.match(await cells.nth(3).textContent(), /1 pass/);
  assert.equal(await page.locator('#goals li').count(), 2);
  assert.match(await page.locator('footer').textContent(), /gradus arena --scale demo --arm pg/);
  await done();
});

test('the arena fits a phone, and is dark for dark readers', async () => {
  const phone = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' };
  const { page, done } = await openArena(phone);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${width} pixels wide`);
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, 'rgb(20, 23, 27)');
  await done();
});
