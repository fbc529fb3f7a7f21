// SPDX-License-Identifier: Apache-2.0
// Inlines the script and style of the page in its HTML: node bundle.mjs SOURCES OUT.html
// Loads packages from the working directory, which keeps them out of the source tree.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [sources, out] = process.argv.slice(2);
const { buildSync } = createRequire(join(process.cwd(), 'package.json'))('esbuild');

function bundle(entry) {
  const result = buildSync({
    entryPoints: [join(sources, entry)],
    nodePaths: [join(process.cwd(), 'node_modules')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'inline',
    write: false,
  });
  return result.outputFiles[0].text;
}

const html = readFileSync(join(sources, 'index.html'), 'utf8')
  .replace('/* STYLE */', () => bundle('style.css'))
  .replace('/* SCRIPT */', () => bundle('main.js'));
writeFileSync(out, html);
