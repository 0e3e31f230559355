import { expect } from 'vitest';
import { roles } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { addDays, businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { routes } from '#routes.ts';
import { targets } from './access-row.ts';
import type { Kind, Target } from './access-row.ts';
import { firstTopUp, table } from './access-table.ts';
import { limitMs } from './limits.ts';
import { inTurn } from './slices.ts';
import { eventually, exampleOrder, rowsOf } from './test-system.ts';
import type { Answer, TestSystem } from './test-system.ts';

const office: readonly Target[] = ['own', 'colleague', 'child', 'sibling', 'parent', 'stranger'];
const sees: Record<Role, readonly Target[]> = {
  super: office,
  admin: office,
  partner: ['own', 'colleague', 'child', 'sibling', 'parent'],
  station: ['own', 'colleague'],
  user: ['own'],
};
const stationOf = {
  own: 'nanshan',
  colleague: 'nanshan',
  child: 'keji',
  sibling: 'tianhe',
  parent: 'south',
  stranger: 'pudong',
} as const;
const usernames: Record<Role, string> = {
  super: 'super',
  admin: 'admin',
  partner: 'partner',
  station: 'station',
  user: 'clerk',
};
const absent = 987_654_321;

export const nameOf = ({ endpoint }: (typeof routes)[number]): string =>
  `${endpoint.method} ${endpoint.path}`;
export const rolesOf = (name: string): readonly Role[] | 'public' =>
  routes.find((route) => nameOf(route) === name)!.endpoint.roles;
export const isRead = (name: string): boolean => name.startsWith('GET ');

const takesForm = (name: string): boolean =>
  routes.find((route) => nameOf(route) === name)!.endpoint.takes === 'form';
/**
 * Converts a body to form data. Files and strings are added unchanged, and all other values are
 * added as JSON.
 */
const formOf = (body: object): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    form.append(
      name,
      value instanceof File || typeof value === 'string' ? value : JSON.stringify(value),
    );
  return form;
};

/** The accounts of all roles, and a function that calls an endpoint for a target's row. */
export interface World {
  tokens: Record<Role, string>;
  ask(
    token: string | null,
    name: string,
    target: Target,
    how?: {
      /** True if each call gets a new row; by default all calls share one row. */
      fresh?: boolean;
      /** Changes the body that the access table defines for the call. */
      change?: (body: object) => object;
    },
  ): Promise<Answer<unknown>>;
}

/**
 * Returns the parcel after the carrier has reported the outcome of its order. On a busy machine
 * this may take some time.
 */
const settled = (system: TestSystem, token: string, id: number): Promise<Express> =>
  eventually(async () => {
    const { data } = await system.call<Express>(token, 'GET', `/api/arco/expresses/${id}`);
    return data.state_code === 20 || (data.state_code === 100 && data.need_retry === 1)
      ? null
      : data;
  });

let keys = 0;
const key = () => ({ 'idempotency-key': `access-key-${++keys}` });

export const openWorld = async (system: TestSystem): Promise<World> => {
  const tokens = Object.fromEntries(
    await Promise.all(roles.map(async (role) => [role, await system.login(usernames[role])])),
  ) as Record<Role, string>;
  const { amount, at } = firstTopUp();
  for (const station of new Set(Object.values(stationOf))) await system.topUp(station, amount, at);
  const stationId = (target: Target): number =>
    target === 'absent' ? absent : system.station(stationOf[target]).id;
  const creator = (target: Target): string =>
    target === 'own' ? tokens.user : target === 'colleague' ? tokens.station : tokens.super;
  const make = async (kind: Kind, target: Target): Promise<number> => {
    if (target === 'absent') return absent;
    const place = ['own', 'colleague'].includes(target) ? {} : { station_id: stationId(target) };
    const content =
      kind === 'draft'
        ? { draft: 1, receive_name: '张三' }
        : exampleOrder({
            ...(kind === 'whole' && { draft: 1 }),
            ...(kind === 'refused' && { remark: '拒单' }),
          });
    const { status, data } = await system.call<Express>(
      { token: creator(target), headers: key() },
      'POST',
      '/api/arco/expresses',
      { ...content, ...place },
    );
    expect(status, `${kind} of ${target}: ${JSON.stringify(data)}`).toBe(200);
    await settled(system, tokens.super, data.id);
    return data.id;
  };
  const shared = new Map<string, Promise<number>>();
  const once = (name: string, made: () => Promise<number>): Promise<number> => {
    const known = shared.get(name) ?? made();
    shared.set(name, known);
    return known;
  };
  const idFor = async (name: string, target: Target, fresh: boolean): Promise<number> => {
    const row = table[name]!;
    if (row.about === 'nothing') return 0;
    if (row.about === 'station' || target === 'absent') return stationId(target);
    if (row.about === 'row') {
      const made = () => row.make!(system, stationId(target));
      return fresh ? made() : once(`${name} ${target}`, made);
    }
    const kind = row.kind ?? 'ordered';
    return fresh && kind !== 'ordered'
      ? make(kind, target)
      : once(`${kind} ${target}`, () => make(kind, target));
  };
  const ask: World['ask'] = async (token, name, target, how = {}) => {
    const { fresh = false, change = (body) => body } = how;
    const row = table[name]!;
    const [method, path] = name.split(' ') as [string, string];
    if (token !== null) await row.prepare?.(system);
    const id = await idFor(name, target, fresh);
    const body = row.body && change(row.body(id));
    return system.call(
      { token, headers: key() },
      method,
      row.path?.(id) ?? path,
      body && takesForm(name) ? formOf(body) : body,
    );
  };
  return { tokens, ask };
};

/**
 * True if a role may see the rows of a target. A clerk sees every record of the clerk's own
 * station, but not the parcels of other accounts.
 */
export const mayHave = (role: Role, name: string, target: Target): boolean => {
  const { about, mine } = table[name]!;
  if (mine) return mine[role].includes(target);
  return about !== 'parcel' && role === 'user'
    ? ['own', 'colleague'].includes(target)
    : sees[role].includes(target);
};

/**
 * The combinations of endpoint and role for which some rows belong to others and must be hidden.
 * `matrix.test.ts` tests the other combinations: endpoints that a role may not call, and endpoints
 * without a station.
 */
export const scopedCells = (): (readonly [string, Role])[] =>
  Object.keys(table).flatMap((name) => {
    const { about, owned } = table[name]!;
    if (about === 'nothing' || (about === 'row' && !owned)) return [];
    const allowed = rolesOf(name);
    return roles
      .filter((role) => allowed !== 'public' && allowed.includes(role))
      .filter((role) => targets.some((of) => of !== 'absent' && !mayHave(role, name, of)))
      .map((role) => [name, role] as const);
  });

/**
 * Returns the test cells of each endpoint. A daily run gets every role of an endpoint; `npm test`
 * gets one role, which changes from endpoint to endpoint. `first` differs between test files that
 * test the same endpoints.
 */
export const rolesInTurn = <T extends readonly [string, Role, ...unknown[]]>(
  cells: readonly T[],
  first: number,
): T[] =>
  [...Map.groupBy(cells, ([name]) => name).values()].flatMap((of, at) => inTurn(of, first + at));

/**
 * Checks the responses that a role gets for the rows of every target. `npm test` checks only two
 * targets, which change from endpoint to endpoint. The role may use the row of one of them, but not
 * the row of the other. With `deeds` it also executes permitted actions on a row that is created
 * for the test.
 */
export const expectCells = async (
  world: World,
  name: string,
  role: Role,
  deeds: boolean,
): Promise<void> => {
  const allowed = rolesOf(name);
  const token = world.tokens[role];
  if (allowed === 'public') return;
  if (!allowed.includes(role)) {
    expect((await world.ask(token, name, 'own')).status).toBe(403);
    return;
  }
  if (table[name]!.about === 'nothing') {
    expect((await world.ask(token, name, 'own')).status).toBe(200);
    return;
  }
  const all =
    table[name]!.about === 'row' && !table[name]!.owned ? (['own', 'absent'] as const) : targets;
  const [theirs, others] = [true, false].map((may) =>
    all.filter((target) => mayHave(role, name, target) === may),
  );
  const turn = Object.keys(table).indexOf(name) + roles.indexOf(role);
  for (const target of [...inTurn(theirs!, turn), ...inTurn(others!, turn)]) {
    const may = mayHave(role, name, target);
    if (may && !deeds && !isRead(name)) continue;
    const { status, data } = await world.ask(token, name, target, { fresh: may });
    expect({ target, status, code: (data as { code?: string } | null)?.code }).toEqual(
      may ? { target, status: 200, code: undefined } : { target, status: 404, code: 'not_found' },
    );
  }
};

/**
 * The day one week ago. It is used because some filters and sort orders require a range of days.
 */
const lately = addDays(businessDay(new Date()), -7);

const searches = [
  '',
  '?tab=awaiting_pickup',
  '?group=total',
  '?q=13900000001',
  '?q=0001',
  '?q=%E5%BC%A0%E4%B8%89',
  '?q=%E5%BC%A0',
  '?q=JDVE',
  `?sort=-post_amount&page_size=2&created_from=${lately}`,
  '?page=2&page_size=1',
  '?state_code=100',
  '?created_from=2020-01-01',
  `?printed=1&created_from=${lately}`,
  `?receive_province=%E4%B8%8A%E6%B5%B7%E5%B8%82&created_from=${lately}`,
];

/**
 * Returns every answer to the partner, the station and the clerk. Request ids, the times of answers
 * and the times of a session's last use are removed.
 */
export const answersTo = async (
  system: TestSystem,
  world: World,
): Promise<Record<string, string>> => {
  for (const name of Object.keys(table))
    if (isRead(name) && ['parcel', 'row'].includes(table[name]!.about))
      await world.ask(world.tokens.super, name, 'own');
  await system.carrier.control('POST', 'pushes/settle', { within_ms: limitMs(10_000) });
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1
    from graphile_worker._private_jobs where run_at <= now()`,
        )
      ).length === 0,
  );
  const found: Record<string, string> = {};
  const cells = Object.keys(table)
    .filter((name) => isRead(name) && rolesOf(name) !== 'public')
    .flatMap((name) =>
      (['partner', 'station', 'user'] as const).map((role) => [name, role] as const),
    )
    .filter(([name, role]) => rolesOf(name).includes(role) && mayHave(role, name, 'own'));
  for (const [name, role] of rolesInTurn(cells, 0)) {
    const searched =
      name === 'GET /api/arco/expresses' || name === 'GET /api/arco/expresses/counts';
    const paths = searched ? searches.map((query) => `${name.slice('GET '.length)}${query}`) : null;
    const answers = paths
      ? await Promise.all(paths.map((path) => system.call(world.tokens[role], 'GET', path)))
      : [await world.ask(world.tokens[role], name, 'own')];
    answers.forEach(
      ({ status, data }, at) =>
        (found[`${role} ${name} ${paths?.[at] ?? ''}`] = `${status} ${JSON.stringify(data)
          .replaceAll(/"last_seen_at":"[^"]*"/g, '')
          .replaceAll(/"request_id":"[^"]*"/g, '')
          .replaceAll(/"cursor":"[^"]*"/g, '')}`),
    );
  }
  return found;
};

/**
 * Creates many rows at another station: parcels in many states, money, labels, address book
 * entries, accounts, a new station, and reports of the carrier.
 */
export const strangersLife = async (system: TestSystem, world: World): Promise<void> => {
  const station_id = system.station('pudong').id;
  await system.topUp('pudong', 500_000);
  await rowsOf(
    system,
    sql`insert into stations (name, project_id)
    select '陌生网点', project_id from stations where id = ${station_id}`,
  );
  await rowsOf(
    system,
    sql`insert into accounts (username, nickname, role, station_id,
    password_hash) values ('stranger', '张三', 'user', ${station_id}, '')`,
  );
  await rowsOf(
    system,
    sql`insert into contacts (station_id, kind, name, phone, province, city, county, address)
      values (${station_id}, 'receive', '张三', '13900000001', '上海市', '上海市', '浦东新区',
      '世纪大道100号')`,
  );
  const parcels: Express[] = [];
  for (const changes of [
    {},
    { weight: 9_000 },
    { remark: '拒单' },
    { draft: 1 },
    { thr_order_id: '0001' },
    {},
  ])
    parcels.push(
      await settled(
        system,
        world.tokens.super,
        (
          await system.call<Express>(
            { token: world.tokens.super, headers: key() },
            'POST',
            '/api/arco/expresses',
            exampleOrder({ station_id, ...changes }),
          )
        ).data.id,
      ),
    );
  const [first, second, , , , last] = parcels;
  expect([first!.state_code, last!.state_code]).toEqual([100, 100]);
  await system.carrier.control('POST', `orders/${first!.delivery_id}/jump`, { to: 'delivered' });
  await system.call(world.tokens.super, 'POST', `/api/arco/expresses/${second!.id}/cancel`, {
    reason: 'test',
  });
  await system.call(world.tokens.super, 'POST', '/api/arco/labels', {
    ids: [last!.id],
    format: '100x150',
  });
  await system.carrier.control('POST', 'pushes/settle', { within_ms: limitMs(10_000) });
};
