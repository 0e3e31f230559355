import { lazyComponent } from '#ui/lazy.tsx';
import styles from './day-plot.module.css';
import type { PlotDay } from './day-plot.tsx';

const Fetched = lazyComponent(async () => (await import('./day-plot.tsx')).DayPlot);

interface Props {
  days: readonly PlotDay[];
  label: string;
  format: (value: number) => string;
}

/**
 * The drawing of a chart. It is fetched with its library when the first chart is shown. Until then
 * an empty space of the same size is shown.
 */
export const Plot = (props: Props) => (
  <div className={styles['plot']}>
    <Fetched {...props} />
  </div>
);
