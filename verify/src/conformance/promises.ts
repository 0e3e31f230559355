import { figures } from './figures.ts';
import { hostileAnswers } from './hostile.ts';
import type { Kit } from './kit.ts';
import { labels } from './labels.ts';
import { ordering } from './ordering.ts';
import type { CarrierPromise } from './promise.ts';
import { pushes } from './pushes.ts';
import { recovery } from './recovery.ts';
import { refusals } from './refusals.ts';
import { secrecy } from './secrets.ts';

/**
 * All promises of the port `Carrier`. The promise about an expired token is last, because no call
 * succeeds after it.
 */
export const promises: readonly CarrierPromise[] = [
  ...ordering,
  ...recovery,
  ...refusals,
  ...labels,
  ...pushes,
  ...figures,
  ...hostileAnswers,
  ...secrecy,
];

export type Verdict = 'held' | 'broken' | 'not declared' | 'not tried';

export interface Row {
  promise: string;
  verdict: Verdict;
  /**
   * Texts that describe what was observed or what is missing. The most important text comes first.
   */
  evidence: readonly string[];
}

const mostEvidence = 5;

/**
 * Checks one promise. The promise counts as broken if its check throws an error or tries nothing.
 */
export const tryPromise = async (kit: Kit, { name, run }: CarrierPromise): Promise<Row> => {
  const fell: string[] = [];
  let tried = 0;
  const row = (verdict: Verdict, ...evidence: string[]): Row => ({
    promise: name,
    verdict,
    evidence,
  });
  try {
    const ended = await run(kit, (held, what) => {
      tried += 1;
      if (!held) fell.push(what);
    });
    if (fell.length === 0 && 'not_declared' in ended)
      return row('not declared', ended.not_declared);
    if (fell.length === 0 && 'not_tried' in ended) return row('not tried', ended.not_tried);
    if (tried === 0) fell.push('nothing was tried');
    if (fell.length === 0 && 'seen' in ended) return row('held', ended.seen);
  } catch (error) {
    fell.push(error instanceof Error ? error.message : String(error));
  }
  const unique = [...new Set(fell)];
  const more = unique.length - mostEvidence;
  return row('broken', ...unique.slice(0, mostEvidence), ...(more > 0 ? [`and ${more} more`] : []));
};

/** Writes the results as a table. */
export const tableOf = (rows: readonly Row[]): string => {
  const width = Math.max(...rows.map(({ promise }) => promise.length));
  return rows
    .flatMap(({ promise, verdict, evidence }) =>
      evidence.map((text, at) =>
        [
          (at === 0 ? promise : '').padEnd(width),
          (at === 0 ? verdict : '').padEnd('not declared'.length),
          text,
        ].join('  '),
      ),
    )
    .join('\n');
};

export const sumOf = (rows: readonly Row[]): string =>
  (['held', 'broken', 'not declared', 'not tried'] as const)
    .map((verdict) => `${rows.filter((row) => row.verdict === verdict).length} ${verdict}`)
    .join(', ');
