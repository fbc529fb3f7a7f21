// SPDX-License-Identifier: Apache-2.0
// Saves a figure as one self-contained SVG file: title, legend and panels, on white.
import { chartText, FONT } from './charts.js';
import { escape, number } from './format.js';
import { optionOf, scalesOf } from './option.js';
import { swatchShapes, THEMES, VIRIDIS } from './palette.js';

const MARGIN = 16;
const LINE = 22;

export function saveSvg(figure, panels, state) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(
    new Blob([figureText(figure, panels, state)], { type: 'image/svg+xml' }),
  );
  link.download = `${figure.id}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function figureText(figure, panels, state) {
  const theme = THEMES.light;
  const panelWidth = Math.max(figure.panelWidth, 240);
  const columns = Math.min(panels.length, Math.max(1, Math.floor(1200 / panelWidth)));
  const width = columns * panelWidth + 2 * MARGIN;
  const parts = [label(MARGIN, MARGIN + 14, figure.title, 'font-size="18" font-weight="600"')];
  let top = MARGIN + 34;
  const keys = [
    ...legendKeys(figure, state),
    ...choiceKeys(figure, state),
    ...scaleKeys(scalesOf(figure, state)),
  ];
  let left = MARGIN;
  for (const key of keys) {
    if (left > MARGIN && left + key.width > width - MARGIN) {
      left = MARGIN;
      top += LINE;
    }
    parts.push(`<g transform="translate(${left} ${top})">${key.shapes}</g>`);
    left += key.width;
  }
  if (keys.length > 0) top += LINE;
  for (let i = 0; i < panels.length; i += columns) {
    const row = panels.slice(i, i + columns);
    row.forEach((panel, column) => {
      const text = chartText(
        optionOf(figure, panel, state, theme, panelWidth),
        panelWidth,
        panel.height,
      );
      parts.push(text.replace('<svg ', `<svg x="${MARGIN + column * panelWidth}" y="${top}" `));
    });
    top += Math.max(...row.map((panel) => panel.height));
  }
  const height = top + MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escape(FONT)}">
<title>${escape(figure.title)}</title><desc>${escape(figure.caption)}</desc>
<rect width="100%" height="100%" fill="${theme.paper}"/>
${parts.join('\n')}
</svg>
`;
}

function label(x, y, text, attributes = 'font-size="13"') {
  return `<text x="${x}" y="${y}" fill="${THEMES.light.ink}" ${attributes}>${escape(text)}</text>`;
}

const widthOf = (text) => 7.2 * text.length;

function legendKeys(figure, state) {
  return (figure.legend ?? [])
    .filter((_, i) => !state.hidden.has(i))
    .map(({ name, style }) => ({
      width: 34 + widthOf(name) + 18,
      shapes: swatchShapes(style, 'light') + label(34, 10, name),
    }));
}

function choiceKeys(figure, state) {
  if (!figure.choices) return [];
  const name = figure.choices[state.choice];
  return [
    { width: widthOf(name) + 24, shapes: label(0, 10, name, 'font-size="13" font-weight="600"') },
  ];
}

function scaleKeys(scales) {
  return Object.values(scales).map((scale) => {
    const before = `${scale.label} ${number(scale.low)}`;
    const start = widthOf(before) + 6;
    const cells = VIRIDIS.map(
      (colour, i) => `<rect x="${start + 12 * i}" width="12.5" height="12" fill="${colour}"/>`,
    );
    const end = start + 12 * VIRIDIS.length + 6;
    const after = number(scale.high);
    return {
      width: end + widthOf(after) + 24,
      shapes: label(0, 10, before) + cells.join('') + label(end, 10, after),
    };
  });
}
