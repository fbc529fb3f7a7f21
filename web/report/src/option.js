// SPDX-License-Identifier: Apache-2.0
// The chart options of one panel, given what the reader has chosen: which curves are hidden,
// whether losses are logarithmic, means or medians, and whether single runs are drawn.
import { curvesOption } from './curves.js';
import { heatOption } from './heat.js';

// The scales of colours for what the reader has chosen, by name.
export function scalesOf(figure, state) {
  return figure.scales?.(state.choice) ?? {};
}

export function optionOf(figure, panel, state, theme, width) {
  if (figure.kind === 'heat')
    return heatOption(panel, { theme, width, scale: scalesOf(figure, state)[panel.scale] });
  return curvesOption(panel, {
    theme,
    width,
    log: state.log && panel.isLoss,
    medians: state.medians,
    singles: state.singles,
    shown: (i) => !state.hidden.has(i),
    endLabels: figure.endLabels,
  });
}
