import type { Say } from '#base/texts.ts';
import type { ColumnPreset } from '#resource/list/column-arrangement.ts';

/** The columns for each kind of work, between the parcel's number and its actions. */
const tasks = {
  clerk: [
    'state',
    'receiver',
    'place',
    'goods',
    'pieces',
    'weight',
    'cal_weight',
    'amount',
    'prints',
    'created',
  ],
  money: [
    'state',
    'station',
    'weight',
    'cal_weight',
    'pre_amount',
    'discount',
    'discount_amount',
    'guarantee_amount',
    'surcharge_amount',
    'amount',
    'jd_amount',
    'margin',
  ],
  follow_up: [
    'state',
    'receiver',
    'receive_phone',
    'place',
    'station',
    'user_id',
    'picked_up_at',
    'last_event_at',
    'state_remark',
    'pre_sort_result',
  ],
} as const;
type Task = keyof typeof tasks;

/**
 * Predefined arrangements of columns, one for each kind of work. Columns that this user does not
 * have are left out.
 */
export const presetsOf = (t: Say): ColumnPreset[] =>
  (Object.keys(tasks) as Task[]).map((key) => ({
    key,
    label: t(`expresses.preset.${key}`),
    columns: ['number', ...tasks[key], 'actions'],
  }));
