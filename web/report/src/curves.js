// SPDX-License-Identifier: Apache-2.0
// A panel of curves over input steps. Each curve has one number per point of `steps`:
//   { name, style, mean: [...], deviation?: [...], n?: [...] }
import { axis, frame, tooltip } from './charts.js';
import { escape, number, spread, steps as stepText } from './format.js';
import { swatchShapes, symbolOf } from './palette.js';

const MARKERS_PER_CURVE = 7;

// panel: { title, label, steps, curves, isLoss, high?, line?: { value, text } }. `high` is the end
// of the y axis, the same for panels that are compared.
// view: { theme, shown: index => bool, log, endLabels }
export function curvesOption(panel, { theme, shown, log = false, endLabels = false }) {
  const visible = panel.curves
    .map((curve, i) => ({ ...curve, index: i, mean: log ? curve.mean.map(positive) : curve.mean }))
    .filter((curve) => shown(curve.index) && curve.mean.some(isNumber));
  const range = extent(panel, visible, log);
  return {
    ...frame(panel.title, theme),
    grid: { left: 58, right: endLabels ? 78 : 18, top: 32, bottom: 44 },
    xAxis: {
      type: 'value',
      ...axis('input steps', 26, theme),
      min: 0,
      max: panel.steps.at(-1) || 1,
      axisLabel: { ...axis('', 0, theme).axisLabel, formatter: stepText },
      splitLine: { show: false },
    },
    yAxis: {
      type: log ? 'log' : 'value',
      ...axis(panel.label, 42, theme),
      ...range,
      axisLabel: { ...axis('', 0, theme).axisLabel, formatter: number },
    },
    tooltip: {
      ...tooltip(theme),
      trigger: 'axis',
      axisPointer: { lineStyle: { color: theme.soft } },
      formatter: (points) => describe(panel, visible, points[0].dataIndex, theme),
    },
    series: [
      ...visible
        .filter((curve) => curve.deviation)
        .map((curve) => band(panel, curve, range, theme)),
      ...visible.map((curve, turn) => line(panel, curve, turn, theme, endLabels)),
    ],
  };
}

const isNumber = (value) => value !== null && value !== undefined;
const positive = (value) => (value > 0 ? value : null);

// Range of the y axis. It starts at 0, or near the curves if they are losses far above 0.
function extent(panel, visible, log) {
  const values = visible.flatMap((curve) => curve.mean.filter(isNumber));
  if (panel.line) values.push(panel.line.value);
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (log) return { min: 10 ** Math.floor(Math.log10(low)) };
  return panel.isLoss && low > 0.4 * high ? { scale: true } : { min: 0, max: panel.high };
}

function line(panel, curve, turn, theme, endLabels) {
  const every = Math.max(1, Math.floor(panel.steps.length / MARKERS_PER_CURVE));
  const colour = curve.style[theme.name];
  const series = {
    type: 'line',
    name: curve.name,
    z: 3,
    data: panel.steps.map((at, i) => [at, curve.mean[i] ?? '-']),
    lineStyle: { color: colour, width: 2, type: curve.style.dash },
    itemStyle: { color: colour },
    symbol: symbolOf(curve.style),
    symbolKeepAspect: true,
    // Shift the markers of each curve, so that overlapping curves can be told apart.
    symbolSize: (_, point) => ((point.dataIndex + turn) % every === 0 ? 8 : 0),
    emphasis: { disabled: true },
  };
  if (endLabels) {
    series.endLabel = {
      show: true,
      formatter: curve.name,
      color: colour,
      fontSize: 11,
      distance: 6,
    };
    series.labelLayout = { moveOverlap: 'shiftY' };
  }
  if (panel.line && turn === 0) {
    series.markLine = {
      silent: true,
      symbol: 'none',
      data: [{ yAxis: panel.line.value }],
      lineStyle: { color: theme.ink, type: 'dashed', width: 1 },
      label: {
        formatter: panel.line.text,
        position: 'insideEndTop',
        color: theme.soft,
        fontSize: 10,
      },
    };
  }
  return series;
}

// A shaded band of mean plus and minus one deviation, cut off at the start of the axis: a
// logarithmic axis cannot show values at or below 0.
function band(panel, curve, range, theme) {
  const points = panel.steps
    .map((at, i) => [at, curve.mean[i], curve.deviation[i]])
    .filter(([, mean, deviation]) => isNumber(mean) && isNumber(deviation));
  const floor = range.min ?? -Infinity;
  const low = points.map(([at, mean, deviation]) => [at, Math.max(mean - deviation, floor)]);
  const high = points.map(([at, mean, deviation]) => [at, mean + deviation]);
  return {
    type: 'custom',
    name: curve.name,
    silent: true,
    clip: true,
    z: 2,
    tooltip: { show: false },
    data: points.map(([at], i) => [at, low[i][1], high[i][1]]),
    encode: { x: 0, y: [1, 2] },
    renderItem: (params, api) => {
      if (params.dataIndexInside > 0) return undefined; // the first item draws the whole band
      const outline = [...high, ...low.slice().reverse()].map((point) => api.coord(point));
      return {
        type: 'polygon',
        shape: { points: outline },
        style: { fill: curve.style[theme.name], opacity: 0.16 },
      };
    },
  };
}

function describe(panel, visible, at, theme) {
  const rows = visible
    .filter((curve) => isNumber(curve.mean[at]))
    .map((curve) => {
      const runs = curve.n ? ` <span style="color:${theme.soft}">n=${curve.n[at]}</span>` : '';
      const sample = `<svg width="28" height="12" viewBox="0 0 28 12">${swatchShapes(curve.style, theme.name)}</svg>`;
      return `${sample} ${escape(curve.name)} <b>${spread(curve.mean[at], curve.deviation?.[at])}</b>${runs}`;
    });
  return [`${stepText(panel.steps[at])} input steps`, ...rows].join('<br>');
}
