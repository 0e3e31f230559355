import { present } from '@waystation/contract/base/present.ts';
import { pushSecretHash } from '#domain/merchant-secrets/merchant-secrets.ts';
import { isUnavailable, rowsAtEnd, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addedJobs, jobSpec } from '#platform/jobs/jobs.ts';
import { readPushesTask } from './queues.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';

const scope = systemScope('a push is stored');
/**
 * Milliseconds that a push waits for other pushes, because one transaction for all of them costs
 * much less. Carriers wait seconds for the response.
 */
const gatherMs = 40;
/** The number of pushes at which storing starts immediately, without waiting for more pushes. */
const most = 50;

interface Push {
  provider: Provider;
  /** The secret in the URL to which the push was sent. */
  secret: string;
  body: string;
}

interface Waiting extends Push {
  answer(known: boolean): void;
  refuse(error: unknown): void;
}

/**
 * Stores pushes with one SQL statement, which is sent together with its commit. For each push,
 * returns true if its URL has a secret of a carrier account: the present one, or one replaced a few
 * days ago. The pushes are stored in the order of their hashes, so that two calls never deadlock.
 */
const storeAll = async (db: Db, pushes: readonly Push[]): Promise<boolean[]> => {
  const [providers, secrets, bodies] = [
    pushes.map(({ provider }) => provider),
    pushes.map(({ secret }) => pushSecretHash(secret)),
    pushes.map(({ body }) => body),
  ];
  const { rows } = await db.tx(scope, async (work) =>
    rowsAtEnd(
      work,
      sql<{ n: number }>`with received as materialized (
          select h.n, m.id as merchant_id, h.body, sha256(convert_to(h.body, 'UTF8')) as hash
          from unnest(${providers}::text[], ${secrets}::bytea[],
            ${bodies}::text[]) with ordinality h (provider, secret, body, n)
          join merchants m on m.provider = h.provider and m.status = 1
            and (m.push_secret_hash = h.secret
              or (m.previous_push_hash = h.secret and m.previous_push_until > now()))),
        inserted as (
          insert into carrier_pushes (merchant_id, body, hash) select merchant_id, body, hash
            from received order by merchant_id, hash
          on conflict (merchant_id, hash) do nothing returning id),
        specs as (
          select array[${jobSpec(
            readPushesTask,
            sql`json_build_object('push_ids',
            json_agg(id order by id))`,
          )}] as specs
            from inserted having count(*) > 0),
        queued as materialized (select from specs, ${addedJobs(sql`specs`)})
        select n::int, (select count(*) from queued)::int as queued from received`,
    ),
  );
  const known = new Set((await rows).map(({ n }) => n));
  return pushes.map((_, index) => known.has(index + 1));
};

/** Stores pushes one by one: a push that the database refuses must not prevent the others. */
const storeEach = async (db: Db, waiting: readonly Waiting[]): Promise<void> => {
  try {
    const known = await storeAll(db, waiting);
    waiting.forEach(({ answer }, index) => answer(present(known[index])));
  } catch (error) {
    if (waiting.length === 1 || isUnavailable(error))
      return waiting.forEach(({ refuse }) => refuse(error));
    for (const one of waiting) await storeEach(db, [one]);
  }
};

/**
 * Stores pushes unchanged and queues jobs that read them. The carrier gets its answer after the
 * commit. Returns false if the secret in the URL belongs to no carrier account. A body that was
 * pushed before is accepted without effect.
 */
export const pushStore = (
  db: Db,
  waitMs = gatherMs,
): ((provider: Provider, secret: string, body: string) => Promise<boolean>) => {
  let gathered: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  const store = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const waiting = gathered;
    gathered = [];
    void storeEach(db, waiting);
  };
  return (provider, secret, body) =>
    new Promise((answer, refuse) => {
      gathered.push({ provider, secret, body, answer, refuse });
      if (gathered.length >= most) return store();
      timer ??= setTimeout(store, waitMs);
    });
};
