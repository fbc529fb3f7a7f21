// SPDX-License-Identifier: Apache-2.0
// Opens reports of small real runs in Chromium and checks what they show. GRADUS is the path of the
// program, PACKAGES that of the package.json next to node_modules.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
if (!BROWSER) {
  console.log('skipped: neither /usr/bin/chromium nor /usr/bin/google-chrome exists');
  process.exit(77);
}
const { chromium } = createRequire(process.env.PACKAGES)('playwright-core');

const PG = '#0072b2';
const PATIENCE = 120_000; // milliseconds; long, for busy machines
// As many as in the paper's figure 2. After a few steps their curves end at nearly the same values.
const ARMS = 'uniform target pg gpg spg tpg mpg lsg alsg hsg hpg gspg'.split(' ');
const folder = mkdtempSync(join(tmpdir(), 'gradus-report-'));
const gradus = (...args) =>
  execFileSync(process.env.GRADUS, args, { cwd: folder, encoding: 'utf8', timeout: 300_000 });
const TITLE = 'A test </script><b>';
let browser;

// Two signals with two seeds each, unless the settings say otherwise.
function sweep(name, ...settings) {
  const grid = '[sweep]\ngain = ["uniform", "pg"]\nseed = [1, 2]\n';
  writeFileSync(join(folder, 'sweep.toml'), grid);
  const small = ['network.cells=8', 'batch=8', 'optimiser.learning_rate=1e-3'];
  const evaluation = ['evaluation.sequences=8', 'evaluation.all_tasks=true'];
  gradus('sweep', 'sweep.toml', ...small, ...evaluation, ...settings, '--quiet', '--out', name);
}

before(async () => {
  const grid = ['max_length=3', 'max_repeats=3', 'bits=2'].map((text) => `repeat_copy.${text}`);
  sweep('copy', ...grid, 'steps=40000', 'evaluation.interval=4000', 'seed=[1, 2, 3]');
  gradus('report', 'copy', '-o', 'over-pg.html', '--baseline', 'pg', '--threshold', '1.5');
  const two = ['uniform', 'pg'].flatMap((gain) => [1, 2].map((n) => `copy/gain=${gain},seed=${n}`));
  gradus('report', ...two, '-o', 'two-seeds.html', '--threshold', '1.5');
  gradus('report', 'copy', '-o', 'copy.html', '--title', TITLE, '--threshold', '1.5');
  const short = ['steps=2000', 'evaluation.interval=1000', `gain=${JSON.stringify(ARMS)}`];
  sweep('arms', ...grid, ...short);
  gradus('report', 'arms', '-o', 'arms.html');
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
  const seeds = ['stop.target_loss=0', 'steps=40000', 'evaluation.interval=1000', 'seed=[1, 2, 3]'];
  const chosen = ['--only', 'stress.scenario=learned,duplicates', '--only', 'curriculum=stress'];
  gradus(
    'arena',
    '--arm',
    'pg+exp3s',
    ...seeds,
    'optimiser.learning_rate=3e-3',
    ...chosen,
    '--quiet',
    '--out',
    'arena',
  );
  sweep('begun', ...grid, 'steps=1', 'evaluation.interval=1e9');
  gradus('report', 'begun', '-o', 'begun.html');
  browser = await chromium.launch({
    executablePath: BROWSER,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// Opens a report. done() fails if the page logged an error or warning, or used the network.
async function open(file, options = {}, shown = 'figure .panel svg') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url())) complaints.push(request.url());
  });
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
      await context.close();
    },
  };
}

// 12.3k -> 12300
function parse(text) {
  const [, digits, unit] = /(-?[\d.]+(?:e-?\d+)?)([kMG]?)/.exec(text);
  return Number(digits) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit];
}

// The page shows three or four digits.
function assertShows(text, value) {
  assert.ok(Math.abs(parse(text) - value) <= 0.006 * Math.abs(value), `${text} is not ${value}`);
}

// Curves are 2 wide, and single runs 0.8; the lines to the names of curves have other widths.
const curvesOf = (page, figure, colour) =>
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

test('the target, which is always drawn, does not darken the policies of the maps', async () => {
  const { page, report, done } = await open('arms.html');
  const highest = (values) => Math.max(...values.flat(Infinity));
  assert.equal(highest(report.maps.policy), 1);
  const scale = await page.locator('#maps .scale').first().locator('span').allTextContents();
  assertShows(scale.at(-1), highest(report.maps.policy.slice(2)));
  assert.match(await page.locator('#maps figcaption').textContent(), /baselines may exceed it/);
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

const openArena = (options) => open('arena/arena.html', options, '#arena td');

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
