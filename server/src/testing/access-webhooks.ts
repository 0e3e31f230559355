import { webhookKinds } from '@waystation/contract/people/webhook.ts';
import { sql } from '#platform/db/db.ts';
import { targets } from './access-row.ts';
import type { Row } from './access-row.ts';
import { rowsOf } from './test-system.ts';
import type { TestSystem } from './test-system.ts';

// The rows of the access table for the webhook routes.

let made = 0;
/** Creates a webhook of a manager of the station. */
const webhook = async (system: TestSystem, station_id: number): Promise<number> => {
  const rows = await rowsOf(
    system,
    sql<{ id: number }>`with account as (
        insert into accounts (username, role, station_id, password_hash)
          values (${`with-webhook-${++made}`}, 'station', ${station_id}, '') returning id)
      insert into webhooks (account_id, role, station_id, name, url, kinds, secret, resume_at,
          served_at)
        select id, 'station', ${station_id}, 'shop', 'https://hooks.example.com/',
          '{parcel.signed}', '\\x00', now(), now() from account returning id`,
  );
  return rows[0]!.id;
};

/**
 * The lowest id of the deliveries that this file inserts. It is so high that no other delivery ever
 * gets it.
 */
const deliveriesFrom = 1_000_000_000;

/** Creates the only webhook of the administrator, with one delivery. */
const ofAdmin = async (system: TestSystem): Promise<number> => {
  const rows = await rowsOf(
    system,
    sql<{ id: number }>`with earlier as (update webhooks set status = 'removed'
        where role = 'admin'),
      made as (
      insert into webhooks (account_id, role, name, url, kinds, secret, resume_at, served_at)
        select id, 'admin', 'shop', 'https://hooks.example.com/', '{parcel.signed}', '\\x00', now(),
          now() from accounts where username = 'admin' returning id)
      insert into webhook_deliveries (id, webhook_id, message_id, event_no, kind, subject,
          subject_id, at, status, begun_at, next_at) overriding system value
        select ${deliveriesFrom} + id, id, 'msg_1', 0, 'webhook.test', 'webhooks', id, now(), 'failed', now(), now()
        from made returning webhook_id as id`,
  );
  return rows[0]!.id;
};

const present = targets.filter((target) => target !== 'absent');
/**
 * The targets whose webhooks each role may read, disable and remove. The webhooks belong to station
 * managers, so the roles above a manager have these rights.
 */
const managed: NonNullable<Row['mine']> = {
  super: present,
  admin: present,
  partner: present.filter((target) => target !== 'stranger'),
  station: [],
  user: [],
};
/** The targets whose webhooks each role may change. Only the owner of a webhook may change it. */
const owned: NonNullable<Row['mine']> = {
  super: [],
  admin: present,
  partner: [],
  station: [],
  user: [],
};

const settings = {
  name: 'shop',
  url: 'https://hooks.example.com/',
  events: [...webhookKinds],
  station_id: null,
  with_below: 0,
  password: 'waystation-demo',
};

const of = (mine: Row['mine'], after: string, body?: object): Row => ({
  about: 'row',
  owned: true,
  ...(mine && { mine }),
  make: mine === owned ? ofAdmin : webhook,
  path: (id) => `/api/arco/webhooks/${id}${after}`,
  ...(body && { body: () => body }),
});

export const webhooks: Record<string, Row> = {
  'GET /api/arco/webhooks': { about: 'nothing' },
  'POST /api/arco/webhooks': { about: 'nothing', body: () => settings },
  'PATCH /api/arco/webhooks/{id}': of(owned, '', { ...settings, version: 1 }),
  'POST /api/arco/webhooks/{id}/secret': of(owned, '/secret', { password: settings.password }),
  'POST /api/arco/webhooks/{id}/status': of(managed, '/status', { status: 'disabled' }),
  'POST /api/arco/webhooks/{id}/remove': of(managed, '/remove', {}),
  'POST /api/arco/webhooks/{id}/test': of(owned, '/test', {}),
  'GET /api/arco/webhooks/{id}/deliveries': of(managed, '/deliveries'),
  'POST /api/arco/webhooks/{id}/deliveries/{delivery}/replay': {
    ...of(owned, '', {}),
    path: (id) => `/api/arco/webhooks/${id}/deliveries/${deliveriesFrom + id}/replay`,
  },
  'POST /api/arco/webhooks/{id}/replay': of(owned, '/replay', {
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-02T00:00:00Z',
  }),
};
