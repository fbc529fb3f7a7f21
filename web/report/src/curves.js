// SPDX-License-Identifier: Apache-2.0
// A panel of curves over input steps. Each curve has one number per point of `steps`:
//   { name, style, mean, deviation?, n?, median?, low?, high?, runs?: [run] }
// `low` and `high` are the quartiles; `runs` has the single runs. A group of one run has only a mean.
import { axis, frame, tooltip } from './charts.js';
import { endLabels, endMargin } from './end_labels.js';
import { axisNumber, escape, number, spread, steps as stepText } from './format.js';
import { swatchShapes, symbolOf } from './palette.js';

const MARKERS_PER_CURVE = 7;
const TOP = 32;
const BOTTOM = 44;

// panel: { title, label, steps, curves, isLoss, high?, line?: { value, text } }. `high` is the end
// of the y axis, the same for panels that are compared.
// view: { theme, width, shown: index => bool, log, medians, singles, endLabels }
export function curvesOption(
  panel,
  { theme, width, shown, log = false, medians = false, singles = false, endLabels: named = false },
) {
  const visible = panel.curves
    .map((curve, i) => ({ ...curve, ...middleOf(curve, medians, log), index: i }))
    .filter((curve) => shown(curve.index) && curve.middle.some(isNumber));
  const range = extent(panel, visible, { log, singles });
  const room = { width, height: panel.height - TOP - BOTTOM };
  const margin = named ? endMargin(panel.curves, visible.length, room) : 0;
  return {
    ...frame(panel.title, theme),
    grid: { left: 58, right: margin || 18, top: TOP, bottom: BOTTOM },
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
      axisLabel: { ...axis('', 0, theme).axisLabel, formatter: axisNumber },
    },
    tooltip: {
      ...tooltip(theme),
      trigger: 'axis',
      axisPointer: { lineStyle: { color: theme.soft } },
      formatter: (points) => describe(panel, visible, points[0].dataIndex, medians, theme),
    },
    series: [
      ...visible
        .filter((curve) => curve.band && !(singles && curve.runs))
        .map((curve) => band(panel, curve, range, theme)),
      ...visible
        .filter((curve) => singles && curve.runs)
        .flatMap((curve) => curve.runs.map((run) => singleRun(panel, curve, run, log, theme))),
      ...visible.map((curve, turn) => line(panel, curve, turn, theme)),
      ...(margin > 0 ? [endLabels(panel, visible, theme)] : []),
    ],
  };
}

const isNumber = (value) => value !== null && value !== undefined;
const positive = (value) => (value > 0 ? value : null); // as a logarithmic axis needs it

// What is drawn of a curve: its middle and, if known, the edges of the band around it. Medians have
// quartiles, means have one standard deviation.
function middleOf(curve, medians, log) {
  const middle = (medians && curve.median) || curve.mean;
  const band = edgesOf(curve, medians);
  return { middle: log ? middle.map(positive) : middle, band };
}

function edgesOf(curve, medians) {
  if (medians && curve.median) return { low: curve.low, high: curve.high };
  if (!curve.deviation) return null;
  const shift = (sign) =>
    curve.mean.map((value, i) =>
      isNumber(value) && isNumber(curve.deviation[i]) ? value + sign * curve.deviation[i] : null,
    );
  return { low: shift(-1), high: shift(1) };
}

// Whether the positive values of a panel's curves span two decades or more.
export function spansDecades(panel) {
  const values = panel.curves.flatMap((curve) => curve.mean.filter((value) => value > 0));
  return values.length > 0 && largest(values) >= 100 * -largest(values.map((value) => -value));
}

const largest = (values) => values.reduce((most, value) => Math.max(most, value), -Infinity);

// Range of the y axis. It starts at 0, or near the curves if they are losses far above 0.
function extent(panel, visible, { log, singles }) {
  const drawn = visible.flatMap(({ middle, runs }) =>
    singles && runs ? [middle, ...runs] : [middle],
  );
  const values = drawn.flat().filter(log ? positive : isNumber);
  if (panel.line) values.push(panel.line.value);
  const high = largest(values);
  const low = -largest(values.map((value) => -value));
  if (log) return { min: 10 ** Math.floor(Math.log10(low)) };
  return panel.isLoss && low > 0.4 * high ? { scale: true } : { min: 0, max: panel.high };
}

function line(panel, curve, turn, theme) {
  const every = Math.max(1, Math.floor(panel.steps.length / MARKERS_PER_CURVE));
  const colour = curve.style[theme.name];
  const series = {
    type: 'line',
    name: curve.name,
    z: 3,
    data: points(panel, curve.middle),
    lineStyle: { color: colour, width: 2, type: curve.style.dash },
    itemStyle: { color: colour },
    symbol: symbolOf(curve.style),
    symbolKeepAspect: true,
    // Shift the markers of each curve, so that overlapping curves can be told apart.
    symbolSize: (_, point) => ((point.dataIndex + turn) % every === 0 ? 8 : 0),
    emphasis: { disabled: true },
  };
  if (panel.line && turn === 0) {
    series.markLine = {
      silent: true,
      symbol: 'none',
      data: [{ yAxis: panel.line.value }],
      lineStyle: { color: theme.ink, type: 'dashed', width: 1 },
      label: {
        formatter: panel.line.text,
        position: 'insideStartTop', // most curves cross the line later
        color: theme.soft,
        textBorderColor: theme.paper,
        textBorderWidth: 3,
        fontSize: 10,
      },
    };
  }
  return series;
}

const points = (panel, values) => panel.steps.map((at, i) => [at, values[i] ?? '-']);

// A thin line for one run of a group.
function singleRun(panel, curve, run, log, theme) {
  return {
    type: 'line',
    name: curve.name,
    z: 2,
    silent: true,
    showSymbol: false,
    tooltip: { show: false },
    data: points(panel, log ? run.map(positive) : run),
    lineStyle: { color: curve.style[theme.name], width: 0.8, opacity: 0.55 },
    emphasis: { disabled: true },
  };
}

// A shaded band, cut off at the start of the axis: a logarithmic axis cannot show values at or
// below 0.
function band(panel, curve, range, theme) {
  const known = panel.steps
    .map((at, i) => [at, curve.band.low[i], curve.band.high[i]])
    .filter(([, low, high]) => isNumber(low) && isNumber(high));
  const floor = range.min ?? -Infinity;
  const low = known.map(([at, value]) => [at, Math.max(value, floor)]);
  const high = known.map(([at, , value]) => [at, value]);
  return {
    type: 'custom',
    name: curve.name,
    silent: true,
    clip: true,
    z: 2,
    tooltip: { show: false },
    data: known.map(([at], i) => [at, low[i][1], high[i][1]]),
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

function describe(panel, visible, at, medians, theme) {
  const rows = visible
    .filter((curve) => isNumber(curve.middle[at]))
    .map((curve) => {
      const runs = curve.n ? ` <span style="color:${theme.soft}">n=${curve.n[at]}</span>` : '';
      const sample = `<svg width="28" height="12" viewBox="0 0 28 12">${swatchShapes(curve.style, theme.name)}</svg>`;
      return `${sample} ${escape(curve.name)} <b>${valueText(curve, at, medians)}</b>${runs}`;
    });
  return [`${stepText(panel.steps[at])} input steps`, ...rows].join('<br>');
}

function valueText(curve, at, medians) {
  if (!medians || !curve.median) return spread(curve.mean[at], curve.deviation?.[at]);
  return `${number(curve.median[at])} (${number(curve.low[at])} to ${number(curve.high[at])})`;
}
