import type { IncomingHttpHeaders } from 'node:http';
import type { WebhookError } from '@waystation/contract/people/webhook.ts';
import type { Wire, WireAnswer } from '#domain/carriers/carriers.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { isTrusted } from '#platform/auth/key-trust.ts';
import { accountColumns } from '#platform/auth/sessions.ts';
import type { Clock } from '#platform/clock.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Claimed } from './claim.ts';
import { isPaused } from './pause.ts';
import { answerSize } from './schedule.ts';
import { release, settle, skip } from './settle.ts';
import type { Attempt } from './settle.ts';
import { signatureOf, webhookSecretPurpose } from './sign.ts';
import { shownSubject } from './subjects.ts';
import type { Subject } from './subjects.ts';

export interface Sender {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  wire: Wire;
}

type Account = Omit<Actor, 'token_hash' | 'session_id'>;
interface Loaded extends Account {
  message_id: string;
  kind: string;
  subject: Subject;
  subject_id: number;
  data: Record<string, unknown>;
  at: Date;
  name: string;
  url: string;
  watched_id: number | null;
  with_below: 0 | 1;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  trusted: boolean;
  paused: boolean;
}

/**
 * A claimed delivery that is still pending, with its webhook and the current rights of its account.
 */
const load = async ({ db }: Sender, id: number): Promise<Loaded | undefined> =>
  (
    await db.rows(
      systemScope('a webhook delivery'),
      sql<Loaded>`select d.message_id, d.kind, d.subject, d.subject_id, d.data, d.at, k.name, k.url,
          k.watched_id, k.with_below, k.secret, k.previous_secret, k.previous_until,
          ${isTrusted} as trusted, ${isPaused} as paused, ${accountColumns}
        from webhook_deliveries d join webhooks k on k.id = d.webhook_id
          join accounts a on a.id = k.account_id join accounts m on m.id = k.account_id
          left join stations t on t.id = a.station_id
        where d.id = ${id} and d.status = 'pending' and k.status = 'live'`,
    )
  )[0];

/**
 * The body of a delivery with the current data of its subject, as far as the account may see them
 * now. Null if the account may no longer read the subject, or the webhook no longer covers its
 * station.
 */
const bodyOf = async ({ db }: Sender, found: Loaded): Promise<string | null> => {
  const { kind, at, data, subject, subject_id } = found;
  const written = (more: object): string =>
    JSON.stringify({ type: kind, timestamp: at.toISOString(), data: { ...data, ...more } });
  if (!found.trusted) return null;
  if (subject === 'webhooks') return written({ name: found.name });
  const actor: Actor = { ...found, token_hash: Buffer.alloc(0), session_id: 0 };
  return db.tx(callerOf(actor), async (work) => {
    const shown = await shownSubject(work, subject, subject_id);
    if (!shown) return null;
    const { rows } = await sql<{ sees: boolean }>`select webhook_sees(${actor.role},
      ${actor.station_id}::bigint, ${found.watched_id}::bigint, ${found.with_below}::smallint,
      ${shown.station_id}::bigint, stations_from(${shown.station_id})) as sees`.execute(work.tx);
    return rows[0]?.sees ? written({ path: shown.path, [shown.name]: shown.row }) : null;
  });
};

const errors: Readonly<Record<string, WebhookError>> = {
  carrier_url: 'denied',
  carrier_url_denied: 'denied',
  carrier_unreachable: 'unreachable',
  carrier_timeout: 'timeout',
  carrier_connection_lost: 'connection_lost',
  carrier_answer_too_large: 'too_large',
};

/** The first characters of an answer, without characters that the database cannot store. */
const kept = (body: string): string =>
  body.slice(0, answerSize.kept).toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Errors of a host name that was not found. They are reported like a forbidden address, so that a
 * caller cannot find out which host names exist in the internal network.
 */
const notNamed: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']);

/** Reads the `Retry-After` of an endpoint that is busy, in seconds. */
const waitOf = (status: number, { 'retry-after': wait = '' }: IncomingHttpHeaders) =>
  (status === 429 || status === 503) && /^\d{1,9}$/.test(wait) ? { retry_after: Number(wait) } : {};

const attemptOf = (request: string, sent_at: Date, answer: WireAnswer): Attempt => {
  const { ms } = answer;
  if (answer.got === 'nothing') {
    const { code, params } = answer.reason;
    const error = notNamed.has(params?.['detail']) ? 'denied' : (errors[code] ?? 'connection_lost');
    const detail = error === 'denied' ? '' : String(params?.['detail'] ?? '');
    return { request, sent_at, ms, http_status: null, answer: null, error, detail };
  }
  const { http_status, body, headers } = answer;
  const error =
    http_status >= 200 && http_status < 300 ? null : http_status === 410 ? 'gone' : 'status';
  return {
    request,
    sent_at,
    ms,
    http_status,
    answer: kept(body),
    error,
    detail: '',
    ...waitOf(http_status, headers),
  };
};

/** Sends a claimed delivery and stores its result. */
export const send = async (sender: Sender, claimed: Claimed): Promise<void> => {
  const { clock, db, secrets, wire } = sender;
  const { id } = claimed;
  const found = await load(sender, id);
  if (!found) return;
  if (found.paused) return release(db, id);
  const body = await bodyOf(sender, found);
  if (body === null) return skip(db, id);
  const now = clock.now();
  const open = (sealed: Buffer): string => secrets.open(sealed, webhookSecretPurpose);
  const keys = [open(found.secret)];
  if (found.previous_secret && found.previous_until && found.previous_until > now)
    keys.push(open(found.previous_secret));
  const message = { id: found.message_id, timestamp: Math.floor(now.getTime() / 1_000), body };
  const answer = await wire.post({
    url: new URL(found.url),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Waystation-Webhooks/1',
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signatureOf(message, keys),
    },
    body,
    kind: 'write',
  });
  await settle(sender, claimed, attemptOf(body, now, answer));
};
