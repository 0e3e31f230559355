import type { promises as zh } from '#locales/zh-CN/promises.ts';
import type { EnglishTextsOf } from '#locales/texts.ts';

export const promises = {
  new: 'New delivery time',
  searches: 'Name or code',
  hint: 'A delivery time is a product of the carrier, such as express or standard; freight templates price it.',
  code: 'Product code',
  code_hint: 'The carrier’s product code; it cannot be changed later.',
  name: 'Name',
  name_en: 'English name',
  cutoff: 'Cut-off',
  cutoff_hint: 'Latest time for same-day pickup, Beijing time; empty means none.',
  cutoff_shape: 'Enter a time such as 18:00',
  sort: 'Order',
  sort_hint: '0–9999; lower numbers come first in the order form.',
  sort_bounds: 'Enter a whole number from 0 to 9999',
  vouchers: 'Templates',
  vouchers_long: 'Enabled freight templates',
  used: 'Parcels, 30 days',
  used_long: 'Parcels of the last 30 days',
  average: 'Average time',
  average_long: 'Average time from order to signature, parcels signed for in 30 days',
  on_time: 'On time',
  on_time_long:
    'Delivered by the carrier’s promised time, of the parcels whose time has passed in 30 days',
  due_long: 'Parcels whose promised time has passed in 30 days',
  days: '{days} days',
  lanes: 'Lanes',
  lane: '{from} to {count} of {total} provinces',
  anywhere: 'Any province',
  everywhere: 'Any other province',
  not_served: ' (not served)',
  no_lanes: 'No lanes yet',
  no_lanes_hint:
    'Lanes follow from the published freight templates; they are not listed separately.',
} satisfies EnglishTextsOf<typeof zh>;
