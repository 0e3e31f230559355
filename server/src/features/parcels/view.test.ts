import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { isListedTime, listColumns } from './list-columns.ts';
import { isoOf } from './view.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('the times of a list', () => {
  it('times of a list are its columns that PostgreSQL has as times', async () => {
    const { rows } = await app.db.tx(systemScope('test'), (tx) =>
      sql<{
        name: string;
      }>`select attname::text as name from pg_attribute where attrelid = 'expresses'::regclass and atttypid = 'timestamptz'::regtype`.execute(tx),
    );
    const times = new Set(rows.map(({ name }) => name));
    expect(listColumns.filter((column) => isListedTime(column))).toEqual(listColumns.filter((column) => times.has(column)));
  });

  it('times of a list are answered as those of a single parcel, whatever the fraction of a second', async () => {
    const dates = fc.sample(fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }), 300);
    const { rows } = await app.db.tx(systemScope('test'), (tx) =>
      sql<{ at: Date; text: string }>`select at, at::text as text from unnest(${dates}::timestamptz[]) at
        union all select at, at::text from unnest(array['2026-11-23 08:00+00', '2026-11-23 08:00:00.5+00', '2026-11-23 08:00:00.123456+08']::timestamptz[]) at`.execute(
        tx,
      ),
    );
    for (const { at, text } of rows) expect(isoOf(text), text).toBe(at.toISOString());
  });

  it('times in another time zone of the database are the same moments', () => {
    expect(isoOf('2026-11-23 16:00:00.25+08')).toBe('2026-11-23T08:00:00.250Z');
  });
});
