import type { TextsOf } from '#locales/texts.ts';
import type { cargos as zh } from '#locales/zh-CN/cargos.ts';

export const cargos = {
  new: 'New goods',
  searches: 'Name',
  hint: 'Goods are what the order form offers as content; every carrier needs at least one that is enabled.',
  name: 'Name',
  type: 'Type',
  provider: 'Carrier',
  priority: 'Priority',
  priority_hint: '0–9999; higher numbers stand first.',
  banned: 'May not be shipped',
  banned_hint: 'Orders with it are stopped and show the reason below.',
  banned_reason: 'Reason',
  banned_tag: 'Banned',
  allowed: 'Allowed',
  used: 'Last 30 days',
  used_long: 'Parcels of the last 30 days',
  provider_fixed: 'The carrier cannot be changed later.',
  priority_bounds: 'A whole number from 0 to 9999',
  reason_missing: 'Say why it may not be shipped',
  order: 'Arrange',
  order_hint: 'Top to bottom is how the order form lists them. Drag the handle, or focus it and use the arrow keys.',
  order_first: 'These are the first {count}; the rest keep their places.',
  ordered: 'Order saved',
} satisfies TextsOf<typeof zh>;
