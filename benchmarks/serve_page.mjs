// SPDX-License-Identifier: Apache-2.0
// How smooth the page of `gradus serve` is in Chromium; benchmarks/serve.py load calls it.
//   PACKAGES=build/test/tests/web/package.json node benchmarks/serve_page.mjs ADDRESS RUNS
import { createRequire } from 'node:module';

const { chromium } = createRequire(process.env.PACKAGES)('playwright-core');
const [address, runs] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage();
page.setDefaultTimeout(300_000);

async function timed(words, act) {
  const start = performance.now();
  await act();
  console.log(`${words}: ${((performance.now() - start) / 1000).toFixed(2)} s`);
}

// The times between frames, in ms, while `act` changes the page in each of them.
const frames = (act, count) =>
  page.evaluate(
    async ([source, times]) => {
      const change = new Function('i', source);
      const gaps = [];
      let last = await new Promise(requestAnimationFrame);
      for (let i = 0; i < times; ++i) {
        change(i);
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - last);
        last = now;
      }
      return gaps.slice(1).sort((a, b) => a - b);
    },
    [act, count],
  );
function print(words, gaps) {
  const at = (share) => gaps[Math.floor(share * (gaps.length - 1))].toFixed(0);
  console.log(`${words}: a frame every ${at(0.5)} ms, the slowest ${at(1)} ms`);
}

await timed(`page until the list of ${runs} runs`, async () => {
  await page.goto(address);
  await page.waitForFunction(
    (n) => document.querySelectorAll('#runs tr[data-run]').length === n,
    Number(runs),
  );
});
print(
  'scrolling through the list',
  await frames('document.scrollingElement.scrollTop = 40 * i', 200),
);
await timed('filter by name', async () => {
  await page.locator('input[type=search]').fill('seed-99');
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('#runs tr[data-run]')].filter((row) => !row.hidden).length < 20,
  );
});
await page.locator('input[type=search]').fill('');
await timed(`choosing all ${runs} runs until their figures`, async () => {
  await page.evaluate(() => {
    const box = document.querySelector('#runs .group input');
    if (!box.checked) box.click();
  });
  await page.locator('#chosen', { hasText: `Comparing ${runs} runs` }).waitFor();
  await page.locator('#performance .panel svg').first().waitFor();
});
print(
  'scrolling while all are compared',
  await frames('document.scrollingElement.scrollTop = 40 * i', 200),
);
await browser.close();
