import { setTimeout as sleep } from 'node:timers/promises';
import type { Admission, Answer, Outcome } from './carrier.ts';
import type { Fault } from './faults.ts';

/** A response and how it is sent: completely, cut off in the middle, or not at all. */
export type Delivery = { answer: Answer; how: 'whole' | 'cut' | 'dropped' };

type Admitted = Extract<Admission, { admitted: true }>;

const defaultWait = 5000;
const garbage: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  text: '<html><body>\u670d\u52a1\u5347\u7ea7\u4e2d</body></html>',
};
const nothing: Answer = { status: 0 };

const serverError = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'text/plain;charset=utf-8' },
  text: 'Internal Server Error',
});

/** Returns the response with a waybill that differs from the stored one. */
const renumbered = (answer: Answer): Answer => ({
  ...answer,
  json: JSON.parse(
    JSON.stringify(answer.json ?? null)
      .replaceAll(/JDVE\d(\d{10})/g, 'JDVE9$1')
      .replaceAll(/SF7\d(\d{11})/g, 'SF79$1'),
  ),
});

const afterMishap = async (outcome: Outcome, signal: AbortSignal): Promise<Delivery> => {
  const { mishap, answer } = outcome;
  if (mishap?.kind === 'drop') return { answer: nothing, how: 'dropped' };
  if (mishap?.kind === 'error') return { answer: serverError(mishap.status), how: 'whole' };
  if (mishap?.kind === 'slow') await sleep(mishap.ms, undefined, { signal, ref: false });
  return { answer, how: 'whole' };
};

/**
 * Returns the response of a fault that prevents the request from being executed; undefined for any
 * other fault.
 */
const before = (admission: Admitted, fault: Fault): Delivery | undefined => {
  if (fault.kind === 'refuse') {
    const answer = admission.businessError(
      fault.message ?? '模拟的业务错误',
      fault.code ?? 1,
      fault.sub_code ?? null,
    );
    return { answer, how: 'whole' };
  }
  if (fault.kind === 'gateway')
    return { answer: admission.gatewayError(fault.code ?? 2), how: 'whole' };
  if (fault.kind === 'drop_before') return { answer: nothing, how: 'dropped' };
  if (fault.kind === 'error_before')
    return { answer: serverError(fault.code ?? 500), how: 'whole' };
  if (fault.kind === 'garbage_before') return { answer: garbage, how: 'whole' };
  return undefined;
};

/**
 * Executes an accepted request as far as its fault allows. Rejects only if the program ends
 * meanwhile.
 */
export const deliver = async (
  admission: Admitted,
  fault: Fault | undefined,
  signal: AbortSignal,
): Promise<Delivery> => {
  if (fault === undefined) return afterMishap(admission.process(), signal);
  const early = before(admission, fault);
  if (early !== undefined) return early;
  const wait = fault.ms ?? defaultWait;
  // The caller may disconnect during this wait; the order is created nevertheless.
  if (fault.kind === 'slow_before') await sleep(wait, undefined, { signal, ref: false });
  let outcome = admission.process();
  if (fault.kind === 'doubled') outcome = admission.process();
  if (fault.kind === 'renumbered') return { answer: renumbered(outcome.answer), how: 'whole' };
  if (fault.kind === 'drop_after') return { answer: nothing, how: 'dropped' };
  if (fault.kind === 'error_after') return { answer: serverError(fault.code ?? 500), how: 'whole' };
  if (fault.kind === 'garbage_after') return { answer: garbage, how: 'whole' };
  if (fault.kind === 'cut_after') return { answer: outcome.answer, how: 'cut' };
  if (fault.kind === 'slow_after') await sleep(wait, undefined, { signal, ref: false });
  return afterMishap(outcome, signal);
};
