import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import { lookOver } from '@waystation/contract/money/voucher-sanity.ts';
import type { AnyFinding } from '@waystation/contract/money/voucher-sanity.ts';
import type { TemplateState } from '@waystation/contract/money/voucher-diff.ts';
import { emptyGrid } from './grid.ts';
import type { Grid } from './grid.ts';
import { cellOfPath, contentOf, gridOf } from './grid-content.ts';
import type { GridContent, ProblemCode } from './grid-content.ts';

/**
 * One group of sender provinces with its price list. The group without provinces is for all other
 * senders.
 */
export interface SenderGrid {
  provinces: readonly string[];
  grid: Grid;
}

/**
 * A template as the editor keeps it. Rates are in basis points; NaN if the typed text is not a
 * number.
 */
export interface Template {
  discount: number | null;
  northeast_discount: number | null;
  divisor: number | null;
  senders: readonly SenderGrid[];
}

export const templateOf = ({ discount, northeast_discount, weight }: TemplateState): Template => ({
  discount,
  northeast_discount,
  divisor: weight.divisor,
  senders:
    weight.origins.length === 0
      ? [{ provinces: [], grid: emptyGrid() }]
      : weight.origins.map((origin) => ({ provinces: origin.provinces, grid: gridOf(origin) })),
});

/** A warning about a template, and the cell that it is about. */
export interface Remark {
  severity: 'error' | 'warning';
  code: AnyFinding['code'] | ProblemCode;
  params: AnyFinding['params'];
  /** The index of the sender group that the warning is about; null if it is about all groups. */
  sender: number | null;
  row: number;
  column: number;
}

export interface ReadTemplate {
  state: TemplateState;
  remarks: Remark[];
  /**
   * False if a cell is invalid. Its row then belongs to no zone, and the template cannot be saved.
   */
  whole: boolean;
}

/**
 * Converts the server's position of a problem to the position in the editor. The two differ,
 * because the server did not receive empty grids.
 */
export const remarkOf = (
  found: AnyFinding,
  template: Template,
  contents: readonly GridContent[],
  used: readonly number[],
): Remark => {
  const { severity, code, params, path } = found;
  const [, origin, rest] = /^origins\.(\d+)\.?(.*)$/.exec(path) ?? [];
  const sender = origin === undefined ? null : (used[Number(origin)] ?? null);
  const region =
    typeof params['region'] === 'string'
      ? params['region']
      : typeof params['regions'] === 'string'
        ? params['regions'].split(',')[0]
        : undefined;
  const cell =
    sender === null
      ? { row: 0, column: 1 }
      : cellOfPath(template.senders[sender]!.grid, contents[sender]!, rest ?? '', region);
  return { severity, code, params, sender, ...cell };
};

/**
 * Reads the zones and prices from the grids. Collects the warnings that can be found without asking
 * the server.
 */
export const readTemplate = (
  template: Template,
): ReadTemplate & { contents: GridContent[]; used: number[] } => {
  const contents = template.senders.map(({ grid }) => contentOf(grid));
  const used = contents.flatMap(({ zones }, index) => (zones.length > 0 ? [index] : []));
  const origins = template.senders.flatMap(({ provinces }, index) => {
    const zones = contents[index]?.zones ?? [];
    return zones.length > 0 ? [{ provinces: [...provinces], zones }] : [];
  });
  const weight = { divisor: template.divisor, origins };
  const problems = contents.flatMap((content, sender) =>
    content.problems.map(({ code, row, column }): Remark => ({
      severity: 'error',
      code,
      params: {},
      sender,
      row,
      column,
    })),
  );
  const found =
    origins.length === 0
      ? []
      : lookOver(weight as TemplateContent).map((finding) =>
          remarkOf(finding, template, contents, used),
        );
  const readable = [template.discount, template.northeast_discount, template.divisor].every(
    (value) => !Number.isNaN(value),
  );
  return {
    state: { discount: template.discount, northeast_discount: template.northeast_discount, weight },
    remarks: [...problems, ...found],
    whole: problems.length === 0 && readable,
    contents,
    used,
  };
};

/** True if two templates are equal in every cell. */
export const sameTemplate = (one: Template, other: Template): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
