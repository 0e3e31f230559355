import type pg from 'pg';

export interface Role {
  name: 'super' | 'partner' | 'station' | 'clerk';
  username: string;
  /**
   * The prefix of the names of new accounts that read simultaneously. Null if existing accounts are
   * used.
   */
  many: string | null;
}

export const roles: readonly Role[] = [
  { name: 'super', username: 'super', many: 'super' },
  { name: 'partner', username: 'w001', many: 'partner' },
  { name: 'station', username: 'w011', many: 'station' },
  { name: 'clerk', username: 'w011-1', many: null },
];

export interface Samples {
  rows: {
    id: number;
    delivery_id: string;
    order_id: string;
    receive_phone: string;
    receive_name: string;
    sender_name: string;
  }[];
  station: number;
  month: string;
  day: string;
  days30: string;
  /**
   * `voucher` is the id of the freight template with the fewest parcels in the network. `unused` is
   * the id of a freight template without parcels; null if there is none.
   */
  voucher: number | null;
  unused: number | null;
  project: number | null;
  /**
   * `user` is the id of a clerk with many parcels. `idle` is the id of an account that ordered no
   * parcels.
   */
  user: number | null;
  idle: number | null;
  /** The id of an import with parcels; null if there is none. */
  imported: number | null;
  /**
   * The id of the first row in the table of the field's name. This field and the next ones are null
   * if their table has no row.
   */
  cargo: number | null;
  promise: number | null;
  guarantee: number | null;
  merchant: number | null;
}

/**
 * Returns the stations whose parcels an account sees. Also returns the account if it sees only its
 * own parcels.
 */
export const scopeOf = async (
  owner: pg.Client,
  username: string,
): Promise<{ stations: string[]; account: string | null }> => {
  const { rows } = await owner.query<{ id: string; role: string; stations: string[] }>(
    `with recursive below as (
      select s.id from stations s join accounts a on a.username = $1 where case when a.station_id is null then s.parent_id is null else s.id = a.station_id end
      union select s.id from stations s join below b on s.parent_id = b.id join accounts a on a.username = $1 and a.role not in ('station', 'user'))
    select id, role, array(select id from below) as stations from accounts where username = $1`,
    [username],
  );
  const { id, role, stations } = rows[0]!;
  return { stations, account: role === 'user' ? id : null };
};

/**
 * Reads sample parcels that the user may see. Their numbers and names later serve as search texts.
 */
export const samplesOf = async (owner: pg.Client, username: string): Promise<Samples> => {
  const { stations, account } = await scopeOf(owner, username);
  const { rows } = await owner.query<Samples['rows'][number]>(
    `select id::integer, delivery_id, order_id, receive_phone, receive_name, sender_name from expresses where station_id = any ($1::bigint[]) and ($2::bigint is null or user_id = $2)
      and delivery_id is not null and length(receive_name) >= 3 and terms is not null order by hashint8(id) limit 40`,
    [stations, account],
  );
  const { rows: times } = await owner.query<{
    month: string;
    day: string;
    days30: string;
    station: string;
  }>(
    `select to_char(t - interval '1 month', 'YYYY-MM') as month, to_char(t - interval '1 day', 'YYYY-MM-DD') as day, to_char(t - interval '30 days', 'YYYY-MM-DD') as days30,
      (select id from stations where id = any ($1::bigint[]) order by money desc limit 1) as station from (select max(created_at) at time zone 'Asia/Shanghai' as t from expresses) x`,
    [stations],
  );
  const { rows: others } = await owner.query<
    Record<
      | 'voucher'
      | 'unused'
      | 'project'
      | 'user'
      | 'idle'
      | 'imported'
      | 'cargo'
      | 'promise'
      | 'guarantee'
      | 'merchant',
      number | null
    >
  >(
    `with used as (select v.id, coalesce(sum(u.n), 0) as n from vouchers v left join express_uses u on u.what = 'voucher' and u.of_id = v.id group by v.id)
    select (select id::integer from used where n > 0 order by n, id limit 1) as voucher, (select id::integer from used where n <= 0 order by id limit 1) as unused,
      (select min(id)::integer from projects) as project, (select id::integer from accounts where username = 'w011-1') as "user",
      (select id::integer from accounts where username = 'w011') as idle,
      (select import_id::integer from import_rows where express_id is not null order by import_id limit 1) as imported,
      (select min(id)::integer from cargos) as cargo, (select min(id)::integer from promises) as promise, (select min(id)::integer from guarantees) as guarantee,
      (select min(id)::integer from merchants) as merchant`,
  );
  return { rows, ...times[0]!, station: Number(times[0]!.station), ...others[0]! };
};
