import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './api-key.schema.ts';
export type { ApiKey } from './api-key.schema.ts';

const base = '/api/arco/keys';

/**
 * The first characters of every API key; tools that search repositories for secrets find keys by
 * them.
 */
export const keyPrefix = 'wsk_';

export const listKeys = endpoint<typeof schemas.listKeys>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'API keys of the own account and of the accounts that the caller manages; no secrets.',
});

export const createKey = endpoint<typeof schemas.createKey>({
  method: 'POST',
  path: base,
  roles: everyone,
  summary:
    'A new API key of the own account or of one that the caller manages; only this response has the key.',
});

export const limitKey = endpoint<typeof schemas.limitKey>({
  method: 'POST',
  path: `${base}/{id}/limit`,
  roles: everyone,
  summary:
    'Set or take back what an API key may order for on a business day; its next order obeys it.',
});

export const revokeKey = endpoint<typeof schemas.revokeKey>({
  method: 'POST',
  path: `${base}/{id}/revoke`,
  roles: everyone,
  summary: 'End an API key; its next call fails.',
});
