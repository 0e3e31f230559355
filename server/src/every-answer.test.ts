import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roles } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { exampleKeys } from '#features/demo/network.ts';
import { carrierFee } from '#domain/ledger/ledger.ts';
import { oneRow, openDb, sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { createLog, silentLog } from '#platform/log.ts';
import { isRead, mayHave, nameOf, openWorld, rolesInTurn, rolesOf } from '#testing/access.ts';
import type { World } from '#testing/access.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { routes } from './routes.ts';

const lines: string[] = [];
let system: TestSystem;
let world: World;

/** The phone and the cost of the clerk's parcels, which no other row of these tests has. */
const phone = '13900000001';
const cost = 918_273;

/** The unchanged responses to requests of every role. */
const answers: { role: Role; name: string; status: number; text: string }[] = [];
const of = (wanted: (role: Role) => boolean, name?: string): typeof answers =>
  answers.filter((one) => wanted(one.role) && (name === undefined || one.name === name));
const office = (role: Role): boolean => role === 'super' || role === 'admin';

/** The tables whose rows were changed by GET requests other than `recording`. */
let changedByReads: string[];
/**
 * The GET requests that record a result: the proof of the ledger stores its findings, and the sheet
 * of failed rows stores its columns, so that the repaired sheet is recognised.
 */
const recording = new Set(['GET /api/arco/ledger/proof', 'GET /api/arco/imports/{id}/failed.xlsx']);

/** Endpoints that are left out: they answer with a token, or end the session of the caller. */
const left = new Set(['POST /api/arco/login/password', 'POST /api/arco/logout']);

/** A hash of all rows of each table. The owner reads them, because the server's role may not. */
const tableHashes = async (): Promise<Map<string, string | null>> => {
  const owner = openDb({ connection: system.database.owner, max: 1, log: silentLog() });
  const hashes = await owner.tx(systemScope('test'), async (work) => {
    const tables = await sql<{ name: string }>`select tablename as name from pg_tables
      where schemaname = 'public' order by 1`.execute(work.tx);
    const found = new Map<string, string | null>();
    for (const { name } of tables.rows) {
      const { hash } = await oneRow(
        work,
        sql<{ hash: string | null }>`
          select md5(string_agg(t::text, ' ' order by t::text)) as hash from ${sql.table(name)} t`,
      );
      found.set(name, hash);
    }
    return found;
  });
  await owner.close();
  return hashes;
};

beforeAll(async () => {
  // The demo is switched off, because it shows its password on purpose.
  system = await openTestSystem({
    config: { demo: false },
    log: createLog('trace', { write: (line) => void lines.push(line) }),
  });
  world = await openWorld(system);
  await world.ask(world.tokens.user, 'GET /api/arco/expresses/{id}', 'own');
  const parcels = await rowsOf(
    system,
    sql<{ id: number; station_id: number }>`update expresses
    set jd_amount = ${cost} returning id, station_id`,
  );
  // Each fee gets a posting, because the ledger proof reports a fee without a posting.
  await system.app.db.tx(systemScope('test'), async (work) => {
    for (const { id, station_id } of parcels)
      await carrierFee(work, {
        express_id: id,
        station_id,
        amount_total: cost,
        cause: `every answer ${id}`,
        at: new Date(),
        by: null,
      });
  });
  const recordAnswer = async (role: Role, name: string): Promise<void> => {
    const { status, data, bytes } = await world.ask(world.tokens[role], name, 'own', {
      fresh: !isRead(name),
    });
    answers.push({
      role,
      name,
      status,
      text: data === null ? bytes.toString('latin1') : JSON.stringify(data),
    });
  };
  const may = (role: Role, name: string): boolean => {
    const allowed = rolesOf(name);
    return (
      !left.has(name) &&
      (allowed === 'public' || allowed.includes(role)) &&
      mayHave(role, name, 'own')
    );
  };
  const names = routes.map(nameOf);
  // Writes are called first, by the role with the fewest rights first, and reads last, so that the
  // reads show what was written.
  const writes = names
    .filter((one) => !isRead(one))
    .flatMap((name) => roles.toReversed().map((role) => [name, role] as const));
  for (const [name, role] of rolesInTurn(
    writes.filter(([name, role]) => may(role, name)),
    0,
  ))
    await recordAnswer(role, name);
  for (const name of names.filter(isRead))
    await Promise.all(
      roles.filter((role) => may(role, name)).map((role) => recordAnswer(role, name)),
    );
  // The rows that the requests need exist now, so only the requests themselves could change a row.
  await system.worker.stop();
  const before = await tableHashes();
  for (const name of names.filter((one) => isRead(one) && !recording.has(one))) {
    const reader = roles.find((role) => may(role, name));
    if (reader) await world.ask(world.tokens[reader], name, 'own');
  }
  const after = await tableHashes();
  changedByReads = [...after.keys()].filter((name) => after.get(name) !== before.get(name));
});
afterAll(() => system.close());

const keysOf = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);

describe('every response of the API', () => {
  it('every request with valid input returns status 200, for every route and role', () => {
    expect(
      answers
        .filter(({ status }) => status !== 200)
        .map(({ role, name, status, text }) => `${role} ${name} ${status} ${text.slice(0, 200)}`),
    ).toEqual([]);
    expect(new Set(answers.map(({ name }) => name)).size).toBe(routes.length - left.size);
  });

  it('a GET request adds only audit log entries to the database, unless it is the ledger proof or the sheet of failed import rows', () => {
    expect(changedByReads).toEqual(['audit_log']);
  });

  it('only responses to office users contain the carrier’s cost', () => {
    expect(
      of(office, 'GET /api/arco/expresses/{id}').every(({ text }) =>
        text.includes(`"jd_amount":${cost}`),
      ),
    ).toBe(true);
    expect(
      of((role) => !office(role)).filter(
        ({ text }) => /"jd_amount"/.test(text) || text.includes(String(cost)),
      ),
    ).toEqual([]);
  });

  it('only responses to office users contain the platform’s revenue, cost and margin', () => {
    expect(
      of(office, 'GET /api/arco/workplace/money').every(
        ({ text }) => /"margin":-?\d/.test(text) && /"revenue":-?\d/.test(text),
      ),
    ).toBe(true);
    expect(
      of((role) => !office(role))
        .filter(({ text }) => /"(margin|revenue|cost)"/.test(text))
        .map(({ role, name }) => `${role} ${name}`),
    ).toEqual([]);
  });

  it('no response contains stored pricing terms, carrier requests or secrets, except for a newly generated password', () => {
    const never = [
      'terms',
      'shares',
      'order_request',
      'password',
      'password_hash',
      'token_hash',
      'push_secret',
    ];
    // The server generates a first password and shows it only once, to the manager, who gives it to
    // the user.
    const once = new Set(['POST /api/arco/users', 'POST /api/arco/users/{id}/password']);
    const found = answers.flatMap(({ role, name, text }) => {
      const keys = new Set(text.startsWith('{') ? keysOf(JSON.parse(text)) : []);
      return never
        .filter((key) => keys.has(key) && !(key === 'password' && once.has(name)))
        .map((key) => `${role} ${name} ${key}`);
    });
    expect(found).toEqual([]);
  });

  it('only responses to the parcel’s own station contain whole phone numbers, except from the endpoints that reveal or parse them', () => {
    const own = (role: Role): boolean => role === 'user' || role === 'station';
    expect(of(own, 'GET /api/arco/expresses/{id}').every(({ text }) => text.includes(phone))).toBe(
      true,
    );
    // These endpoints show whole phones on purpose, or receive them from the caller.
    const open = new Set(['POST /api/arco/expresses/{id}/reveal', 'POST /api/arco/address/parse']);
    expect(
      of((role) => !own(role))
        .filter(({ name, text }) => !open.has(name) && text.includes(phone))
        .map(({ role, name }) => `${role} ${name}`),
    ).toEqual([]);
  });
});

describe('secrets in responses, log lines and tables', () => {
  const tried = 'canary-wrong-password-5d1f';
  let secrets: Record<string, string>;
  beforeAll(async () => {
    await system.call(null, 'POST', '/api/arco/login/password', {
      username: 'clerk',
      password: tried,
    });
    await system.call(tried.padEnd(43, 'x'), 'GET', '/api/arco/personal');
    const made = await system.call<{ key: string }>(world.tokens.user, 'POST', '/api/arco/keys', {
      name: 'shop',
      scopes: ['parcels'],
      password: 'waystation-demo',
    });
    const { key } = made.data;
    expect((await system.call(key, 'GET', '/api/arco/expresses')).status).toBe(200);
    await system.call(key.slice(0, -1), 'GET', '/api/arco/expresses');
    const hashes = await rowsOf(
      system,
      sql<{ hash: string }>`select password_hash as hash
      from accounts where username = 'clerk'`,
    );
    secrets = {
      'app key': exampleKeys.app_key,
      'app secret': exampleKeys.app_secret,
      'carrier token': exampleKeys.access_token,
      'API key': key.slice(0, -1),
      'push secret': system.network.push_secret,
      password: system.app.config.demoPassword,
      'password that was wrong': tried,
      'password hash': hashes[0]!.hash,
      'server key': system.app.config.secretKey.toString('hex'),
      ...Object.fromEntries(roles.map((role) => [`session of ${role}`, world.tokens[role]])),
    };
  });
  const hits = (texts: readonly { where: string; text: string }[]): string[] =>
    Object.entries(secrets).flatMap(([what, secret]) =>
      texts.filter(({ text }) => text.includes(secret)).map(({ where }) => `${what} in ${where}`),
    );

  it('no response contains a secret', () => {
    expect(
      hits(answers.map(({ role, name, text }) => ({ where: `${role} ${name}`, text }))),
    ).toEqual([]);
  });

  it('no log line contains a secret', () => {
    expect(lines.length).toBeGreaterThan(answers.length);
    expect(hits(lines.map((text) => ({ where: text.slice(0, 200), text })))).toEqual([]);
  });

  it('no log line contains a recipient’s name, phone or postal address, even after a failed database statement', async () => {
    const people = ['张三', '13900000001', '世纪大道100号'];
    const broken = (async () =>
      system.app.db.tx(systemScope('test'), (work) =>
        sql`insert into contacts (station_id, kind, name, phone, province, city, county, address)
          values (${system.station('nanshan').id}, 'nobody', ${people[0]}, ${people[1]}, '', '', '',
            ${people[2]})`.execute(work.tx),
      ))();
    await broken.catch((error: unknown) => {
      system.app.log.error({ err: error }, 'a request failed');
    });
    expect(lines.at(-1)).toContain('contacts_kind_check');
    expect(lines.filter((line) => people.some((text) => line.includes(text)))).toEqual([]);
  });

  it('no table contains a secret, except for the password hash in accounts', async () => {
    const found: string[] = [];
    // The owner role reads the tables, because the server's own role may not read some of them.
    const owner = openDb({ connection: system.database.owner, max: 1, log: silentLog() });
    await owner.tx(systemScope('test'), async (work) => {
      const tables = await sql<{ name: string }>`select tablename as name from pg_tables
        where schemaname = 'public' order by 1`.execute(work.tx);
      for (const { name } of tables.rows)
        for (const [what, secret] of Object.entries(secrets)) {
          const { rows } = await sql`select 1 from ${sql.table(name)} t
            where position(${secret} in t::text) > 0 limit 1`.execute(work.tx);
          if (rows.length > 0) found.push(`${what} in ${name}`);
        }
    });
    await owner.close();
    expect(found.toSorted()).toEqual(['password hash in accounts']);
  });
});
