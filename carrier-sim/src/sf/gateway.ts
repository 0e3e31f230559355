import { GatewayRefusal } from './answers.ts';
import { isDigestRight } from './signing.ts';
import type { CarrierRequest } from '#carrier.ts';
import type { Partner, SfWorld } from './sf-world.ts';

/** The largest difference, in milliseconds, between a request's timestamp and the real time. */
const timestampWindow = 6 * 60_000;
const longest = { partnerID: 64, requestID: 40, serviceCode: 50 } as const;

/** A request that the gateway accepted. */
export type Checked = { partner: Partner; service: string; msgData: string };

/**
 * Access tokens of SF's OAuth variant: each token's partner, and the real time in epoch
 * milliseconds until which it is valid.
 */
export type Tokens = Map<string, { partner: string; until: number }>;

const refuse = (code: string): never => {
  throw new GatewayRefusal(code);
};

const fieldIn = (form: URLSearchParams, name: keyof typeof longest): string => {
  const text = form.get(name) ?? '';
  return text === '' || text.length > longest[name] ? refuse('A1001') : text;
};

const checkTime = (world: SfWorld, timestamp: string): void => {
  if (!/^\d{13}$/.test(timestamp)) refuse('A1001');
  if (Math.abs(Number(timestamp) - world.realNow()) > timestampWindow) refuse('A1002');
};

/** Checks the digest or the token of a request. A request may have only one of them. */
const checkRight = (
  world: SfWorld,
  partner: Partner,
  form: URLSearchParams,
  tokens: Tokens,
): void => {
  const digest = form.get('msgDigest') ?? '';
  const token = form.get('accessToken') ?? '';
  if (digest !== '' && token !== '') refuse('A1001');
  if (token !== '') {
    const known = tokens.get(token);
    if (known?.partner !== partner.partner_id || known.until <= world.realNow()) refuse('A1011');
    return;
  }
  const content = `${form.get('msgData')}${form.get('timestamp')}${partner.check_word}`;
  if (!isDigestRight(partner.signature, content, digest)) refuse('A1006');
};

/** The ids of the requests so far, so that no request is executed twice. */
export type Seen = Set<string>;

/**
 * Accepts a request or throws the gateway's refusal. It checks, in this order: fields, partner,
 * time, digest or token, service, and a repeated request id.
 */
export const checkGate = (
  world: SfWorld,
  request: CarrierRequest,
  { serves, tokens, seen }: { serves(service: string): boolean; tokens: Tokens; seen: Seen },
): Checked => {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers['content-type'] ?? '',
  );
  if (request.method !== 'POST' || !isForm) refuse('A1001');
  const form = new URLSearchParams(request.body.toString('utf8'));
  const requestId = fieldIn(form, 'requestID');
  const service = fieldIn(form, 'serviceCode');
  const msgData = form.get('msgData') ?? '';
  if (msgData === '') refuse('A1001');
  const partner = world.partners.get(fieldIn(form, 'partnerID')) ?? refuse('A1004');
  checkTime(world, form.get('timestamp') ?? '');
  checkRight(world, partner, form, tokens);
  if (!serves(service)) refuse('A1004');
  if (seen.has(requestId)) refuse('A1007');
  seen.add(requestId);
  return { partner, service, msgData };
};
