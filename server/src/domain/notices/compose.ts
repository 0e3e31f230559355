import type { Language } from '@waystation/contract/base/errors.ts';
import { entriesOf } from '#domain/inbox/inbox.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { accountColumns, mayWork } from '#platform/auth/sessions.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { lineOf } from './entry-title.ts';
import type { MessageReader } from './entry-title.ts';
import { noticeMessage } from './message.ts';
import type { Message } from './message.ts';
import { messageSay } from './message-words.ts';

type Account = Omit<Actor, 'token_hash' | 'session_id'>;

/** An account with its current rights; null if the account or its station is disabled. */
export const readerOf = async (db: Db, account_id: number): Promise<Actor | null> => {
  const [found] = await db.rows(
    systemScope('the reader of notices'),
    sql<Account>`select ${accountColumns} from accounts a
      left join stations t on t.id = a.station_id where a.id = ${account_id} and ${mayWork}`,
  );
  return found ? { ...found, token_hash: Buffer.alloc(0), session_id: 0 } : null;
};

/**
 * Composes a message from entries, with the reader's current rights. `ids` is null for the newest
 * entries. Null is returned if no entry is both unread and still visible.
 */
export const composeNotices = async (
  { db, clock, config }: { db: Db; clock: { now(): Date }; config: { publicUrl: string | null } },
  actor: Actor,
  { ids, language }: { ids: readonly number[] | null; language: Language },
): Promise<Message | null> => {
  const { items } = await db.tx(callerOf(actor), (work) => entriesOf(work, clock.now(), ids));
  const reader: MessageReader = {
    language,
    say: messageSay(language),
    station_id: actor.station_id,
    severalStations: actor.station_id === null || actor.stations.length > 1,
  };
  const lines = items.flatMap((entry) => lineOf(entry, reader) ?? []);
  return lines.length === 0 ? null : noticeMessage(lines, reader.say, config.publicUrl);
};
