import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { addCounts, scope } from './erase-step.ts';
import type { ErasureRow, Step } from './erase-step.ts';
import { digitsOf, personTexts, phoneSeparators, textsOfBody } from './person-texts.ts';

/** The number of carrier pushes in one transaction. */
const most = 2_000;

interface Push {
  id: number;
  body: string;
  /** True if the push mentions one of the parcels. */
  is_named: boolean;
  /** True if the push came a short time ago and is not read yet. */
  is_unread: boolean;
}

/**
 * The carrier pushes of a slice that mention one of the parcels or may contain the phone. A number
 * matches only as a whole word; package numbers contain hyphens and are compared separately.
 */
const slice = (work: Work, { phone, senders, receivers }: ErasureRow, after: number) =>
  oneRow(
    work,
    sql<{ last: number | null; pushes: Push[] }>`with numbers as materialized (
        select array(select distinct upper(n.number) from expresses e cross join lateral unnest(
            array[e.delivery_id, e.return_delivery_id, e.order_id] || e.package_ids) n (number)
          where e.id = any(${[...senders, ...receivers]}::bigint[]) and e.erased > 0
            and n.number ~ '^[A-Za-z0-9-]+$') as list),
      split as materialized (select list,
        array(select n from unnest(list) n where n like '%-%') as dashed from numbers),
      slice as materialized (select p.id, p.body, p.outcome, p.received_at
        from carrier_pushes p where p.id > ${after} order by p.id limit ${most}),
      found as (select s.id, s.body,
          s.outcome = 'received' and s.received_at > now() - interval '1 hour' as is_unread,
          exists (select 1 from regexp_matches(s.body, '[A-Za-z0-9]+', 'g') w
            where upper(w[1]) = any(n.list)) or exists (select 1 from unnest(n.dashed) d
            where s.body ~* ('(?<![A-Za-z0-9])' || d || '(?![A-Za-z0-9])')) as is_named,
          position(${digitsOf(phone ?? '')}
            in translate(s.body, ${phoneSeparators}, '')) > 0 as is_near
        from slice s cross join split n where s.body <> '')
      select (select max(id) from slice) as last, coalesce((select jsonb_agg(jsonb_build_object(
          'id', f.id, 'body', f.body, 'is_named', f.is_named, 'is_unread', f.is_unread))
        from found f where f.is_named or f.is_near), '[]') as pushes`,
  );

/**
 * Blanks pushes about the parcels, and pushes that contain the phone beside a name. Their rows are
 * kept, so that a push is still recognized if the carrier sends it again. The erasure waits for a
 * push that will soon be read.
 */
export const erasePushes: Step = async ({ db }, row) => {
  const { isIn } = personTexts({ phone: row.phone ?? '', names: row.names });
  let isUnread = false;
  let low: number | null = 0;
  while (low !== null) {
    const after: number = low;
    low = await db.tx(scope, async (work) => {
      const { last, pushes } = await slice(work, row, after);
      const theirs = pushes.filter(({ body, is_named }) => is_named || isIn(textsOfBody(body)));
      if (theirs.some(({ is_unread }) => is_unread)) isUnread = true;
      const ids = theirs.filter(({ is_unread }) => !is_unread).map(({ id }) => id);
      await sql`update carrier_pushes set body = '',
          outcome = case outcome when 'received' then 'unknown_parcel' else outcome end
        where id = any(${ids}::bigint[])`.execute(work.tx);
      await addCounts(work, row.id, { pushes: ids.length });
      return last;
    });
  }
  return isUnread ? 'A push that has the person waits to be read' : undefined;
};
