import type { ExpressRow } from '@waystation/contract/express.ts';
import type { Say } from '#base/texts.ts';
import type { Column } from '#resource/table/column.ts';
import { kg, yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import { FieldValue } from './field-value.tsx';
import { parcelFields } from './fields.ts';
import type { ParcelFieldKey } from './fields.ts';

const endAligned = new Set(['money', 'kg', 'cm', 'number']);

const figureOf = (row: ExpressRow, key: ParcelFieldKey): number | null => {
  const value = (row as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'number' ? value : null;
};

/** What the station pays less what the carrier charges, before shares; known once both are. */
export const marginOf = (row: Pick<ExpressRow, 'voucher_id' | 'post_amount' | 'jd_amount'>): number | null =>
  row.voucher_id === null || row.jd_amount === null || row.jd_amount === undefined ? null : row.post_amount - row.jd_amount;

/** A column for every field that no column of the list shows by itself: not drawn until a person asks for it. */
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
        ...(field.kind === 'kg' && { sum: { of: (row: ExpressRow) => figureOf(row, field.key), show: kg } }),
        exports: [...(field.name ? [{ key: field.name, title }] : []), { key: field.key, title: field.name ? t('parcel.id_of', { field: title }) : title }],
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
          // Made of two others, which a file holds.
          exports: [],
          fen: marginOf,
          sum: { of: marginOf, show: yuan },
          cell: (row: ExpressRow) => (
            <span title={t('parcel.margin_hint')}>
              <Money fen={marginOf(row)} />
            </span>
          ),
        },
      ]
    : []),
];
