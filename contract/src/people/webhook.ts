import { endpoint } from '#base/endpoint.ts';
import { managers } from '#base/roles.ts';
import type { Role } from '#base/roles.ts';
import type { schemas } from './webhook.schema.ts';
export type { Webhook, WebhookDelivery } from './webhook.schema.ts';

/** The events that a webhook may subscribe to. A change of a parcel's state is one of them. */
export const webhookKinds = [
  'parcel.ordered',
  'parcel.refused',
  'parcel.on_hold',
  'parcel.moved',
  'parcel.signed',
  'parcel.exception',
  'parcel.returning',
  'parcel.returned',
  'parcel.cancelled',
  'parcel.reweighed',
  'parcel.repriced',
  'parcel.printed',
  'statement.posted',
  'balance.low',
  'request.decided',
  'month.closed',
  'import.finished',
] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** The reasons why an attempt to deliver failed. */
export const webhookErrors = [
  'status',
  'gone',
  'timeout',
  'unreachable',
  'connection_lost',
  'too_large',
  'denied',
  'internal',
  'paused',
] as const;
export type WebhookError = (typeof webhookErrors)[number];

export const webhookStatuses = ['live', 'stopped', 'disabled'] as const;
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'skipped'] as const;

/** The roles that can own webhooks; a super can read and disable the webhooks of other accounts. */
export const webhookOwners: readonly Role[] = ['admin', 'partner', 'station'];

const base = '/api/arco/webhooks';

export const listWebhooks = endpoint<typeof schemas.listWebhooks>({
  method: 'GET',
  path: base,
  roles: managers,
  key: 'webhooks',
  summary: 'Webhooks of the own account and of the accounts that the caller manages; no secrets.',
});

export const createWebhook = endpoint<typeof schemas.createWebhook>({
  method: 'POST',
  path: base,
  roles: webhookOwners,
  summary:
    'A new webhook of the own account; only this response has its secret, which signs as Standard Webhooks says.',
});

export const editWebhook = endpoint<typeof schemas.editWebhook>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: webhookOwners,
  summary: 'Change or enable an own webhook. Waiting deliveries start again once it is enabled.',
});

export const renewWebhookSecret = endpoint<typeof schemas.renewWebhookSecret>({
  method: 'POST',
  path: `${base}/{id}/secret`,
  roles: webhookOwners,
  summary: 'A new secret of an own webhook; the one before signs too for a day.',
});

export const setWebhookStatus = endpoint<typeof schemas.setWebhookStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: managers,
  summary:
    'Disable a webhook, so that events that happen meanwhile are not kept for it, or enable an own one. One that a manager disabled is enabled by that manager or the office.',
});

export const removeWebhook = endpoint<typeof schemas.removeWebhook>({
  method: 'POST',
  path: `${base}/{id}/remove`,
  roles: managers,
  summary: 'Remove a webhook with its deliveries.',
});

export const testWebhook = endpoint<typeof schemas.testWebhook>({
  method: 'POST',
  path: `${base}/{id}/test`,
  roles: webhookOwners,
  key: 'webhooks',
  summary: 'Send an event `webhook.test` to an own live webhook.',
});

export const listDeliveries = endpoint<typeof schemas.listDeliveries>({
  method: 'GET',
  path: `${base}/{id}/deliveries`,
  roles: managers,
  key: 'webhooks',
  summary: 'Deliveries of a webhook with the last attempt’s request and response, newest first.',
});

export const replayDelivery = endpoint<typeof schemas.replayDelivery>({
  method: 'POST',
  path: `${base}/{id}/deliveries/{delivery}/replay`,
  roles: webhookOwners,
  key: 'webhooks',
  summary: 'Send a delivery of an own webhook again, under the same `webhook-id`.',
});

export const replayDeliveries = endpoint<typeof schemas.replayDeliveries>({
  method: 'POST',
  path: `${base}/{id}/replay`,
  roles: webhookOwners,
  key: 'webhooks',
  summary:
    'Send the failed and skipped deliveries of an own webhook again whose events are of a time range.',
});
