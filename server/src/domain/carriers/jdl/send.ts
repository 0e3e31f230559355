import type { Clock } from '#platform/clock.ts';
import type { CallRecord, CarrierAccount, Failed } from '#domain/carriers/port.ts';
import { answerWithoutSecrets, redact, wordsWithoutSecrets } from '#domain/carriers/redact.ts';
import type { Wire, WireAnswer } from '#domain/carriers/wire.ts';
import { readEnvelope } from './envelope.ts';
import type { Domain, Envelope } from './envelope.ts';
import { sign } from './sign.ts';
import { wallClockOf } from '#domain/carriers/wall-clock.ts';

interface OperationFacts {
  path: string;
  kind: 'read' | 'write';
  /** The part of the gateway that is called; `ECAP` by default. */
  domain?: Domain;
}

/**
 * All operations of JDL. A call of kind `write` changes something at JDL and always opens a new
 * connection.
 */
export const operations = {
  precheck: { path: '/ecap/v1/orders/precheck', kind: 'read' },
  prefetch: { path: '/ecap/v1/orders/pregetwaybillcodes', kind: 'write' },
  create: { path: '/ecap/v1/orders/create', kind: 'write' },
  modify: { path: '/ecap/v1/orders/modify', kind: 'write' },
  cancel: { path: '/ecap/v1/orders/cancel', kind: 'write' },
  status: { path: '/ecap/v1/orders/status/get', kind: 'read' },
  trace: { path: '/ecap/v1/orders/trace/query', kind: 'read' },
  subscribe: { path: '/ecap/v1/orders/trace/subscribe', kind: 'write' },
  details: { path: '/ecap/v1/orders/details/query', kind: 'read' },
  fee: { path: '/ecap/v1/orders/actualfee/query', kind: 'read' },
  labels: { path: '/PullDataService/pullData', kind: 'read', domain: 'jdcloudprint' },
} as const satisfies Record<string, OperationFacts>;
export type Operation = keyof typeof operations;

export interface JdlContext {
  wire: Wire;
  clock: Clock;
}

/** An answer with the log entry of its call. */
export interface Sent {
  envelope: Envelope;
  call: CallRecord;
  /** False if no byte of the call can have reached the carrier. */
  sent: boolean;
}

/**
 * The signed URL of a call; null if the base URL of the account is invalid. A path in the base URL
 * (a relay) is kept, but the signature does not cover it.
 */
export const signedUrl = (
  account: CarrierAccount,
  { path, body, at, domain = 'ECAP' }: { path: string; body: string; at: Date; domain?: Domain },
): URL | null => {
  const algorithm = account.algorithm ?? 'md5-salt';
  const base = URL.canParse(account.base_url) ? new URL(account.base_url) : null;
  if (
    !base ||
    !/^https?:$/.test(base.protocol) ||
    base.username !== '' ||
    base.password !== '' ||
    base.search !== '' ||
    base.hash !== ''
  )
    return null;
  const timestamp = wallClockOf(at);
  const { app_key, app_secret, access_token } = account;
  const url = new URL(base.origin + base.pathname.replace(/\/+$/, '') + path);
  url.search = new URLSearchParams([
    ['LOP-DN', domain],
    ['app_key', app_key],
    // The parameter is left out if the application has no token; it is signed as empty.
    ...(access_token === '' ? [] : [['access_token', access_token]]),
    ['timestamp', timestamp],
    ['v', '2.0'],
    ['sign', sign({ app_key, app_secret, access_token, path, body, timestamp }, algorithm)],
    ['algorithm', algorithm],
  ]).toString();
  return url;
};

const headers = {
  'content-type': 'application/json;charset=utf-8',
  accept: 'application/json',
  'lop-tz': '8',
  'user-agent': 'lop-http/waystation',
};

const first = (value: string | string[] | undefined): string =>
  (Array.isArray(value) ? value[0] : value) ?? '';

const recordOf = (
  account: CarrierAccount,
  operation: Operation,
  body: string,
  answer: WireAnswer,
): CallRecord => ({
  operation,
  trace_id: answer.got === 'answer' ? first(answer.headers['lop-trace-id']).slice(0, 100) : '',
  http_status: answer.got === 'answer' ? answer.http_status : 0,
  ms: answer.ms,
  request: redact(body, account),
  answer: answer.got === 'answer' ? redact(answer.body, account) : null,
});

/** Reads the answer, and removes our app key, secret and token from its texts. */
const envelopeOf = (
  account: CarrierAccount,
  answer: Extract<WireAnswer, { got: 'answer' }>,
  domain: Domain,
): Envelope => {
  const envelope = readEnvelope(answer.http_status, answer.body, domain);
  const clean = (text: string): string => wordsWithoutSecrets(text, account);
  if (envelope.is !== 'unknown')
    return { ...envelope, code: clean(envelope.code), text: clean(envelope.text) };
  const { code, params } = envelope.reason;
  if (!params) return envelope;
  return {
    is: 'unknown',
    reason: {
      code,
      params: Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          typeof value === 'string' ? clean(value) : value,
        ]),
      ),
    },
  };
};

/** Signs and sends `body` unchanged, and reads the envelope of the answer. Never throws. */
export const send = async (
  { wire, clock }: JdlContext,
  account: CarrierAccount,
  operation: Operation,
  body: string,
): Promise<Sent> => {
  const { path, kind, domain = 'ECAP' }: OperationFacts = operations[operation];
  const url = signedUrl(account, { path, body, at: clock.now(), domain });
  const answer: WireAnswer = url
    ? answerWithoutSecrets(await wire.post({ url, headers, body, kind }), account)
    : { got: 'nothing', reason: { code: 'carrier_url' }, ms: 0, sent: false };
  return {
    envelope:
      answer.got === 'answer'
        ? envelopeOf(account, answer, domain)
        : { is: 'unknown', reason: answer.reason },
    call: recordOf(account, operation, body, answer),
    sent: answer.got === 'answer' || answer.sent,
  };
};

/**
 * The failure of a call that returned no data. `not_sent` is set if the carrier cannot have
 * received the call.
 */
export const failedCall = (
  envelope: Exclude<Envelope, { is: 'ok' }>,
  { call, sent }: Pick<Sent, 'call' | 'sent'>,
): Failed => {
  const failed = failedOf(envelope, call);
  return failed.outcome === 'unknown' && !sent ? { ...failed, not_sent: true } : failed;
};

/**
 * The failure for an answer that is not a success. A wrong signature or token pauses the account
 * until an administrator acts.
 */
export const failedOf = (envelope: Exclude<Envelope, { is: 'ok' }>, call: CallRecord): Failed => {
  if (envelope.is === 'unknown') return { outcome: 'unknown', reason: envelope.reason, call };
  const { code, text } = envelope;
  if (envelope.is === 'refused') return { outcome: 'refused', code, text, call };
  return {
    outcome: 'gateway',
    kind: envelope.kind,
    pause: envelope.kind === 'signature' || envelope.kind === 'token',
    code,
    text,
    call,
  };
};
