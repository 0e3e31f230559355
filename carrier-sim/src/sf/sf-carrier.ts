import { randomBytes } from 'node:crypto';
import { isObject, Unreadable } from '#reading.ts';
import { GatewayRefusal, gatewayAnswer, Refusal, refusalAnswer, serviceAnswer } from './answers.ts';
import { checkGate } from './gateway.ts';
import { Bare, childNumbers, create, intercept, search, update } from './order-services.ts';
import { fileAnswer, filesPath, printService } from './print-service.ts';
import {
  deliverTime,
  filter,
  isWaybill,
  pickupWindows,
  routes,
  subscribe,
  waybill,
} from './query-services.ts';
import type { Admission, Answer, CarrierRequest, SimulatedCarrier, Subject } from '#carrier.ts';
import type { Checked, Seen, Tokens } from './gateway.ts';
import type { Service } from './order-services.ts';
import type { LabelFiles } from './print-service.ts';
import type { SfWorld } from './sf-world.ts';

const servicePath = '/std/service';
const tokenPath = '/oauth2/accessToken';

const servicesOf = (files: LabelFiles, host: () => string): Record<string, Service> => ({
  EXP_RECE_CREATE_ORDER: create,
  EXP_RECE_SEARCH_ORDER_RESP: search,
  EXP_RECE_UPDATE_ORDER: update,
  EXP_RECE_GET_SUB_MAILNO: childNumbers,
  EXP_RECE_WANTED_INTERCEPT: intercept,
  EXP_RECE_PRE_ORDER: pickupWindows,
  EXP_RECE_FILTER_ORDER_BSP: filter,
  EXP_RECE_QUERY_DELIVERTM: deliverTime,
  EXP_RECE_SEARCH_ROUTES: routes,
  EXP_RECE_QUERY_SFWAYBILL: waybill,
  EXP_RECE_REGISTER_ROUTE: subscribe,
  EXP_RECE_VALIDATE_WAYBILLNO: isWaybill,
  COM_RECE_CLOUD_PRINT_WAYBILLS: printService(files, host),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Returns the order that a request is about, for faults of one order and for the list of requests.
 */
const subjectOf = (form: URLSearchParams): Subject => {
  const data = parsed(form.get('msgData') ?? '');
  const fields = isObject(data) ? data : {};
  const text = (name: string): string | undefined =>
    typeof fields[name] === 'string' ? fields[name] : undefined;
  const orderId = text('orderId');
  const number = text('mainWaybillNo') ?? text('waybillNo') ?? text('trackingNum');
  return {
    app_key: form.get('partnerID') ?? '',
    ...(orderId === undefined ? {} : { order_id: orderId }),
    ...(number === undefined ? {} : { waybill_code: number }),
  };
};

const carriedOut = (world: SfWorld, service: Service, checked: Checked): Answer => {
  world.agenda.catchUp();
  try {
    const data = parsed(checked.msgData);
    if (data === null) throw new Refusal('S0001', '非法的JSON格式');
    const value = service({ world, partner: checked.partner, data });
    return value instanceof Bare ? serviceAnswer(value.value, true) : serviceAnswer(value);
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error);
    if (error instanceof GatewayRefusal) return gatewayAnswer(error.code);
    if (error instanceof Unreadable)
      return refusalAnswer(new Refusal('S0003', `${error.field} ${error.reason}`));
    throw error;
  }
};

/**
 * Answers SF's OAuth request: returns a token for a partner id and check word, valid for
 * `token_ms`.
 */
const tokenAnswer = (world: SfWorld, request: CarrierRequest, tokens: Tokens): Answer => {
  const form = new URLSearchParams(request.body.toString('utf8'));
  const partner = world.partners.get(form.get('partnerID') ?? '');
  const isRight =
    partner?.check_word === form.get('secret') && form.get('grantType') === 'password';
  if (partner === undefined || !isRight) return gatewayAnswer('A1011');
  const token = randomBytes(16).toString('hex');
  const { token_ms: life } = world.settings().sf;
  tokens.set(token, { partner: partner.partner_id, until: world.realNow() + life });
  return {
    status: 200,
    json: { apiResultCode: 'A1000', accessToken: token, expiresIn: Math.floor(life / 1000) },
  };
};

/**
 * Simulates SF Express's open platform with its HTTP protocol. The path of a fault is an SF service
 * code.
 */
export const createSfCarrier = (world: SfWorld, url: () => string): SimulatedCarrier => {
  const tokens: Tokens = new Map();
  const seen: Seen = new Set();
  const files: LabelFiles = new Map();
  const services = servicesOf(files, url);
  const plain = (subject: Subject, answer: Answer): Admission => ({
    admitted: false,
    subject,
    answer,
  });
  return {
    name: 'sf',
    serves: (path) => path === servicePath || path === tokenPath || path.startsWith(filesPath),
    admit: (request) => {
      const { path, headers } = request;
      if (path.startsWith(filesPath))
        return plain({}, fileAnswer(world, files, path, String(headers['x-auth-token'] ?? '')));
      if (path === tokenPath) return plain({}, tokenAnswer(world, request, tokens));
      const subject = subjectOf(new URLSearchParams(request.body.toString('utf8')));
      try {
        const checked = checkGate(world, request, {
          serves: (service) => Object.hasOwn(services, service),
          tokens,
          seen,
        });
        const service = services[checked.service] as Service;
        return {
          admitted: true,
          subject,
          operation: checked.service,
          process: () => ({ answer: carriedOut(world, service, checked) }),
          businessError: (message, code) => refusalAnswer(new Refusal(String(code), message)),
          gatewayError: (code) => gatewayAnswer(code === 2 ? 'A1005' : `A${code}`),
        };
      } catch (error) {
        if (error instanceof GatewayRefusal) return plain(subject, gatewayAnswer(error.code));
        throw error;
      }
    },
  };
};
