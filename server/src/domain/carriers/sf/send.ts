import { randomUUID } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Answered, CallRecord, CarrierAccount, Failed } from '#domain/carriers/port.ts';
import { fieldsOf, parseJson, textOf } from '#domain/carriers/reading.ts';
import { answerWithoutSecrets, redact, wordsWithoutSecrets } from '#domain/carriers/redact.ts';
import type { Wire, WireAnswer } from '#domain/carriers/wire.ts';
import { readEnvelope } from './envelope.ts';
import type { Envelope } from './envelope.ts';
import { sign, signatureKinds } from './sign.ts';
import type { SignatureKind } from './sign.ts';

interface OperationFacts {
  service: string;
  kind: 'read' | 'write';
  /**
   * True if SF's live gateway does not have the service. The service is then called at SF's
   * integration platform.
   */
  apart?: boolean;
}

/**
 * All operations of SF with their service codes. A call of kind `write` changes something at SF and
 * always opens a new connection.
 */
const operations = {
  create: { service: 'EXP_RECE_CREATE_ORDER', kind: 'write' },
  search: { service: 'EXP_RECE_SEARCH_ORDER_RESP', kind: 'read' },
  update: { service: 'EXP_RECE_UPDATE_ORDER', kind: 'write' },
  cancel: { service: 'EXP_RECE_UPDATE_ORDER', kind: 'write' },
  filter: { service: 'EXP_RECE_FILTER_ORDER_BSP', kind: 'read' },
  precheck: { service: 'EXP_RECE_QUERY_DELIVERTM', kind: 'read' },
  windows: { service: 'EXP_RECE_PRE_ORDER', kind: 'read' },
  trace: { service: 'EXP_RECE_SEARCH_ROUTES', kind: 'read' },
  fee: { service: 'EXP_RECE_QUERY_SFWAYBILL', kind: 'read' },
  validate: { service: 'EXP_RECE_VALIDATE_WAYBILLNO', kind: 'read' },
  subscribe: { service: 'EXP_RECE_REGISTER_ROUTE', kind: 'write', apart: true },
} as const satisfies Record<string, OperationFacts>;
export type Operation = keyof typeof operations;

export interface SfContext {
  wire: Wire;
  clock: Clock;
  /** The kind of signature that SF last accepted from each application, by partner ID. */
  kinds: Map<string, SignatureKind>;
}

/** The gateway's code for a wrong signature. */
const wrongSignature = 'A1006';
const live = 'bspgw.sf-express.com';
/** The host of the services that SF's live gateway does not have. */
const platform = 'sfapi.sf-express.com';
const servicePath = '/std/service';

/**
 * The URL of a call; null if the base URL of the account is invalid. A base URL without a path
 * belongs to a gateway. A base URL with a path belongs to a relay and is used unchanged.
 */
const urlOf = (account: CarrierAccount, apart: boolean): URL | null => {
  const url = URL.canParse(account.base_url) ? new URL(account.base_url) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    return null;
  if (url.pathname === '/') url.pathname = servicePath;
  if (apart && url.hostname === live) url.hostname = platform;
  return url;
};

const headers = {
  'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  accept: 'application/json',
};

interface Unsigned {
  service: string;
  msgData: string;
  at: Date;
}

const bodyOf = (
  account: CarrierAccount,
  { service, msgData, at }: Unsigned,
  signature: SignatureKind,
): string => {
  const timestamp = String(at.getTime());
  return new URLSearchParams([
    ['partnerID', account.app_key],
    ['requestID', randomUUID()],
    ['serviceCode', service],
    ['timestamp', timestamp],
    ['msgDigest', sign({ msgData, timestamp, check_word: account.app_secret }, signature)],
    ['msgData', msgData],
  ]).toString();
};

/** An answer with the log entry of its call. */
export interface Sent {
  envelope: Envelope;
  call: CallRecord;
  /** False if no byte of the call can have reached the carrier. */
  sent: boolean;
}

const recordOf = (
  account: CarrierAccount,
  operation: Operation,
  msgData: string,
  answer: WireAnswer,
): CallRecord => {
  const body = answer.got === 'answer' ? answer.body : '';
  return {
    operation,
    trace_id: textOf(fieldsOf(parseJson(body))['apiResponseID'], 100),
    http_status: answer.got === 'answer' ? answer.http_status : 0,
    ms: answer.ms,
    request: redact(msgData, account),
    answer: answer.got === 'answer' ? redact(body, account) : null,
  };
};

/** Removes our app key, secret and token from the texts of an answer. */
const cleaned = (account: CarrierAccount, envelope: Envelope): Envelope => {
  const clean = (text: string): string => wordsWithoutSecrets(text, account);
  if (envelope.is === 'refused' || envelope.is === 'gateway')
    return { ...envelope, code: clean(envelope.code), text: clean(envelope.text) };
  if (envelope.is === 'unknown' && typeof envelope.reason.params?.['text'] === 'string')
    return {
      is: 'unknown',
      reason: { ...envelope.reason, params: { text: clean(envelope.reason.params['text']) } },
    };
  return envelope;
};

const refusesSignature = ({ envelope }: Sent): boolean =>
  envelope.is === 'gateway' && envelope.code === wrongSignature;

/**
 * Signs and sends `msgData` unchanged, and reads the answer. Never throws. Each application in SF's
 * portal has one kind of signature, which no answer contains. If SF refuses the signature, it has
 * not processed the call, so the call is sent again with the other kinds.
 */
export const send = async (
  context: SfContext,
  account: CarrierAccount,
  operation: Operation,
  msgData: string,
): Promise<Sent> => {
  const known = context.kinds.get(account.app_key) ?? signatureKinds[0];
  const first = await sendSigned(context, account, { operation, msgData }, known);
  if (!refusesSignature(first)) return first;
  for (const kind of signatureKinds.filter((other) => other !== known)) {
    const next = await sendSigned(context, account, { operation, msgData }, kind);
    if (refusesSignature(next)) continue;
    if (next.envelope.is === 'ok' || next.envelope.is === 'refused')
      context.kinds.set(account.app_key, kind);
    return next;
  }
  return first;
};

const sendSigned = async (
  { wire, clock }: SfContext,
  account: CarrierAccount,
  { operation, msgData }: { operation: Operation; msgData: string },
  signature: SignatureKind,
): Promise<Sent> => {
  const { service, kind, apart = false }: OperationFacts = operations[operation];
  const url = urlOf(account, apart);
  const unsigned = { service, msgData, at: clock.now() };
  const answer: WireAnswer = url
    ? answerWithoutSecrets(
        await wire.post({ url, headers, body: bodyOf(account, unsigned, signature), kind }),
        account,
      )
    : { got: 'nothing', reason: { code: 'carrier_url' }, ms: 0, sent: false };
  return {
    envelope:
      answer.got === 'answer'
        ? cleaned(account, readEnvelope(answer.http_status, answer.body))
        : { is: 'unknown', reason: answer.reason },
    call: recordOf(account, operation, msgData, answer),
    sent: answer.got === 'answer' || answer.sent,
  };
};

/**
 * The failure for an answer that is not a success. A gateway failure of the kind `signature` or
 * `token` pauses the account until an administrator acts.
 */
export const failedOf = (
  envelope: Exclude<Envelope, { is: 'ok' }>,
  { call, sent }: Pick<Sent, 'call' | 'sent'>,
): Failed => {
  if (envelope.is === 'unknown')
    return {
      outcome: 'unknown',
      reason: envelope.reason,
      ...(!sent && { not_sent: true }),
      call,
    };
  const { code, text } = envelope;
  if (envelope.is === 'refused') return { outcome: 'refused', code, text, call };
  const { kind } = envelope;
  return {
    outcome: 'gateway',
    kind,
    pause: kind === 'signature' || kind === 'token',
    code,
    text,
    call,
  };
};

/**
 * Sends a request and reads the answer with `read`. The outcome is unknown if the answer is a
 * success but `read` cannot read its data.
 */
export const ask = async <T>(
  context: SfContext,
  account: CarrierAccount,
  { operation, msgData }: { operation: Operation; msgData: string },
  read: (data: unknown) => T | undefined,
): Promise<Answered<T>> => {
  const { envelope, call, sent } = await send(context, account, operation, msgData);
  if (envelope.is !== 'ok') return failedOf(envelope, { call, sent });
  const value = read(envelope.data);
  return value === undefined
    ? { outcome: 'unknown', reason: { code: 'carrier_unreadable' }, call }
    : { outcome: 'ok', value, call };
};
