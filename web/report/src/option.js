// The chart of one panel of a figure, as the reader has set the figure: which curves are hidden,
// whether losses are logarithmic.
import { curvesOption } from './curves.js';
import { heatOption } from './heat.js';

// Names at the ends of curves need room, and curves that end apart.
const NARROW = 460;
const MOST_END_LABELS = 5;

export function optionOf(figure, panel, state, theme, width) {
  if (figure.kind === 'heat')
    return heatOption(panel, { theme, scale: figure.scales[panel.scale] });
  return curvesOption(panel, {
    theme,
    log: state.log && panel.isLoss,
    shown: (i) => !state.hidden.has(i),
    endLabels: figure.legend.length <= MOST_END_LABELS && figure.endLabels && width > NARROW,
  });
}
