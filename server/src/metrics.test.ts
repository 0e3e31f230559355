import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { sql } from '#platform/db/db.ts';
import { proveBooks } from './commands/prove.ts';
import { scope } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

const hour = 3_600_000;
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const figuresOf = async (): Promise<Record<string, number>> => {
  const { registry, refresh } = createMetrics(app);
  await refresh();
  const lines = (await registry.metrics()).matchAll(/^(waystation_\w+)(?:\{[^}]*\})? (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
};

it('the metrics contain the job queue, open alerts, suspended stations and the age of the last ledger check', async () => {
  const quiet = await figuresOf();
  expect(quiet).toMatchObject({
    waystation_database_up: 1,
    waystation_jobs_stopped: 0,
    waystation_alerts_open: 0,
    waystation_stations_blocked: 0,
    waystation_parcels_ordering: 0,
  });
  const now = app.clock.now();
  await app.db.tx(scope, async ({ tx }) => {
    await sql`select graphile_worker.add_job('prove_ledger', '{}'::json,
      run_at => ${now}::timestamptz - interval '90 seconds', max_attempts => 3)`.execute(tx);
    await sql`insert into alerts (code, key, at) values ('job_failed', 'planted', ${now})`.execute(
      tx,
    );
    await sql`with account as (insert into merchants (name, provider, customer_code, base_url)
        values ('示例', 'jdl', 'metrics', '') returning id)
      insert into carrier_calls (merchant_id, operation, outcome, ms, at)
      select id, 'trace', outcome, 10, ${now}::timestamptz + interval '2 hours' - interval '1 minute'
        from account, unnest(array['ok', 'refused', 'unknown']) outcome`.execute(tx);
  });
  await app.db.tx(scope, async ({ tx }) => {
    await sql`insert into accounts (username, role, password_hash)
      values ('shop', 'admin', '')`.execute(tx);
    await sql`with hook as (insert into webhooks
        (account_id, role, name, url, kinds, secret, failures, resume_at, served_at)
        select min(id), 'admin', name, 'https://example.com', '{}', '', failures, ${now}, ${now}
          from accounts, (values ('healthy', 0), ('failing', 3)) as h (name, failures)
          group by name, failures returning id)
      insert into webhook_deliveries
        (webhook_id, message_id, event_no, kind, subject, subject_id, at, begun_at, next_at)
      select id, 'planted ' || id, 0, 'webhook.test', 'webhooks', id, ${now}, ${now},
        ${now}::timestamptz + interval '1 hour' from hook`.execute(tx);
  });
  await app.db.tx(scope, async ({ tx }) => {
    await sql`insert into notice_channels (account_id, kind, name, address_hash, hint, language,
        kinds, status, asked_from, resume_at, failures)
      select min(id), 'webhook', 'planted', '', '', 'zh', '{}', c.status, ${now}, ${now}, c.failures
        from accounts, (values ('live', 0), ('live', 2), ('disabled', 3)) as c (status, failures)
        group by c.status, c.failures`.execute(tx);
  });
  await proveBooks(app, false, () => {});
  app.clock.advance(2 * hour);
  const busy = await figuresOf();
  expect(busy).toMatchObject({
    waystation_jobs_waiting: 1,
    waystation_alerts_open: 1,
    waystation_proof_age_seconds: 7_200,
    waystation_carrier_calls: 3,
    waystation_carrier_calls_failed: 1,
    waystation_imports_open: 0,
    waystation_webhooks_failing: 1,
    waystation_notice_channels: 2,
    waystation_notice_channels_failing: 1,
    waystation_mail_failing_seconds: 0,
    waystation_webhooks_behind_seconds: 3_600,
    waystation_workers_alive: 0,
    waystation_streams: 0,
    waystation_connections_most: app.config.poolSize,
  });
  expect(busy['waystation_oldest_job_seconds']).toBeCloseTo(7_290, 0);
});

it('while the database is down, the metrics report it as down, and a number that cannot be read is not shown as zero', async () => {
  const lost = { ...app, db: { ...app.db, rows: () => Promise.reject(new Error('away')) } };
  const { registry, refresh } = createMetrics(lost);
  await refresh();
  const text = await registry.metrics();
  expect(text).toContain('waystation_database_up 0');
  expect(text).toContain('waystation_alerts_open Nan');
});
