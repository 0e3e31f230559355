/**
 * The defects that can be planted in the toy adapter. Each value is a part of the name of the
 * promise that the defect breaks.
 */
export const defects = {
  'sends twice': 'an order whose answer is lost',
  'HTTP errors refuse': 'an order whose answer is lost',
  'everything not sent': 'an order whose answer is lost',
  'nothing not sent': 'a refused connection',
  'bytes by chance': 'an order is sent once',
  'product not read': 'another product',
  'window left out': 'a pickup window',
  'packages share a number': 'the codes on a label',
  'search orders': 'a search creates nothing',
  'silence means no order': 'a search creates nothing',
  'codes as words': 'in words, never by a raw code',
  'limits not enforced': 'enforced before sending',
  'hash by chance': 'fold to one history',
  'times unchecked': 'an empty field',
  'first of a push': 'a push of several parcels',
  'pushes throw': 'a forged or unreadable push',
  'failed pushes taken': 'a forged or unreadable push',
  'pickup without facts': 'a forged or unreadable push',
  'yuan as fen': 'a weight is grams',
  'fees unchecked': 'above the ceilings',
  'secrets in the record': 'has a secret',
  'expired token goes on': 'an expired token',
} as const satisfies Record<string, string>;
export type Defect = keyof typeof defects;
