/**
 * The defects that are planted in the product. They show that histories with carrier faults find
 * such defects.
 */
import type { SimulatedName } from '#simulated-carrier.ts';

export interface Defect {
  name: string;
  /** The path of the file, relative to `server/src/domain/express`. */
  file: string;
  /**
   * The text that the defect replaces. It occurs exactly once in the file. The new text is `after`.
   */
  before: string;
  after: string;
  /** The carriers for whose orders the defect has an effect. */
  carriers: readonly SimulatedName[];
}

const both = ['jdl', 'sf'] as const;

export const defects: readonly Defect[] = [
  {
    name: 'an unknown outcome of an order is forgotten',
    file: 'take-answer.ts',
    before: '    : repeatSeconds(order_tries);\n  await again(seconds);',
    after: '    : repeatSeconds(order_tries);\n  if (seconds === 0) await again(seconds);',
    carriers: both,
  },
  {
    name: 'an unanswered order counts as refused',
    file: 'take-answer.ts',
    before: 'return takeUnknown(context, work, express, { answer, isAsked, again });',
    after: `return answer.not_sent
        ? takeUnknown(context, work, express, { answer, isAsked, again })
        : endOrder(context, work, express, { why: { words: 'no answer' }, operation: 'create' });`,
    carriers: both,
  },
  {
    name: 'an unanswered cancel counts as done',
    file: 'cancel.ts',
    before: "case 'unknown':\n          return again(work, retrySeconds);",
    after: `case 'unknown':
          await applyAnswer(context, work, express, { result: 'cancelled', text: '' });
          return noteAnswer({ result: 'cancelled', text: '' });`,
    carriers: both,
  },
  {
    name: 'an unanswered change counts as refused',
    file: 'modify.ts',
    before: "if (answer.outcome === 'unknown')\n        return again(",
    after: `if (answer.outcome === 'unknown' && !isUnsent)
        return conclude(context, work, express, {
          edit,
          verdict: { isTaken: false, words: 'no answer' },
          promised_at: null,
        });
      if (answer.outcome === 'unknown')\n        return again(`,
    carriers: both,
  },
  {
    name: 'a change that was never sent counts as done',
    file: 'modify.ts',
    before: "const isTaken =\n        answer.outcome === 'ok' ||",
    after:
      "const isTaken =\n        answer.outcome === 'refused' ||\n        answer.outcome === 'ok' ||",
    carriers: both,
  },
  {
    name: 'a refused order keeps its hold',
    file: 'take-answer.ts',
    before: 'await releaseHold(work, {',
    after: 'if (express_id < 0) await releaseHold(work, {',
    carriers: both,
  },
  {
    name: 'a refused change keeps the rise of the hold',
    file: 'modify.ts',
    before: "if (status === 'refused' || status === 'moot')",
    after: "if (status === 'pending')",
    carriers: both,
  },
  {
    name: 'a difference is charged twice',
    file: 'facts.ts',
    before: "      cause: cause('difference'),",
    after: `      cause: cause('difference'),
      at,
      by: account_id,
    });
    await chargeDifference(work, {
      express_id: after.id,
      type: 'reweigh',
      price_before: ledgerPrice(before),
      price_after: ledgerPrice(after),
      shares_before: before.shares,
      shares_after: after.shares,
      cause: cause('again'),`,
    carriers: both,
  },
  {
    name: 'an order found by a search gets another waybill',
    file: 'accept.ts',
    before: '      delivery_id: accepted.delivery_id,\n      ...labelOf',
    after:
      "      delivery_id: accepted.delivery_id + (certainty === 'repeat' ? '' : '9'),\n      ...labelOf",
    carriers: ['sf'],
  },
  {
    name: 'a repeated order gets another waybill',
    file: 'accept.ts',
    before: '      delivery_id: accepted.delivery_id,\n      ...labelOf',
    after:
      "      delivery_id: accepted.delivery_id + (express.order_tries > 1 ? '9' : ''),\n      ...labelOf",
    carriers: ['jdl'],
  },
];
