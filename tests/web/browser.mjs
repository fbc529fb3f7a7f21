// SPDX-License-Identifier: Apache-2.0
// The browser of the tests. PACKAGES is the path of the package.json next to node_modules.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const BROWSER = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
if (!BROWSER) {
  console.log('skipped: neither /usr/bin/chromium nor /usr/bin/google-chrome exists');
  process.exit(77);
}
const { chromium } = createRequire(process.env.PACKAGES)('playwright-core');

export const PATIENCE = 120_000; // milliseconds; long, for busy machines

export const launch = () =>
  chromium.launch({
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

// Opens an empty page. `complaints` gets the errors and warnings that it logs, and the addresses
// that it asks for and `mayAsk` refuses.
export async function openPage(browser, mayAsk, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!mayAsk(request.url())) complaints.push(request.url());
  });
  return { page, complaints, close: () => context.close() };
}
