import { endpoint } from '#base/endpoint.ts';
import { managers, office } from '#base/roles.ts';
import type { schemas } from './setting-calls.schema.ts';
export type { SettingRaise, SettingRow } from './setting-calls.schema.ts';

const base = '/api/arco/settings';

export const listSettings = endpoint<typeof schemas.listSettings>({
  method: 'GET',
  path: base,
  roles: ['super'],
  summary: 'The network’s settings, each with the change that waits.',
});

/**
 * A higher money limit, or a shorter retention of evidence, does not take effect yet: the response
 * contains the waiting change. Any other setting is changed immediately. In both cases an earlier
 * waiting change of the same setting is discarded.
 */
export const editSetting = endpoint<typeof schemas.editSetting>({
  method: 'PATCH',
  path: `${base}/{name}`,
  roles: ['super'],
  summary: 'Change one setting.',
});

/**
 * The amounts in fen that one person may move without a second person. The dialogs that move money
 * show these amounts.
 */
export const moneyLimits = endpoint<typeof schemas.moneyLimits>({
  method: 'GET',
  path: '/api/arco/settings/limits',
  roles: office,
  summary: 'The money limits of one person.',
});

/**
 * The payee, bank and account number that a station sees when it requests a top-up, as an
 * administrator entered them; '' if there are none.
 */
export const paymentAccount = endpoint<typeof schemas.paymentAccount>({
  method: 'GET',
  path: '/api/arco/settings/payment-account',
  roles: managers,
  summary: 'Where stations pay their top-ups to.',
});

const decision = (what: 'confirm' | 'cancel', summary: string) =>
  endpoint<typeof schemas.confirmRaise>({
    method: 'POST',
    path: `${base}/raises/{id}/${what}`,
    roles: office,
    summary,
  });
export const confirmRaise = decision(
  'confirm',
  'Let a raised money limit or a shorter retention take effect now; never by its requester.',
);
export const cancelRaise = decision(
  'cancel',
  'Withdraw a raised money limit or a shorter retention before it takes effect.',
);
