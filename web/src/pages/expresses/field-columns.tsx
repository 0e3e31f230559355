import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import type { Say } from '#base/texts.ts';
import type { Column } from '#resource/table/column.ts';
import { kg, yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { columnFields, hasFields } from './column-fields.ts';
import { FieldValue } from './field-value.tsx';
import { parcelFields } from './fields.ts';
import type { ParcelFieldKey } from './fields.ts';

const endAligned = new Set(['money', 'kg', 'cm', 'number']);

/** Undefined if the row was loaded before the column was added. */
const figureOf = (row: ExpressRow, key: ParcelFieldKey): number | null | undefined => {
  const value = (row as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'number' || value === undefined ? value : null;
};

/**
 * The price of the parcel minus the carrier's charge, without deducting the profit shares. Null
 * until both amounts are known.
 */
export const marginOf = (
  row: Pick<ExpressRow, 'voucher_id' | 'post_amount' | 'jd_amount'>,
): number | null => {
  const { voucher_id = null, post_amount, jd_amount = null } = row;
  return voucher_id === null || jd_amount === null ? null : post_amount - jd_amount;
};

/** The margin of a row in the list; undefined if the row was loaded before the column was added. */
const rowMargin = (row: ExpressRow): number | null | undefined =>
  hasFields(row, columnFields.margin) ? marginOf(row) : undefined;

/**
 * A column for each field that has no column of its own in the list. It is hidden until a user adds
 * it.
 */
export const fieldColumns = (t: Say, { office }: { office: boolean }): Column<ExpressRow>[] => [
  ...parcelFields
    .filter((field) => !field.within && !field.drawerOnly && (office || !field.office))
    .map((field): Column<ExpressRow> => {
      const title = t(`parcel.field.${field.key}`);
      return {
        key: field.key,
        title,
        width: Math.max(field.width ?? 96, 24 + title.length * (/[a-z]/.test(title) ? 7 : 13)),
        aside: true,
        ...(endAligned.has(field.kind) && { align: 'end' as const }),
        ...(field.kind === 'money' && {
          fen: (row: ExpressRow) => figureOf(row, field.key),
          sum: { of: (row: ExpressRow) => figureOf(row, field.key), show: yuan },
        }),
        ...(field.kind === 'kg' && {
          sum: { of: (row: ExpressRow) => figureOf(row, field.key), show: kg },
        }),
        exports: [
          ...(field.name ? [{ key: field.name, title }] : []),
          { key: field.key, title: field.name ? t('parcel.id_of', { field: title }) : title },
        ],
        cell: (row) => <FieldValue parcel={row} field={field} />,
      };
    }),
  ...(office
    ? [
        {
          key: 'margin',
          title: t('parcel.margin'),
          width: 96,
          align: 'end' as const,
          aside: true,
          // Exports leave out the margin, because they contain the two fields from which it is
          // calculated.
          exports: [],
          fen: rowMargin,
          sum: { of: rowMargin, show: yuan },
          cell: (row: ExpressRow) => (
            <span title={t('parcel.margin_hint')}>
              <Money fen={marginOf(row)} />
            </span>
          ),
        },
      ]
    : []),
];
