import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { auditActions, auditField, auditSubjects } from '@waystation/contract/shell/audit-words.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { sql } from '#platform/db/db.ts';
import { isRead, mayHave, nameOf, openWorld, rolesOf } from '#testing/access.ts';
import type { World } from '#testing/access.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { routes } from './routes.ts';

let system: TestSystem;
let world: World;
beforeAll(async () => {
  system = await openTestSystem();
  world = await openWorld(system);
});
afterAll(() => system.close());

/**
 * Makes the first carrier account the default again. A call may have changed the default, and the
 * next parcel needs an account whose carrier responds.
 */
afterEach(async () => {
  await rowsOf(
    system,
    sql`update merchants set is_default = 0 where is_default = 1
    and id <> (select min(id) from merchants)`,
  );
  await rowsOf(
    system,
    sql`update merchants set is_default = 1 where is_default = 0
    and id = (select min(id) from merchants)`,
  );
});

/**
 * POST requests that need no audit entry, each with the reason: it changes nothing, or nothing that
 * belongs to a record.
 */
const unaudited: Record<string, string> = {
  'POST /api/arco/login/password':
    'the table’s body is a failed try, which is counted, not audited; a login that succeeds is (login.test.ts)',
  'POST /api/arco/logout':
    'asked without a token here; one that ends a session is audited (login.test.ts)',
  'POST /api/arco/invitations/open': 'reads',
  'POST /api/arco/invitations/accept':
    'audited in the name of the invited account (invitations.test.ts)',
  'POST /api/arco/password-resets':
    'queues a mail; a link that is mailed is audited (password-resets.test.ts)',
  'POST /api/arco/password-resets/open': 'reads',
  'POST /api/arco/password-resets/accept':
    'audited in the name of the account (password-resets.test.ts)',
  'POST /api/user/menu': 'reads',
  'POST /api/arco/preferences': 'how the user’s screen looks, written with every click',
  'POST /api/arco/expresses/bulk/preview': 'counts',
  'POST /api/arco/counts': 'counts in the background and changes nothing',
  'POST /api/arco/bulk/preview': 'takes back what it tries',
  'POST /api/arco/vouchers/{id}/prices': 'reads a file and stores nothing',
  'POST /api/arco/vouchers/{id}/price-list': 'reads a file and stores nothing',
  'POST /api/arco/prints/{id}/result': 'what a printer did, on the record of the print itself',
  'POST /api/arco/prints/{id}/verify':
    'that a label was scanned back, on the record of the print itself',
  'POST /api/arco/handovers/{id}/scans':
    'each scan is a row of its hand-over, with who made it and when',
  'POST /api/arco/inbox/read':
    'what a person has seen of their own notices, marked with every click',
  'POST /api/arco/address/parse': 'reads',
  'POST /api/arco/expresses/quote': 'reads',
  'POST /api/arco/expresses/coverage': 'asks the carrier and stores nothing of the parcel',
  'POST /api/arco/expresses/{id}/track': 'asks the carrier for its trace, as the poll does',
  'POST /api/arco/expresses/{id}/outcome/check':
    'asks the carrier; what its answer settles is in the parcel’s messages, as after a repeat',
  'POST /api/arco/imports/{id}/quote': 'calculates',
  'POST /api/arco/imports/{id}/sample': 'calculates',
  'POST /api/arco/cargos/sheet': 'reads a sheet',
  'POST /api/arco/projects/{id}/preview': 'calculates',
  'POST /api/arco/projects/{id}/split': 'calculates',
  'POST /api/arco/vouchers/{id}/quote': 'calculates',
  'POST /api/arco/vouchers/{id}/check': 'calculates',
  'POST /api/arco/stations/{id}/price-preview': 'calculates',
  'POST /api/arco/stations/{id}/move-preview': 'calculates',
};

const writes = routes.map(nameOf).filter((name) => !isRead(name));
const weakestFirst: readonly Role[] = ['user', 'station', 'partner', 'admin', 'super'];
/** Returns the role with the fewest rights that may make the write. */
const doer = (name: string): Role => {
  const allowed = rolesOf(name);
  return (
    weakestFirst.find(
      (role) => (allowed === 'public' || allowed.includes(role)) && mayHave(role, name, 'own'),
    ) ?? 'super'
  );
};

/** Values that no other row contains. */
const poison = { text: 'poison-7f3a', number: 917_364_529, time: '2001-02-03T04:05:06.000Z' };

const declared = (schema: z.ZodMiniType): Set<string> => {
  const { properties = {}, anyOf = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as {
    properties?: object;
    anyOf?: { properties?: object }[];
  };
  return new Set(
    [properties, ...anyOf.map((form) => form.properties ?? {})].flatMap((form) =>
      Object.keys(form),
    ),
  );
};

const poisonFor = (type: string): unknown =>
  /int|numeric/.test(type)
    ? poison.number
    : /timestamp|date/.test(type)
      ? poison.time
      : type === 'jsonb'
        ? { a: poison.text }
        : poison.text;

describe('a write with undeclared columns', () => {
  let columns: { name: string; type: string }[];
  beforeAll(async () => {
    columns = await rowsOf(
      system,
      sql<{
        name: string;
        type: string;
      }>`select column_name as name, min(data_type) as type from information_schema.columns
        where table_schema = 'public' group by 1`,
    );
  });

  it.each(writes)(
    '%s succeeds despite undeclared columns in its body, and its audit rows have the request id and the user',
    async (name) => {
      const { endpoint } = routes.find((route) => nameOf(route) === name)!;
      const known = declared(endpoint.input);
      const extra = Object.fromEntries(
        columns
          .filter((column) => !known.has(column.name))
          .map((column) => [column.name, poisonFor(column.type)]),
      );
      expect(Object.keys(extra).length).toBeGreaterThan(150);
      const role = doer(name);
      const { status, data, headers } = await world.ask(
        endpoint.roles === 'public' ? null : world.tokens[role],
        name,
        'own',
        { fresh: true, change: (body) => ({ ...body, ...extra }) },
      );
      const expected = name === 'POST /api/arco/login/password' ? 400 : 200;
      expect({ status, data: status === expected ? null : data }).toEqual({
        status: expected,
        data: null,
      });
      if (name in unaudited) return;
      const rows = await rowsOf(
        system,
        sql<{ account_name: string; role: string }>`select account_name, role from audit_log
        where request_id = ${headers.get('x-request-id')}`,
      );
      expect(rows.length, name).toBeGreaterThan(0);
      for (const row of rows)
        expect(row).toEqual({ account_name: role === 'user' ? 'clerk' : role, role });
    },
  );

  it('a value that was sent in an undeclared column is stored in no table of the database', async () => {
    const tables = await rowsOf(
      system,
      sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = 'public' order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await rowsOf(
        system,
        sql<{ row: string }>`select left(t::text, 400) as row from ${sql.table(name)} t
          where t::text like ${`%${poison.text}%`} or t::text like ${`%${poison.number}%`}
            or t::text like '%2001-02-03%' limit 3`,
      );
      found.push(...rows.map(({ row }) => `${name}: ${row}`));
    }
    expect(found).toEqual([]);
  });

  it('every action, table and field in the audit rows of writes has a text to show', async () => {
    const rows = await rowsOf(
      system,
      sql<{
        action: string;
        subject: string;
        fields: string[];
      }>`select action, subject, array(select distinct f.key
        from audit_log b, jsonb_each(b.changes) f where b.action = a.action
        and b.subject = a.subject) as fields
        from audit_log a group by action, subject`,
    );
    const unsaid = rows.flatMap(({ action, subject, fields }) => [
      ...(action in auditActions ? [] : [`action ${action}`]),
      ...(subject in auditSubjects ? [] : [`subject ${subject}`]),
      ...fields
        .filter((field) => auditField(subject, field, 'zh') === field)
        .map((field) => `${subject}.${field}`),
    ]);
    expect([...new Set(unsaid)]).toEqual([]);
  });

  it('every write is audited, or listed here with the reason why not', () => {
    expect(Object.keys(unaudited).filter((name) => !writes.includes(name))).toEqual([]);
  });
});
