import type { EnglishTextsOf } from '#locales/texts.ts';
import type { cargos as zh } from '#locales/zh-CN/cargos.ts';

export const cargos = {
  new: 'New goods',
  searches: 'Name',
  hint: 'Goods are the content choices in the order form. Each carrier needs at least one that is enabled.',
  name: 'Name',
  type: 'Type',
  provider: 'Carrier',
  priority: 'Priority',
  priority_hint: '0–9999; higher numbers come first.',
  banned: 'May not be shipped',
  banned_hint: 'Orders with it are rejected and show the reason below.',
  banned_reason: 'Reason',
  banned_tag: 'Banned',
  allowed: 'Allowed',
  used: 'Last 30 days',
  used_long: 'Parcels of the last 30 days',
  provider_fixed: 'The carrier cannot be changed later.',
  priority_bounds: 'Enter a whole number from 0 to 9999',
  reason_missing: 'Enter a reason for the ban',
  order: 'Arrange',
  order_hint: 'This is the order in the order form. Drag the handle, or focus it and use the arrow keys.',
  order_first: 'Showing the first {count}; the rest keep their order.',
  ordered: 'Order saved',
} satisfies EnglishTextsOf<typeof zh>;
