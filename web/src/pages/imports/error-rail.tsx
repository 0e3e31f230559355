import { useMemo } from 'react';
import { importMarks } from '@waystation/contract/imports/import.ts';
import styles from './imports.module.css';

/**
 * The number of positions on the rail. If there were more, each position would be thinner than a
 * pixel.
 */
const places = 200;

/**
 * For each position on the rail (0 to `places`) that has an error, the number of the first row with
 * an error at that position.
 */
export const errorPlaces = (marks: string, numbers: readonly number[]): Map<number, number> => {
  const found = new Map<number, number>();
  for (let index = 0; index < numbers.length; index++) {
    if (marks[numbers[index]! - 1] !== importMarks.error) continue;
    const place = Math.floor((index / numbers.length) * places);
    if (!found.has(place)) found.set(place, numbers[index]!);
  }
  return found;
};

interface Props {
  marks: string;
  numbers: readonly number[];
  onGo: (no: number) => void;
}

/**
 * A rail that shows the positions of errors in the sheet. A click selects the nearest error; the
 * key F8 selects the next error.
 */
export const ErrorRail = ({ marks, numbers, onGo }: Props) => {
  const found = useMemo(() => errorPlaces(marks, numbers), [marks, numbers]);
  return (
    // The rail only pictures the grid beside it; all its actions are available there by key.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
    // jsx-a11y/no-static-element-interactions
    <div
      className={styles['rail']}
      aria-hidden
      onClick={(event) => {
        const { top, height } = event.currentTarget.getBoundingClientRect();
        const at = ((event.clientY - top) / height) * places;
        const nearest = [...found].toSorted(([a], [b]) => Math.abs(a - at) - Math.abs(b - at))[0];
        if (nearest) onGo(nearest[1]);
      }}
    >
      <svg viewBox={`0 0 1 ${places}`} preserveAspectRatio="none">
        <path d={[...found.keys()].map((place) => `M0 ${place}h1v1.6h-1z`).join('')} />
      </svg>
    </div>
  );
};
