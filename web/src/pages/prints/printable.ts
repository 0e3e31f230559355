import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import type { Printable } from '#printing/printable.ts';

/** The parcel of a print record, as input to print its label again. */
export const printableOf = ({ express_id, delivery_id, print_count }: PrintRecord): Printable => ({
  id: express_id,
  delivery_id,
  order_id: '',
  print_count,
});

/** The parcels of these print records in the same order, each only once. */
export const printablesOf = (rows: readonly PrintRecord[]): Printable[] => [
  ...new Map(rows.map((row) => [row.express_id, printableOf(row)])).values(),
];
