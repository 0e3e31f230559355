import { isObject, fieldsOf } from '#reading.ts';
import {
  envelopeAnswer,
  gatewayAnswer,
  GatewayRefusal,
  printAnswer,
  Refusal,
  refusalEnvelope,
} from './answers.ts';
import { asRefusal } from './call.ts';
import { cancel } from './cancel.ts';
import { create } from './create.ts';
import { checkGate } from './gateway.ts';
import { modify } from './modify.ts';
import { oauth, oauthPaths } from './oauth.ts';
import { precheck } from './precheck.ts';
import { pullData, templateList } from './print.ts';
import { actualFee, details, fetchNumbers, status, subscribe, trace } from './queries.ts';
import type {
  Admission,
  Answer,
  CarrierRequest,
  Outcome,
  SimulatedCarrier,
  Subject,
} from '#carrier.ts';
import type { Call, Handler } from './call.ts';
import type { Checked } from './gateway.ts';
import type { World } from './world.ts';

const orderCalls: Record<string, Handler> = {
  '/ecap/v1/orders/precheck': precheck,
  '/ecap/v1/orders/pregetwaybillcodes': fetchNumbers,
  '/ecap/v1/orders/create': create,
  '/ecap/v1/orders/modify': modify,
  '/ecap/v1/orders/cancel': cancel,
  '/ecap/v1/orders/status/get': status,
  '/ecap/v1/orders/trace/query': trace,
  '/ecap/v1/orders/trace/subscribe': subscribe,
  '/ecap/v1/orders/details/query': details,
  '/ecap/v1/orders/actualfee/query': actualFee,
};

const printCalls: Record<string, (call: Call) => Record<string, unknown>> = {
  '/PullDataService/pullData': pullData,
  '/PullDataService/getTemplateList': templateList,
};

/** Returns the API domain of a path; undefined if the path does not belong to this carrier. */
const domainOf = (path: string): string | undefined => {
  if (Object.hasOwn(orderCalls, path)) return 'ECAP';
  return Object.hasOwn(printCalls, path) ? 'jdcloudprint' : undefined;
};

/**
 * Returns the object in a body, which must be an array with exactly one object. Throws a refusal
 * otherwise.
 */
const readBody = (request: CarrierRequest): Record<string, unknown> => {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal('Content-Type必须是application/json');
  let body: unknown;
  try {
    body = JSON.parse(request.body.toString('utf8'));
  } catch {
    throw new Refusal('请求体不是JSON');
  }
  if (!Array.isArray(body) || body.length !== 1 || !isObject(body[0]))
    throw new Refusal('请求体必须是只含一个对象的数组');
  return body[0];
};

/**
 * Returns the order number, waybill and customer code that the request contains. Fields that are
 * missing or unreadable are left out.
 */
const subjectOf = (request: CarrierRequest, appKey: string): Subject => {
  let body: Record<string, unknown> = {};
  try {
    body = readBody(request);
  } catch {
    // A body that cannot be read gives no fields.
  }
  const text = (name: string): string | undefined =>
    typeof body[name] === 'string' ? body[name] : undefined;
  const orderId = text('orderId') ?? text('customerOrderId');
  const customerCode = text('customerCode');
  const waybill = text('waybillCode');
  return {
    app_key: appKey,
    ...(customerCode === undefined ? {} : { customer_code: customerCode }),
    ...(orderId === undefined ? {} : { order_id: orderId }),
    ...(waybill === undefined ? {} : { waybill_code: waybill }),
  };
};

const answerOrderCall = (
  world: World,
  handler: Handler,
  request: CarrierRequest,
  checked: Checked,
): Outcome => {
  const startedAt = performance.now();
  try {
    const {
      data,
      subCode = null,
      subMsg = null,
      mishap,
    } = handler({ world, ...checked, body: fieldsOf(readBody(request), '') });
    const answer = envelopeAnswer(
      world.settings(),
      { code: 0, success: true, msg: '成功', subCode, subMsg, data },
      startedAt,
    );
    return { answer, ...(mishap === undefined ? {} : { mishap }) };
  } catch (error) {
    const refusal = asRefusal(error);
    if (refusal instanceof GatewayRefusal) return { answer: gatewayAnswer(refusal.code) };
    return { answer: envelopeAnswer(world.settings(), refusalEnvelope(refusal), startedAt) };
  }
};

const answerPrintCall = (world: World, request: CarrierRequest, checked: Checked): Outcome => {
  try {
    const call = printCalls[request.path] as (call: Call) => Record<string, unknown>;
    return {
      answer: printAnswer(call({ world, ...checked, body: fieldsOf(readBody(request), '') })),
    };
  } catch (error) {
    return { answer: printAnswer({ code: '0', message: asRefusal(error).message }) };
  }
};

const admitted = (world: World, subject: Subject, process: () => Outcome): Admission => ({
  admitted: true,
  subject,
  process,
  businessError: (message, code, subCode): Answer =>
    envelopeAnswer(
      world.settings(),
      refusalEnvelope(new Refusal(message, code, subCode)),
      performance.now(),
    ),
  gatewayError: gatewayAnswer,
});

/** Simulates JD Logistics' open platform with its HTTP protocol. */
export const createJdlCarrier = (world: World): SimulatedCarrier => ({
  name: 'jdl',
  serves: (path) =>
    path.startsWith('/ecap/') || path.startsWith('/PullDataService/') || path.startsWith('/oauth/'),
  admit: (request) => {
    const { path, query } = request;
    if (oauthPaths.includes(path)) {
      return admitted(
        world,
        { app_key: query.get('client_id') ?? query.get('app_key') ?? '' },
        () => ({ answer: oauth(world, path, query) }),
      );
    }
    const subject = subjectOf(request, query.get('app_key') ?? '');
    try {
      const checked = checkGate(world, request, domainOf(path));
      return admitted(world, subject, () => {
        world.agenda.catchUp();
        const handler = orderCalls[path];
        return handler === undefined
          ? answerPrintCall(world, request, checked)
          : answerOrderCall(world, handler, request, checked);
      });
    } catch (error) {
      const refusal = asRefusal(error);
      if (refusal instanceof GatewayRefusal)
        return { admitted: false, subject, answer: gatewayAnswer(refusal.code) };
      throw error;
    }
  },
});
