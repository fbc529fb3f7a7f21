// SPDX-License-Identifier: Apache-2.0
// Checks what reports of small real runs show beside their figures: the table, the texts, the footer.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import {
  assertShows,
  curvesOf,
  folder,
  gradus,
  GRID,
  open,
  PG,
  sweep,
  sweepCopy,
} from './reports.mjs';

const TITLE = 'A test </script><b>';

before(() => {
  sweepCopy();
  gradus('report', 'copy', '-o', 'over-pg.html', '--baseline', 'pg', '--threshold', '1.5');
  const two = ['uniform', 'pg'].flatMap((gain) => [1, 2].map((n) => `copy/gain=${gain},seed=${n}`));
  gradus('report', ...two, '-o', 'two-seeds.html', '--threshold', '1.5');
  gradus('report', 'copy', '-o', 'copy.html', '--title', TITLE, '--threshold', '1.5');
  sweep('babi', 'curriculum=babi', 'steps=20000', 'evaluation.interval=5000');
  gradus('report', 'babi', '-o', 'babi.html');
  mkdirSync(join(folder, 'data'));
  const numbers = Array.from({ length: 300 }, (_, i) => i);
  for (const power of [2, 3]) {
    const text = numbers.map((i) => i ** power).join(' ');
    writeFileSync(join(folder, 'data', `power-${power}.txt`), text);
  }
  const pairs = numbers.map((i) => `{"input": "${i}", "target": "${i % 2}"}\n`);
  writeFileSync(join(folder, 'data', 'odd.jsonl'), pairs.join(''));
  const files = ['curriculum=files', 'files.path=data', 'files.target=power-2'];
  sweep('files', ...files, 'steps=20000', 'evaluation.interval=5000');
  gradus('report', 'files', '-o', 'files.html');
  sweep('begun', ...GRID, 'steps=1', 'evaluation.interval=1e9');
  gradus('report', 'begun', '-o', 'begun.html');
});

test('a report of repeat copy has its figures, in order', async () => {
  const { page, report, done } = await open('copy.html');
  const ids = await page
    .locator('figure')
    .evaluateAll((figures) => figures.map((figure) => figure.id));
  assert.deepEqual(ids, ['performance', 'policy-1', 'policy-2', 'maps']);
  assert.equal(await page.locator('h1').textContent(), TITLE);
  assert.equal(await page.title(), TITLE);
  const summary = await page.locator('#summary').textContent();
  assert.match(
    summary,
    /6 runs in 2 groups on the repeat-copy curriculum: 9 tasks, with the target 3,3/,
  );
  assert.match(summary, /all are finished/);
  // Target loss, entropy and distance from uniform, with one curve per group; bands have no stroke.
  assert.equal(await page.locator('#performance .panel').count(), 3);
  assert.equal(await curvesOf(page, 'performance', PG), 3);
  const words = await page.locator('#performance').textContent();
  for (const label of ['target loss (nats per output)', 'policy entropy (nats)', 'input steps']) {
    assert.ok(words.includes(label), label);
  }
  assert.equal(report.groups.length, 2);
  await done();
});

test('the table shows what the document says', async () => {
  const { page, report, done } = await open('copy.html');
  const rows = page.locator('#comparison tbody tr');
  assert.equal(await rows.count(), report.groups.length);
  for (let i = 0; i < report.groups.length; ++i) {
    const cells = await rows.nth(i).locator('td').allTextContents();
    const entry = report.table[i];
    assert.match(await rows.nth(i).locator('th').textContent(), new RegExp(report.groups[i].name));
    assert.equal(Number(cells[0]), 3);
    assertShows(cells[1], entry.steps.mean);
    assertShows(/typically (.*)/.exec(cells[1])[1], entry.typical);
    assert.equal(/of 3 runs reached it/.test(cells[1]), entry.reached < 3);
    if (entry.speedUp) assertShows(cells[2], entry.speedUp.ratio);
    if (entry.speedUp) {
      const [, low, high] = /95%: (.*) to (.*)/.exec(cells[2]);
      assertShows(low, entry.speedUp.interval[0]);
      assertShows(high, entry.speedUp.interval[1]);
    }
    assertShows(cells[3], entry.last.mean);
    assertShows(cells[3].split('±')[1], entry.last.deviation);
  }
  await done();
});

test('another baseline is named wherever the table speaks of it', async () => {
  const { page, report, done } = await open('over-pg.html');
  const words = await page.locator('#comparison').textContent();
  assert.match(words, /Speed-up over pg/);
  assert.match(words, /typical steps of pg divided by those of the signal/);
  const cells = await page.locator('#comparison tbody tr td:nth-of-type(3)').allTextContents();
  assertShows(cells[0], report.table[0].speedUp.ratio);
  assert.equal(cells[1], '1the baseline');
  await done();
});

test('two seeds have a speed-up and no interval', async () => {
  const { page, report, done } = await open('two-seeds.html');
  const cell = page.locator('#comparison tbody tr:nth-of-type(2) td:nth-of-type(3)');
  assertShows(await cell.textContent(), report.table[1].speedUp.ratio);
  assert.match(await cell.textContent(), /too few seeds/);
  await done();
});

test('the footer says which command, version, days and settings made the page', async () => {
  const { page, report, done } = await open('copy.html');
  const words = await page.locator('footer').textContent();
  assert.match(words, /Runs of gradus \d+\.\d+\.\d+, started (on|from) \d{4}-\d\d-\d\d/);
  assert.ok(words.includes(`gradus report copy --title '${TITLE}' --threshold 1.5`), words);
  assert.ok(words.includes('repeat_copy.max_length = 3'), words);
  assert.deepEqual(report.paperFigures, {}); // a small run is no figure of the paper
  assert.doesNotMatch(await page.locator('#report').textContent(), /The paper's figure/);
  await done();
});

test('bAbI shows tasks completed, and policy and error of every task with the line at 5%', async () => {
  const { page, report, done } = await open('babi.html');
  const ids = await page
    .locator('figure')
    .evaluateAll((figures) => figures.map((figure) => figure.id));
  assert.deepEqual(ids, ['performance', 'policy-1', 'task-policy', 'task-error']);
  const words = await page.locator('#performance').textContent();
  assert.ok(words.includes('tasks completed') && words.includes('policy entropy (nats)'));
  for (const figure of ['task-policy', 'task-error']) {
    assert.equal(await page.locator(`#${figure} .panel`).count(), 20);
    assert.equal(await curvesOf(page, figure, PG), 20);
  }
  assert.equal(await page.locator('#task-error .panel text', { hasText: /^5%$/ }).count(), 20);
  const error = report.byTask.views[0].error[0][0][0];
  assert.ok(error > 0 && error <= 1);
  await done();
});

test('texts are told in bits per character, and answers by their error', async () => {
  const { page, report, done } = await open('files.html');
  assert.match(
    await page.locator('#comparison').textContent(),
    /Final target loss \(bits per character\)/,
  );
  const words = await page.locator('#performance').textContent();
  assert.ok(words.includes('target loss (bits per character)'), words);
  const labels = await page
    .locator('#task-loss .panel')
    .evaluateAll((panels) => panels.map((panel) => /loss \((.*?)\)/.exec(panel.textContent)[1]));
  assert.deepEqual(labels, ['bits per output', 'bits per character', 'bits per character']);
  assert.equal(await page.locator('#task-error .panel').count(), 1); // texts have no error
  // At the start, the network guesses among the few symbols: log2 of their number.
  const loss = report.byTask.views[0].loss[0][1][0];
  assert.ok(loss > 3 && loss < 4.2, String(loss));
  await done();
});

test('a phone needs no sideways scrolling', async () => {
  for (const file of ['copy.html', 'babi.html']) {
    const { page, done } = await open(file, { viewport: { width: 390, height: 844 } });
    const widths = await page.evaluate(() =>
      [...document.querySelectorAll('figure, table, svg')].map(
        (node) => node.getBoundingClientRect().right,
      ),
    );
    assert.ok(Math.max(...widths) <= 390, String(widths));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await done();
  }
});

test('dark readers get dark figures, and paper stays light', async () => {
  const { page, done } = await open('copy.html', { colorScheme: 'dark' });
  assert.equal(await curvesOf(page, 'performance', PG), 0);
  assert.equal(await curvesOf(page, 'performance', '#4aa8e8'), 3);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.locator(`#performance .panel path[stroke="${PG}"]`).first().waitFor();
  assert.equal(await curvesOf(page, 'performance', PG), 3);
  await done();
});

test('a report of runs that have hardly begun says what there is', async () => {
  const { page, report, done } = await open('begun.html');
  assert.equal(report.curves.steps.length, 2);
  assert.equal(await curvesOf(page, 'performance', PG), 3);
  assert.match(await page.locator('#comparison').textContent(), /0 of 2 runs reached it/);
  await done();
});
