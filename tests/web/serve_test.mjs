// SPDX-License-Identifier: Apache-2.0
// Drives the page of `gradus serve` in Chromium: starts a sweep, watches, compares, stops and
// resumes it. GRADUS is the path of the program.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, openPage, PATIENCE } from './browser.mjs';

const folder = mkdtempSync(join(tmpdir(), 'gradus-serve-'));
const CONFIG = `
batch = 8
steps = 150000
[network]
cells = 8
[optimiser]
learning_rate = 1e-3
[evaluation]
interval = 5000
sequences = 8
all_tasks = true
[repeat_copy]
max_length = 3
max_repeats = 3
bits = 2
[checkpoint]
seconds = 1
`;
let server;
let url;
let browser;

// Starts the server and waits for its address.
async function serve(...args) {
  const process_ = spawn(process.env.GRADUS, ['serve', ...args], { cwd: folder });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    process_.stdout.on('data', (data) => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    process_.on('exit', () => reject(new Error(`the server has ended: ${text}`)));
  });
  return { process: process_, address };
}

before(async () => {
  mkdirSync(join(folder, 'runs'));
  writeFileSync(join(folder, 'config.toml'), CONFIG);
  execFileSync(
    process.env.GRADUS,
    ['train', 'config.toml', 'steps=8000', 'gain=gpg', '--quiet', '--out', 'runs/first'],
    { cwd: folder, timeout: PATIENCE },
  );
  ({ process: server, address: url } = await serve('--port', '0'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

// Opens the page. done() fails if the page asked another server, or logged more errors than the
// given number of refusals.
async function open(address = url, options = {}) {
  const isServer = (asked) => asked.startsWith(new URL(url).origin);
  const { page, complaints, close } = await openPage(browser, isServer, options);
  page.on('dialog', (dialog) => {
    page.question = dialog.message();
    return dialog.accept();
  });
  await page.goto(address);
  await page.locator('#live.live').waitFor({ state: 'attached' });
  return {
    page,
    done: async (refusals = 0) => {
      const refused = complaints.filter((text) => text.includes('status of 400'));
      assert.equal(refused.length, refusals);
      assert.deepEqual(
        complaints.filter((text) => !refused.includes(text)),
        [],
      );
      await close();
    },
  };
}

const line = (page, name) => page.locator(`#runs tr[data-run="${name}"]`);
const status = (page, name, words) =>
  line(page, name).locator('.status', { hasText: words }).waitFor();
const figures = (page) =>
  page.locator('#overview figure').evaluateAll((nodes) => nodes.map((node) => node.id));

test('a run is listed, and its figures are shown', async () => {
  const { page, done } = await open();
  assert.equal(new URL(page.url()).search, ''); // the token is not left in the address
  await status(page, 'first', 'finished');
  assert.match(await line(page, 'first').textContent(), /8.\d*k of 8k/);
  await page.locator('#performance .panel svg').first().waitFor();
  assert.deepEqual(await figures(page), ['performance', 'policy-1', 'policy-2', 'maps']);
  assert.equal(await page.locator('#chosen').textContent(), 'Comparing 1 run');
  await done();
});

test('one run shows its tasks as a map and as bars, its settings, events and log', async () => {
  const { page, done } = await open();
  await line(page, 'first').locator('a').click();
  const map = page.locator('#task-map .panel');
  await map.first().locator('svg').waitFor();
  assert.equal(await map.count(), 2);
  const cells = await map.evaluateAll((nodes) =>
    nodes.map((node) => node.querySelectorAll('path[fill^="rgb"]:not([fill-opacity="0"])').length),
  );
  assert.deepEqual(cells, [9, 9]);
  const policy = await page
    .locator('#tasks .bar:has(.policy) .number')
    .evaluateAll((nodes) => nodes.map((node) => Number(node.textContent)));
  assert.equal(policy.length, 9);
  assert.ok(Math.abs(policy.reduce((sum, value) => sum + value) - 1) < 0.01, String(policy));
  assert.match(await page.locator('#tasks').textContent(), /3,3 \(target\)/);
  assert.match(await page.locator('#events').textContent(), /started.*finished/);
  await page.locator('summary', { hasText: 'Settings' }).click();
  assert.match(await page.locator('#settings').textContent(), /gaingpg/);
  assert.match(await page.locator('#log').textContent(), /No log/);
  await page.locator('a', { hasText: 'All runs' }).click();
  await line(page, 'first').waitFor();
  await done();
});

const GRID = '[sweep]\ngain = ["pg", "uniform"]\nseed = [1, 2]\n';
const grid = (sweep) =>
  ['pg', 'uniform'].flatMap((gain) => [1, 2].map((seed) => `${sweep}/gain=${gain},seed=${seed}`));

test('a sweep is started, watched, stopped and resumed', async () => {
  const { page, done } = await open();
  await page.locator('#starter').click();
  await page
    .locator('#start option', { hasText: 'demo/repeat-copy' })
    .waitFor({ state: 'attached' });
  await page.locator('#config').fill('steps = 1\nsteeps = 2\n');
  await page.locator('#folder').fill('sweep');
  await page.locator('#start button.main').click();
  await page.locator('#start .note', { hasText: 'steeps' }).waitFor(); // refused, with the reason
  // No run ends by itself, however fast the machine is.
  const config = CONFIG.replace('steps = 150000', 'steps = 100000000');
  await page.locator('#config').fill(`${config}${GRID}`);
  await page.locator('#start button.main').click();
  await page.locator('#start').waitFor({ state: 'hidden' });

  const [first, ...others] = grid('sweep');
  await status(page, first, 'running');
  assert.equal(await line(page, others.at(-1)).count(), 1); // waiting, or already begun
  await page.locator('#runs .group', { hasText: 'sweep' }).locator('input').check();
  await page.locator('#chosen', { hasText: 'Comparing 5 runs' }).waitFor();
  await line(page, first)
    .locator('.progress', { hasText: /[1-9][\d.]*[kM] of 100M/ })
    .waitFor();

  const stop = page.locator('button', { hasText: 'Stop the sweep' });
  await stop.click();
  await status(page, first, 'stopped');
  assert.match(page.question, /Stop the sweep sweep\?/);
  await page.locator('button', { hasText: 'Resume the sweep' }).click();
  await status(page, first, 'running');
  await stop.click();
  await status(page, first, 'stopped');
  await line(page, first).locator('a').click();
  await page.locator('#events', { hasText: 'resumed' }).waitFor();
  await page.locator('#log', { hasText: 'gain=pg,seed=1' }).waitFor();
  await done(1); // of the first config
});

test('a sweep is watched to its end', async () => {
  const { page, done } = await open();
  await page.locator('#starter').click();
  await page.locator('#start option').first().waitFor({ state: 'attached' });
  await page.locator('#config').fill(`${CONFIG.replace('150000', '30000')}${GRID}`);
  await page.locator('#folder').fill('short');
  await page.locator('#start button.main').click();
  await page.locator('#start').waitFor({ state: 'hidden' });
  for (const name of grid('short')) await status(page, name, 'finished');

  // The figures grew to the end of the runs, with one curve per signal.
  for (const name of grid('short')) await line(page, name).locator('input').check();
  for (const name of ['first', ...grid('sweep')]) await line(page, name).locator('input').uncheck();
  await page.locator('#chosen', { hasText: 'Comparing 4 runs' }).waitFor();
  await page.waitForFunction(
    () => document.querySelectorAll('#performance button.curve').length === 2,
  );
  await page.locator('#performance .panel text', { hasText: '30k' }).first().waitFor();
  // Not at once: the page may still show the comparison of the runs that were chosen before.
  await page.locator('#comparison', { hasText: /uniform.*2.*pg.*2/s }).waitFor();
  await done();
});

test('a run that was killed is resumed, and one that runs is stopped', async () => {
  const { page, done } = await open();
  await page.locator('#starter').click();
  await page.locator('#start option').first().waitFor({ state: 'attached' });
  await page.locator('#config').fill(CONFIG);
  await page.locator('#overrides').fill('steps=100000000 seed=7');
  await page.locator('#folder').fill('long');
  await page.locator('#start button.main').click();
  await page.locator('#start').waitFor({ state: 'hidden' });
  await status(page, 'long', 'running');
  await line(page, 'long')
    .locator('.progress', { hasText: /[1-9][\d.]*[kM] of 100M/ })
    .waitFor();
  const holder = () => Number(readFileSync(join(folder, 'runs/long/lock'), 'utf8'));
  const first = holder();
  process.kill(first, 'SIGKILL');
  await status(page, 'long', 'stopped');
  await line(page, 'long').locator('a').click();
  await page.locator('#run button', { hasText: 'Resume' }).click();
  await page.locator('#run h1 .status', { hasText: 'running' }).waitFor();
  assert.notEqual(holder(), first);

  // Killing the server ends no run. Another server takes over.
  const old = server;
  server = null;
  old.kill('SIGKILL');
  await page.locator('#live.live').waitFor({ state: 'detached' });
  ({ process: server, address: url } = await serve('--port', new URL(url).port));
  process.kill(holder(), 0);
  await page.goto('about:blank');
  await page.goto(`${url}#run=long`);
  await page.locator('#run button', { hasText: 'Stop' }).click();
  await page.locator('#run h1 .status', { hasText: 'stopped' }).waitFor();
  await page.context().close();
});

test('without the token the page only shows', async () => {
  const { page, done } = await open(new URL(url).origin);
  await status(page, 'long', 'stopped');
  assert.equal(await page.locator('#starter').isVisible(), false);
  assert.equal(await page.locator('#runs .action').count(), 0);
  await done();
});

test('a phone needs no sideways scrolling, and the dark page is dark', async () => {
  for (const address of [url, `${url}#run=first`]) {
    const { page, done } = await open(address, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.locator('figure .panel svg').first().waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    const rights = await page.evaluate(() =>
      [...document.querySelectorAll('figure, table, td, svg, button')].map(
        (node) => node.getBoundingClientRect().right,
      ),
    );
    assert.ok(Math.max(...rights) <= 390, String(Math.max(...rights)));
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(paper, 'rgb(20, 23, 27)');
    await done();
  }
});

test('a filter by name and by status leaves only the runs that fit', async () => {
  const { page, done } = await open();
  await line(page, 'first').waitFor();
  const shown = () =>
    page
      .locator('#runs tr[data-run]:visible')
      .evaluateAll((nodes) => nodes.map((node) => node.dataset.run));
  await page.locator('input[type=search]').fill('short');
  assert.deepEqual((await shown()).sort(), grid('short'));
  await page.locator('#counts button', { hasText: 'stopped' }).click();
  assert.deepEqual(await shown(), []);
  await page.locator('input[type=search]').fill('long');
  assert.deepEqual(await shown(), ['long']);
  await done();
});

test('a sweep on several hosts is one table with the hosts and the reasons of failures', async () => {
  writeFileSync(
    join(folder, 'hosts.toml'),
    `${CONFIG.replace('steps = 150000', 'steps = 2000')}[sweep]\noptimiser.epsilon = [1e-4, 1e-80]\n`,
  );
  const sweep = (...args) =>
    spawnSync(process.env.GRADUS, ['sweep', ...args], {
      cwd: folder,
      encoding: 'utf8',
      timeout: PATIENCE,
    });
  assert.equal(sweep('hosts.toml', '--out', 'runs/hosts', '--quiet').status, 1); // one run fails
  const list = () => JSON.parse(sweep('--status', 'runs/hosts', '--json').stdout);
  const good = `hosts/${list().find(({ status: state }) => state === 'finished').name}`;
  const claim = join(folder, 'runs', good, 'claims/1');
  const note = { ...JSON.parse(readFileSync(claim, 'utf8')), host: 'node7', boot: 'another' };
  writeFileSync(claim, JSON.stringify(note));

  const listed = list();
  assert.deepEqual(listed.map(({ status: state }) => state).sort(), ['failed', 'finished']);
  const { page, done } = await open();
  for (const { name, status: state, host, reason } of listed) {
    await status(page, `hosts/${name}`, state);
    const row = line(page, `hosts/${name}`);
    assert.equal(await row.locator('[data-label=Host]').textContent(), host);
    assert.equal(await row.locator('.reason').textContent(), reason);
    assert.equal(reason.includes('progress is'), state === 'failed');
  }
  assert.equal(await line(page, good).locator('[data-label=Host]').textContent(), 'node7');
  await line(page, good).locator('a').click();
  await page.locator('#run .facts', { hasText: 'on node7' }).waitFor();
  await done();
});
