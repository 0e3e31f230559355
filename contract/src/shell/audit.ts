import { endpoint } from '#base/endpoint.ts';
import { everyone, managers } from '#base/roles.ts';
import type { schemas } from './audit.schema.ts';
export type { AuditRow } from './audit.schema.ts';

/**
 * Lists all entries for super and admin; partner and station read one record (`subject` and
 * `subject_id`) within their stations.
 */
export const listAudit = endpoint<typeof schemas.listAudit>({
  method: 'GET',
  path: '/api/arco/audit',
  roles: managers,
  reads: 'stale',
  summary:
    'Changes, newest first; of one record with subject and subject_id, without which only super and admin may ask.',
});

export const countAudit = endpoint<typeof schemas.countAudit>({
  method: 'GET',
  path: '/api/arco/audit/counts',
  roles: managers,
  reads: 'stale',
  summary:
    'How many changes the filters of the log match; above 10,000 “at least”, unless exact: 1.',
});

export const expressAudit = endpoint<typeof schemas.expressAudit>({
  method: 'GET',
  path: '/api/arco/expresses/{id}/audit',
  roles: everyone,
  summary: 'What was done to a parcel and by whom, newest first.',
});
