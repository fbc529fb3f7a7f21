// SPDX-License-Identifier: Apache-2.0
// Checks the figures of reports: what they draw, what the reader may choose, and how they are saved.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import {
  assertShows,
  curvesOf,
  folder,
  gradus,
  GRID,
  open,
  parse,
  PG,
  sweep,
  sweepCopy,
} from './reports.mjs';

// As many as in the paper's figure 2. After a few steps their curves end at nearly the same values.
const ARMS = 'uniform target pg gpg spg tpg mpg lsg alsg hsg hpg gspg'.split(' ');

before(() => {
  sweepCopy();
  gradus('report', 'copy', '-o', 'copy.html', '--threshold', '1.5');
  const short = ['steps=2000', 'evaluation.interval=1000', `gain=${JSON.stringify(ARMS)}`];
  sweep('arms', ...GRID, ...short);
  gradus('report', 'arms', '-o', 'arms.html');
});

test('a curve can be switched off and on', async () => {
  const { page, done } = await open('copy.html');
  const button = page.locator('#performance button.curve', { hasText: 'pg' });
  assert.equal(await curvesOf(page, 'performance', PG), 3);
  await button.click();
  assert.equal(await button.getAttribute('aria-pressed'), 'false');
  assert.equal(await curvesOf(page, 'performance', PG), 0);
  await button.click();
  assert.equal(await curvesOf(page, 'performance', PG), 3);
  await done();
});

test('hovering shows mean, deviation and number of runs', async () => {
  const { page, report, done } = await open('copy.html');
  const panel = page.locator('#performance .panel').first();
  await panel.scrollIntoViewIfNeeded();
  const box = await panel.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const tip = panel.locator('div').filter({ hasText: 'input steps' }).last();
  await tip.waitFor();
  const [steps, ...lines] = (await tip.innerHTML()).split('<br>');
  const curve = report.curves.measures.find(({ name }) => name === 'target_loss').curves[1];
  const at = report.curves.steps.findIndex(
    (value) => Math.abs(value - parse(steps)) <= 0.006 * value,
  );
  assert.ok(at > 0);
  const shown = lines.find((line) => / pg </.test(line));
  assertShows(/<b>(.*) ±/.exec(shown)[1], curve.mean[at]);
  assertShows(/± (.*)<\/b>/.exec(shown)[1], curve.deviation[at]);
  assert.match(shown, /n=3/);
  await done();
});

test('maps have a cell a task for five times, of policy and of loss', async () => {
  const { page, report, done } = await open('copy.html');
  const panels = page.locator('#maps .panel');
  assert.equal(await panels.count(), 10);
  const cells = await panels.evaluateAll((nodes) =>
    nodes.map((node) => node.querySelectorAll('path[fill^="rgb"]:not([fill-opacity="0"])').length),
  );
  assert.deepEqual(cells, Array(10).fill(9));
  assert.equal(report.maps.policy[1].length, 5);
  const box = await panels.nth(9).boundingBox();
  await panels.nth(9).scrollIntoViewIfNeeded();
  await panels.nth(9).hover({ position: { x: box.width - 24, y: 40 } });
  const tip = panels
    .nth(9)
    .locator('div')
    .filter({ hasText: 'pattern length 3, repeats 3' })
    .last();
  await tip.waitFor();
  assertShows((await tip.innerHTML()).split('<b>')[1], report.maps.loss[1][4][8]);
  await done();
});

test('losses can be drawn on a logarithmic scale', async () => {
  const { page, done } = await open('copy.html');
  const labels = () =>
    page.locator('#performance .panel').first().locator('text').allTextContents();
  const linear = await labels();
  await page.locator('#performance button', { hasText: 'logarithmic' }).click();
  const logarithmic = await labels();
  assert.notDeepEqual(logarithmic, linear);
  assert.ok(logarithmic.includes('1') && logarithmic.includes('10'), String(logarithmic));
  await done();
});

test('losses that span decades are medians on a logarithmic scale at first', async () => {
  const records = new URL('../../results/repeat-copy/', import.meta.url).pathname;
  const two = [1, 2].map((seed) => join(records, `gain=pg,objective=ml,seed=${seed}.jsonl.gz`));
  gradus('report', ...two, '-o', 'paper.html');
  for (const [file, pressed] of [
    ['paper.html', 'true'],
    ['copy.html', 'false'],
  ]) {
    const { page, done } = await open(file);
    for (const words of ['logarithmic', 'medians']) {
      const button = page.locator('#performance button', { hasText: words });
      assert.equal(await button.getAttribute('aria-pressed'), pressed, `${words} in ${file}`);
    }
    await done();
  }
});

test('medians have quartiles, and single seeds are thin lines', async () => {
  const { page, report, done } = await open('copy.html');
  const curve = report.curves.measures.find(({ name }) => name === 'target_loss').curves[1];
  assert.equal(curve.runs.length, 3);
  const panel = page.locator('#performance .panel').first();
  await page.locator('#performance button', { hasText: 'single seeds' }).click();
  // Three thin lines and one thick line per group, in each of three panels.
  assert.equal(await curvesOf(page, 'performance', PG), 12);
  await page.locator('#performance button', { hasText: 'single seeds' }).click();
  assert.equal(await curvesOf(page, 'performance', PG), 3);
  await page.locator('#performance button', { hasText: 'medians' }).click();
  await panel.scrollIntoViewIfNeeded();
  const box = await panel.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const tip = panel.locator('div').filter({ hasText: 'input steps' }).last();
  await tip.waitFor();
  const [steps, ...lines] = (await tip.innerHTML()).split('<br>');
  const at = report.curves.steps.findIndex(
    (value) => Math.abs(value - parse(steps)) <= 0.006 * value,
  );
  const [, middle, low, high] = /<b>(\S+) \((\S+) to (\S+)\)/.exec(
    lines.find((line) => / pg </.test(line)),
  );
  assertShows(middle, curve.median[at]);
  assertShows(low, curve.low[at]);
  assertShows(high, curve.high[at]);
  await done();
});

// How often each of `names` is written in each panel, and which texts of a panel overlap or are cut
// off.
async function textsOf(page, panels, names) {
  return page.locator(panels).evaluateAll((nodes, names) => {
    const counts = [];
    const faults = [];
    for (const panel of nodes) {
      const outer = panel.getBoundingClientRect();
      const texts = [...panel.querySelectorAll('text')].filter((text) => text.textContent.trim());
      // The height of a text's box depends on the font, and is larger than its letters.
      const boxes = texts.map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        return { words: text.textContent, left, right, top: top + 1, bottom: bottom - 1 };
      });
      counts.push(names.map((name) => boxes.filter(({ words }) => words === name).length));
      boxes.forEach((a, i) => {
        if (a.left < outer.left || a.right > outer.right) faults.push(`${a.words} is cut off`);
        if (a.top < outer.top || a.bottom > outer.bottom) faults.push(`${a.words} is cut off`);
        for (const b of boxes.slice(i + 1)) {
          const apart = a.right <= b.left || b.right <= a.left;
          if (!apart && a.top < b.bottom && b.top < a.bottom)
            faults.push(`${a.words} on ${b.words}`);
        }
      });
    }
    return { counts, faults };
  }, names);
}

test('names at the ends of curves do not overlap, whatever the reader chooses', async () => {
  const panels = '#performance .panel';
  const all = Array(3).fill(ARMS.map(() => 1));
  const check = async (page, counts = all, where = panels) =>
    assert.deepEqual(await textsOf(page, where, ARMS), { counts, faults: [] });
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 400, height: 800 },
  ]) {
    const { page, done } = await open('arms.html', { viewport, colorScheme: 'dark' });
    await check(page);
    for (const words of ['logarithmic', 'medians', 'single seeds']) {
      await page.locator('#performance button', { hasText: words }).click();
      await check(page);
    }
    for (const name of ARMS.slice(0, 3)) {
      await page.locator('#performance button.curve', { hasText: name }).first().click();
    }
    const fewer = Array(3).fill(ARMS.map((_, i) => (i < 3 ? 0 : 1)));
    await check(page, fewer);
    const download = page.waitForEvent('download');
    await page.locator('#performance button', { hasText: 'Save SVG' }).click();
    await (await download).saveAs(join(folder, 'saved.svg'));
    await page.emulateMedia({ media: 'print' });
    await check(page, fewer);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1680 - viewport.width, height: 850 });
    await page.waitForFunction(
      (outer) =>
        [...document.querySelectorAll(outer)].every(
          (panel) => panel.clientWidth === panel.querySelector('svg').clientWidth,
        ),
      panels,
    );
    await check(page, fewer);
    await page.goto(`file://${join(folder, 'saved.svg')}`);
    await check(page, fewer, 'svg svg');
    await done();
  }
});

test('a map of a policy has the scale of its signal, and losses have one scale', async () => {
  const { page, report, done } = await open('arms.html');
  const highest = (values) => Math.max(...values.flat(Infinity));
  const ends = async () => {
    const scales = await page.locator('#maps .scale').all();
    return Promise.all(scales.map((scale) => scale.locator('span').last().textContent()));
  };
  assert.equal(highest(report.maps.policy), 1); // of `target`
  for (const [i, { name }] of report.groups.entries()) {
    await page.locator('#maps button.choice', { hasText: name }).first().click();
    const [policy, loss] = await ends();
    assertShows(policy, highest(report.maps.policy[i]));
    assertShows(loss, highest(report.maps.loss));
  }
  await done();
});

test('every figure can be saved as an SVG that stands alone', async () => {
  const { page, done } = await open('copy.html', { colorScheme: 'dark' });
  for (const id of ['performance', 'policy-1', 'maps']) {
    const download = page.waitForEvent('download');
    await page.locator(`#${id} button`, { hasText: 'Save SVG' }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), `${id}.svg`);
    const text = readFileSync(await file.path(), 'utf8');
    const facts = await page.evaluate((svg) => {
      const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
      return {
        name: root.nodeName,
        panels: root.querySelectorAll('svg').length,
        shapes: root.querySelectorAll('svg path').length,
        outside: root.querySelectorAll('image, foreignObject, script, [href]').length,
      };
    }, text);
    assert.equal(facts.name, 'svg');
    assert.equal(facts.panels, await page.locator(`#${id} .panel`).count());
    assert.ok(facts.shapes > facts.panels);
    assert.equal(facts.outside, 0);
  }
  await done();
});
