import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { schemas } from './promise.schema.ts';
export type { DeliveryPromise } from './promise.schema.ts';

const base = '/api/arco/promises';

export const listPromises = endpoint<typeof schemas.listPromises>({
  method: 'GET',
  path: base,
  roles: office,
  summary:
    'Delivery times in the order of the order form, with what uses them and how long they took lately.',
});

export const getPromise = endpoint<typeof schemas.getPromise>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One delivery time.',
});

export const createPromise = endpoint<typeof schemas.createPromise>({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new delivery time; its code is unique with its carrier.',
});

/**
 * The request contains only the changed fields. The product code cannot be changed, because
 * templates and parcels contain it.
 */
export const editPromise = endpoint<typeof schemas.editPromise>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a delivery time; its code and carrier stay.',
});

export const setPromiseStatus = endpoint<typeof schemas.setPromiseStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a delivery time; disabled, no scheme offers it.',
});

export const promiseUsage = usageOf(base, office);

/** The lanes of a delivery time: those that the published templates in force cover. */
export const promiseCoverage = endpoint<typeof schemas.promiseCoverage>({
  method: 'GET',
  path: `${base}/{id}/coverage`,
  roles: office,
  summary: 'The lanes of a delivery time, as its templates in force serve them.',
});
