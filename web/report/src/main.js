// SPDX-License-Identifier: Apache-2.0
import { arena } from './arena.js';
import { ShownFigure } from './figure.js';
import { figuresOf } from './figures.js';
import { footer } from './footer.js';
import { groupStyles } from './palette.js';
import { summary } from './summary.js';
import { table } from './table.js';

const report = JSON.parse(document.getElementById('document').textContent);
const page = document.getElementById('report');
document.title = report.title;
if (report.arena) page.replaceChildren(...arena(report), footer(report));
else showReport();

function showReport() {
  const styles = groupStyles(report.groups);
  const figures = figuresOf(report, styles).map((figure) => new ShownFigure(figure));
  page.replaceChildren(
    ...summary(report),
    table(report, styles),
    ...figures.map(({ node }) => node),
    footer(report),
  );

  // report.html#only=maps shows one figure alone, for screenshots.
  const only = document.getElementById(location.hash.replace('#only=', ''));
  if (only && location.hash.startsWith('#only=')) page.replaceChildren(only);
  for (const figure of figures) {
    if (figure.node.isConnected) figure.start();
  }
}
