import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Division, Divisions, PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import { useTexts } from '#base/texts.ts';
import styles from './field.module.css';
import primitives from '#ui/primitives.module.css';

interface Props {
  divisions: Divisions;
  value: PlaceNames;
  onPick: (division: Division) => void;
  /** Called to return the focus to the input. */
  onLeave: () => void;
}

const byName = (list: readonly Division[], name: string): Division | undefined =>
  list.find((division) => division.name === name);

const columnsOf = (
  divisions: Divisions,
  value: PlaceNames,
): { list: readonly Division[]; chosen: Division | undefined }[] => {
  const province = byName(divisions.provinces, value.province);
  const city =
    province &&
    (byName(province.children, value.city) ??
      (province.children.length === 1 ? province.children[0] : undefined));
  const county = city && byName(city.children, value.county);
  return [
    { list: divisions.provinces, chosen: province },
    ...(province ? [{ list: province.children, chosen: city }] : []),
    ...(city && city.children.length > 0 ? [{ list: city.children, chosen: county }] : []),
  ];
};

const focusIn = (column: Element | null | undefined): void => {
  (
    column?.querySelector<HTMLElement>('[aria-selected=true]') ??
    column?.querySelector<HTMLElement>('[role=option]')
  )?.focus();
};

/**
 * Columns for province, city and county, side by side. Arrow keys move within a column and between
 * columns, and Enter picks a division.
 */
export const AddressColumns = ({ divisions, value, onPick, onLeave }: Props) => {
  const { t } = useTexts();
  // The path of the columns that the user has opened, before the user picks the last level.
  const [opened, setOpened] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setOpened(value);
  }
  const columns = columnsOf(divisions, opened);
  const names = [t('common.province'), t('common.city'), t('common.county')];
  const onKeyDown = (event: KeyboardEvent<HTMLElement>, division: Division): void => {
    const option = event.currentTarget;
    const column = option.parentElement;
    const moves: Record<string, () => void> = {
      ArrowDown: () => (option.nextElementSibling as HTMLElement | null)?.focus(),
      ArrowUp: () =>
        option.previousElementSibling
          ? (option.previousElementSibling as HTMLElement).focus()
          : onLeave(),
      ArrowLeft: () => focusIn(column?.previousElementSibling),
      ArrowRight: () => focusIn(column?.nextElementSibling),
      Enter: () => onPick(division),
      ' ': () => onPick(division),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  return (
    <div className={styles['columns']}>
      {columns.map(({ list, chosen }, depth) => (
        <ul
          key={names[depth]}
          role="listbox"
          aria-label={names[depth]}
          className={styles['column']}
        >
          {list.map((division, index) => (
            <li
              key={division.code}
              role="option"
              tabIndex={-1}
              aria-selected={division === chosen}
              data-entry={
                (depth === 0 && (division === chosen || (!chosen && index === 0))) || undefined
              }
              ref={(node) => {
                if (node && division === chosen) node.scrollIntoView({ block: 'nearest' });
              }}
              className={styles['option']}
              onFocus={() =>
                setOpened({ province: '', city: '', county: '', ...chainOf(division) })
              }
              onClick={() => onPick(division)}
              onKeyDown={(event) => onKeyDown(event, division)}
            >
              {division.name}
              {division.children.length > 0 && (
                <span className={`${primitives['cut']} ${styles['note']}`} aria-hidden>
                  ›
                </span>
              )}
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
};

const chainOf = (division: Division): Partial<PlaceNames> => ({
  ...(division.parent && chainOf(division.parent)),
  [division.level]: division.name,
});
