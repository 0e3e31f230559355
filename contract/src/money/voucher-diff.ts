import { wholeRate } from './money.ts';
import { provinceCodes } from '#parcels/provinces.ts';
import type { ChangedCell } from './voucher.ts';
import type { Origin, Zone } from './voucher-content.ts';

/** The state of a template at one time: a version, or the draft. */
export interface TemplateState {
  discount: number | null;
  northeast_discount: number | null;
  weight: { divisor: number | null; origins: readonly Origin[] };
}

type Value = string | number | null;

/** The price cells of a zone by their field names; empty if the region is in no zone. */
const cellsOf = (zone: Zone | undefined): Map<string, Value> => {
  const cells = new Map<string, Value>();
  if (!zone) return cells;
  cells.set('name', zone.name || null);
  cells.set('not_served', zone.not_served);
  if (zone.not_served) return cells;
  cells.set('first.max_g', zone.first.max_g).set('first.price', zone.first.price);
  for (const [index, { up_to_g, step_g, price }] of zone.brackets.entries())
    cells
      .set(`brackets.${index}.up_to_g`, up_to_g)
      .set(`brackets.${index}.step_g`, step_g)
      .set(`brackets.${index}.price`, price);
  return cells.set('minimum', zone.minimum);
};

const areasOf = (origin: Origin | undefined): Map<string, Zone> => {
  const areas = new Map<string, Zone>();
  for (const zone of origin?.zones ?? [])
    for (const area of zone.areas) if (!areas.has(area)) areas.set(area, zone);
  return areas;
};

const differing = (
  before: Map<string, Value>,
  after: Map<string, Value>,
): { field: string; before: Value; after: Value }[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
    .filter((cell) => cell.before !== cell.after);

const sendersKey = (origin: Origin): string => origin.provinces.toSorted().join(',');

const ratesOf = ({ discount, northeast_discount, weight }: TemplateState): Map<string, Value> =>
  new Map<string, Value>([
    ['discount', discount ?? wholeRate],
    ['northeast_discount', northeast_discount],
    ['divisor', weight.divisor],
  ]);

/**
 * Lists every value that differs between two states of a template, region by region in the order of
 * their codes. Two price grids are compared if they have the same senders.
 */
export const changedCells = (before: TemplateState, after: TemplateState): ChangedCell[] => {
  const found: ChangedCell[] = differing(ratesOf(before), ratesOf(after)).map((cell) => ({
    senders: [],
    area: '',
    ...cell,
  }));
  const [old, now] = [before, after].map(
    ({ weight }) => new Map(weight.origins.map((origin) => [sendersKey(origin), origin])),
  ) as [Map<string, Origin>, Map<string, Origin>];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const senders = key === '' ? [] : key.split(',');
    const [was, is] = [areasOf(old.get(key)), areasOf(now.get(key))];
    const areas = [...new Set([...was.keys(), ...is.keys(), ...provinceCodes])].toSorted();
    for (const area of areas)
      for (const cell of differing(cellsOf(was.get(area)), cellsOf(is.get(area))))
        found.push({ senders, area, ...cell });
  }
  return found;
};
