import { useId } from 'react';
import { providers } from '@waystation/contract/network/provider.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import type { StatementType } from '@waystation/contract/money/statement.ts';
import type { OutcomeAttempt } from '@waystation/contract/parcels/order-outcome.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { yuan } from '#ui/values/amounts.ts';
import { OutcomeTag } from './columns.tsx';
import { EventRow } from './event-row.tsx';
import styles from './outcomes.module.css';
import { useOutcomeWords } from './words.ts';

/**
 * The text for the evidence of a decision. It is the written confirmation, or else the number of
 * the carrier call on which the decision is based.
 */
const useEvidence = ({ events, call_id }: OutcomeAttempt): string => {
  const say = useOutcomeWords();
  const decided = events.find((event) => event.kind === 'decision');
  if (decided?.reference) return say('evidence_written', { reference: decided.reference });
  return call_id === null ? say('evidence_named') : say('evidence_call', { call: call_id });
};

/** The reason why the outcome is certain. If it is not certain, the next step and its time. */
const useConclusion = (attempt: OutcomeAttempt): string => {
  const say = useOutcomeWords();
  const format = useFormat();
  const evidence = useEvidence(attempt);
  const { outcome, next_at, waits_for_office, call_id, decided_by, settled_under } = attempt;
  if (outcome.certainty !== null)
    return say(`why_${outcome.certainty}`, {
      waybill: settled_under ?? '—',
      call: call_id ?? '—',
      name: decided_by || say('someone'),
      evidence,
    }).trim();
  const time = next_at === null ? '' : format.clock(Date.parse(next_at));
  if (waits_for_office === 1)
    return say(next_at === null || attempt.account_paused === 1 ? 'next_office' : 'next_both', {
      time,
    });
  if (attempt.account_paused === 1) return say('next_paused');
  return say(next_at === null ? 'next_running' : 'next_call', { time });
};

/**
 * The text about the money held for an order. It contains the amount, the start and end of the
 * hold, and the transaction that released or charged it.
 */
const useHeld = ({ held }: OutcomeAttempt): string => {
  const { language } = useTexts();
  const say = useOutcomeWords();
  const format = useFormat();
  if (held === null) return say('money_none');
  const moment = (at: string | null): string => (at === null ? '—' : format.moment(at));
  const type = held.ended_type ?? '';
  return say(held.status === 'open' ? 'money_open' : 'money_ended', {
    amount: yuan(held.amount),
    since: moment(held.since),
    line: held.held_line ?? '—',
    until: moment(held.until),
    type: statementTypes[type as StatementType]?.[language] ?? type,
    ended: held.ended_line ?? '—',
  });
};

/** One attempt to order. It shows its conclusion first, then the money, and then the events. */
export const Attempt = ({ attempt, callDays }: { attempt: OutcomeAttempt; callDays: number }) => {
  const { language } = useTexts();
  const say = useOutcomeWords();
  const heading = useId();
  const { outcome, events, calls_left_out } = attempt;
  const isOpen = outcome.is_open === 1;
  return (
    <section
      className={`${primitives['card']} ${styles['attempt']}`}
      aria-labelledby={heading}
      data-outcome={outcome.certainty ?? 'open'}
    >
      <h2 id={heading}>
        {say('attempt', { no: outcome.attempt })}
        <OutcomeTag is_open={outcome.is_open} />
        <span className={primitives['note']}>
          {[wordOf(providers, outcome.provider, language), outcome.station_name].join(' · ')}
        </span>
      </h2>
      <Notice tone={isOpen ? 'warn' : 'info'}>{useConclusion(attempt)}</Notice>
      <div className={styles['part']}>
        <h3>{say('reason')}</h3>
        <p>{say(`cause_${outcome.cause}`)}</p>
      </div>
      <div className={styles['part']}>
        <h3>{say('money')}</h3>
        <p>{useHeld(attempt)}</p>
      </div>
      <div className={styles['part']}>
        <h3>{say('events')}</h3>
        <ol className={styles['events']} aria-label={say('events')}>
          {events.map((event, no) => (
            // The key contains the index, because one row can produce two events. For example, an
            // alert has an event when it is raised and another when it is closed.
            <EventRow key={`${event.source} ${event.row_id} ${no}`} event={event} />
          ))}
        </ol>
        {calls_left_out > 0 && (
          <p className={primitives['note']}>{say('left_out', { count: calls_left_out })}</p>
        )}
        <p className={primitives['note']}>{say('kept', { days: callDays })}</p>
      </div>
    </section>
  );
};
