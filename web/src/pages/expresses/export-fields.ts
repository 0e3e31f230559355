import type { ExpressRow } from '@waystation/contract/express.ts';
import type { Say } from '#app/texts.ts';
import type { Column } from '#ui/column.ts';

/** The columns of the parcel list with the fields each stands for in a file, and those that cannot be hidden. */
export const withExports = (t: Say, columns: readonly Column<ExpressRow>[]): Column<ExpressRow>[] => {
  const fields: Readonly<Record<string, readonly { key: string; title: string }[]>> = {
    number: [
      { key: 'delivery_id', title: t('expresses.number') },
      { key: 'order_id', title: t('expresses.order_id') },
    ],
    state: [{ key: 'state_txt', title: t('expresses.state') }],
    receiver: [
      { key: 'receive_name', title: t('expresses.receiver') },
      { key: 'receive_phone', title: t('expresses.receive_phone') },
    ],
    place: [
      { key: 'receive_place', title: t('expresses.place') },
      { key: 'receive_address', title: t('expresses.receive_address') },
    ],
    goods: [{ key: 'goods', title: t('expresses.goods') }],
    pieces: [{ key: 'package_count', title: t('expresses.pieces') }],
    weight: [
      { key: 'weight', title: t('expresses.weight_declared') },
      { key: 'cal_weight', title: t('expresses.cal_weight') },
    ],
    amount: [{ key: 'post_amount', title: t('common.post_amount') }],
    prints: [{ key: 'print_count', title: t('expresses.prints') }],
    created: [{ key: 'created_at', title: t('expresses.created') }],
    station: [{ key: 'station_name', title: t('common.station') }],
  };
  return columns.map((column) => ({ ...column, exports: fields[column.key] ?? [], fixed: column.pin !== undefined }));
};
