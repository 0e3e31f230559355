import { AxisBottom, AxisLeft } from '@visx/axis';
import { localPoint } from '@visx/event';
import { scaleBand, scaleLinear } from '@visx/scale';
import { Bar, Line, LinePath } from '@visx/shape';
import { useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import styles from './day-plot.module.css';
import { labelStep, placeByKey, valueAxis } from './plot-scale.ts';

/**
 * One position of a chart, usually a day. It has a bar from zero, which may be negative. In a chart
 * with lines it also has the values of two lines.
 */
export interface PlotDay {
  key: string;
  /**
   * The text below the position. The last position always shows its text; the other positions show
   * theirs if there is room.
   */
  label: string;
  bar: number;
  upper?: number;
  lower?: number;
  /**
   * True if the day has not ended. Its part of the lines is then drawn faintly, because it would
   * look like a fall otherwise.
   */
  isUnfinished?: boolean;
  /**
   * The text that is shown beside the position and read aloud. Its first line is the name of the
   * position.
   */
  words: string;
  /** The URL of the page that opens after a press on the position. */
  href?: string | undefined;
}

interface Props {
  days: readonly PlotDay[];
  /** The name of the chart for screen readers. */
  label: string;
  /** Writes a value of the axis with few characters. */
  format: (value: number) => string;
}

const height = 168;
const labelHeight = 20;
const headroom = 8;

/** The width of the box in pixels. It stays unchanged while the page is hidden. */
const useWidth = (box: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return width;
};

interface Mark {
  x: number;
  y: number;
  formattedValue: string | undefined;
}

/**
 * Draws a value as plain text, because the library's own label writes inline styles, which the
 * content security policy refuses.
 */
const valueMark = ({ y, formattedValue }: Mark) => (
  <text className={styles['label']} x={-8} y={y} dy="0.35em" textAnchor="end">
    {formattedValue}
  </text>
);

const dayMark = ({ x, formattedValue }: Mark) => (
  <text className={styles['label']} x={x} y={labelHeight - 5} textAnchor="middle">
    {formattedValue}
  </text>
);

/**
 * The two parts of each line: one until the last completed day, and one from there to the day that
 * has not ended yet.
 */
const linesOf = (days: readonly PlotDay[]): { part: PlotDay[]; isUnfinished: boolean }[] => {
  if (days.at(-1)?.isUnfinished !== true) return [{ part: [...days], isUnfinished: false }];
  return [
    { part: days.slice(0, -1), isUnfinished: false },
    { part: days.slice(-2), isUnfinished: true },
  ];
};

/**
 * The drawing of axes, bars and lines at the positions of `days`. `at` is the index of the position
 * whose values are shown.
 */
const Drawing = ({
  days,
  format,
  width,
  left,
  at,
}: Omit<Props, 'label'> & { width: number; left: number; at: number | null }) => {
  const lined = days.some(({ upper }) => upper !== undefined);
  const inner = width - left;
  const { top, bottom, marks } = valueAxis(
    days.flatMap(({ bar, upper = 0, lower = 0 }) => [bar, upper, lower]),
  );
  const x = scaleBand({
    domain: days.map(({ key }) => key),
    range: [0, inner],
    paddingInner: lined ? 0.36 : 0.16,
    paddingOuter: lined ? 0.18 : 0.08,
  });
  const y = scaleLinear({ domain: [bottom, top], range: [height, 0] });
  const center = (day: PlotDay): number => (x(day.key) ?? 0) + x.bandwidth() / 2;
  const slot = inner / days.length;
  const step = labelStep(days.length);
  const labels = new Map(days.map(({ key, label }) => [key, label]));
  return (
    <g transform={`translate(${left} ${headroom})`}>
      {marks.map((value) => (
        <Line
          key={value}
          className={value === 0 ? styles['ground']! : styles['grid']!}
          from={{ x: 0, y: y(value) }}
          to={{ x: inner, y: y(value) }}
        />
      ))}
      {at !== null && (
        <rect className={styles['read']} x={at * slot} width={slot} y={0} height={height} />
      )}
      {days.map((day, index) => {
        const bar = (
          <Bar
            className={day.bar < 0 ? styles['loss']! : styles['bar']!}
            data-unfinished={(lined && day.isUnfinished) || undefined}
            data-strong={!lined && (index === at || index === days.length - 1) ? true : undefined}
            x={x(day.key) ?? 0}
            width={x.bandwidth()}
            y={Math.min(y(day.bar), y(0))}
            height={Math.max(Math.abs(y(day.bar) - y(0)), lined ? 0 : 1)}
          />
        );
        return day.href === undefined ? (
          <g key={day.key}>{bar}</g>
        ) : (
          <a key={day.key} href={day.href} tabIndex={-1}>
            <rect
              className={styles['catch']}
              x={index * slot}
              width={slot}
              y={0}
              height={height + labelHeight}
            />
            {bar}
          </a>
        );
      })}
      {lined && (
        <>
          {linesOf(days).map(({ part, isUnfinished }) =>
            (['lower', 'upper'] as const).map((line) => (
              <LinePath
                key={`${line} ${isUnfinished}`}
                className={styles[line]!}
                data-unfinished={isUnfinished || undefined}
                data={part}
                x={center}
                y={(day) => y(day[line] ?? 0)}
              />
            )),
          )}
          {at !== null && days[at] && (
            <>
              <circle
                className={styles['lower']}
                cx={center(days[at])}
                cy={y(days[at].lower ?? 0)}
                r={3}
              />
              <circle
                className={styles['upper']}
                cx={center(days[at])}
                cy={y(days[at].upper ?? 0)}
                r={3}
              />
            </>
          )}
        </>
      )}
      <AxisLeft
        scale={y}
        tickValues={marks}
        hideAxisLine
        hideTicks
        tickFormat={(value) => format(Number(value))}
        tickComponent={valueMark}
      />
      <AxisBottom
        scale={x}
        top={height}
        tickValues={days
          .filter((_, index) => (days.length - 1 - index) % step === 0)
          .map(({ key }) => key)}
        hideAxisLine
        hideTicks
        tickFormat={(key) => labels.get(key)}
        tickComponent={dayMark}
      />
    </g>
  );
};

/**
 * A chart over days that shows and reads aloud the values of one day. The pointer or the arrow keys
 * choose the day. Enter opens the rows of this day.
 */
export const DayPlot = ({ days, label, format }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [at, setAt] = useState<number | null>(null);
  const last = days.length - 1;
  const read = Math.min(at ?? last, last);
  const { marks } = valueAxis(days.flatMap(({ bar, upper = 0, lower = 0 }) => [bar, upper, lower]));
  const left = Math.max(...marks.map((value) => format(value).length)) * 7 + 10;
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = placeByKey(read, days.length, event.key);
    const href = days[read]?.href;
    if (next !== null) setAt(next);
    else if (event.key === 'Enter' && href !== undefined) window.location.assign(href);
    else return;
    event.preventDefault();
  };
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const x = (localPoint(event.currentTarget, event)?.x ?? 0) - left;
    const slot = (width - left) / days.length;
    setAt(x < 0 ? null : Math.min(last, Math.floor(x / slot)));
  };
  const shown = at === null ? undefined : days[Math.min(at, last)];
  const [head, ...values] = shown?.words.split('\n') ?? [];
  const middle = left + ((read + 0.5) / days.length) * (width - left);
  const half = (width - left) / days.length / 2;
  return (
    <div ref={box} className={styles['plot']}>
      {width > left && days.length > 0 && (
        <>
          <svg
            width={width}
            height={headroom + height + labelHeight}
            aria-hidden
            onPointerMove={point}
            onPointerDown={point}
            // The values stay visible after a finger is lifted.
            onPointerLeave={(event) => event.pointerType === 'mouse' && setAt(null)}
          >
            <Drawing
              days={days}
              format={format}
              width={width}
              left={left}
              at={at === null ? null : read}
            />
          </svg>
          <div
            role="slider"
            tabIndex={0}
            className={styles['reader']}
            aria-label={label}
            aria-valuemin={1}
            aria-valuemax={days.length}
            aria-valuenow={read + 1}
            aria-valuetext={days[read]!.words.replaceAll('\n', ' · ')}
            onFocus={() => setAt(read)}
            onBlur={() => setAt(null)}
            onKeyDown={onKeyDown}
          />
          {shown && (
            <div
              className={styles['values']}
              style={
                middle > width / 2
                  ? { right: width - middle + half + 4 }
                  : { left: middle + half + 4 }
              }
              aria-hidden
              data-values
            >
              <strong>{head}</strong>
              {values.map((line) => (
                <span key={line}>{line}</span>
              ))}
            </div>
          )}
        </>
      )}
    </div>
  );
};
