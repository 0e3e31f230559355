import { errorText, isErrorCode } from '#base/error-text.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import type { StatementType } from '@waystation/contract/money/statement.ts';
import type { OutcomeEvent } from '@waystation/contract/parcels/order-outcome.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { useStateWords } from '#parcels/status-tag.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import primitives from '#ui/primitives.module.css';
import { yuan } from '#ui/values/amounts.ts';
import styles from './outcomes.module.css';
import { useOutcomeWords, wordOr } from './words.ts';
import type { SayOutcome } from './words.ts';

type CallEvent = Extract<OutcomeEvent, { kind: 'call' }>;

const tones: Record<string, string> = { ok: 'good', accepted: 'good', refused: 'warn' };

const Body = ({ title, value, cut }: { title: string; value: unknown; cut: 0 | 1 }) => {
  const say = useOutcomeWords();
  return (
    <>
      <h4>{title}</h4>
      <pre tabIndex={0} role="region" aria-label={title}>
        {cut === 1
          ? say('body_cut')
          : value === null
            ? say('no_body')
            : typeof value === 'string'
              ? value
              : JSON.stringify(value, null, 2)}
      </pre>
    </>
  );
};

/**
 * The text for the caller: a person, a job with its number and its attempt, or a task by its name.
 */
const callerWords = ({ job, account_name }: CallEvent, say: SayOutcome): string => {
  if (account_name !== null) return say('by_person', { name: account_name });
  const [name = '', id, no] = job.split(':');
  if (name === '') return say('by_unknown');
  return id === undefined ? say('by_task', { name }) : say('by_job', { name, id, no: no ?? '' });
};

const Call = ({ event }: { event: CallEvent }) => {
  const say = useOutcomeWords();
  const { operation, outcome, code, sent, ms, trace_id, request, answer } = event;
  return (
    <>
      <span>
        <strong>{wordOr(say, 'op', operation)}</strong>{' '}
        <span className={primitives['tag']} data-tone={tones[outcome] ?? 'danger'}>
          {wordOr(say, 'got', outcome)}
        </span>{' '}
        {code !== '' && <code>{code}</code>}
      </span>
      <span>
        {[
          say(sent === null ? 'sent_null' : sent === 0 ? 'sent_0' : 'sent_1'),
          callerWords(event, say),
          say('call_ms', { ms }),
          trace_id && say('call_trace', { id: trace_id }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <details className={styles['bodies']}>
        <summary>{`${say('request')} / ${say('answer')}`}</summary>
        <Body title={say('request')} value={request} cut={event.request_cut} />
        {answer === null && event.answer_cut === 0 && outcome === 'unknown' ? (
          <p>{say('no_answer')}</p>
        ) : (
          <Body title={say('answer')} value={answer} cut={event.answer_cut} />
        )}
      </details>
    </>
  );
};

/**
 * The text for an event. If the event moved money, the text is followed by a link to the
 * transaction.
 */
const What = ({ event }: { event: OutcomeEvent }) => {
  const { language } = useTexts();
  const say = useOutcomeWords();
  const stateWords = useStateWords();
  switch (event.kind) {
    case 'call':
      return <Call event={event} />;
    case 'lost':
      return <span>{say('lost')}</span>;
    case 'money': {
      const type = statementTypes[event.type as StatementType]?.[language] ?? event.type;
      return (
        <a href={screenHref('StatementTable', { id: String(event.row_id) })}>
          {say('money_event', { type, amount: yuan(event.freeze_amount) })}
        </a>
      );
    }
    case 'move': {
      const to = stateWords(event.to_code as StateCode);
      return (
        <span>
          {event.from_code === null
            ? say('move_first', { to })
            : say('move', { from: stateWords(event.from_code as StateCode), to })}
          {event.account_name && ` · ${event.account_name}`}
        </span>
      );
    }
    case 'alert': {
      const text = isErrorCode(event.code)
        ? errorText(event.code, event.params, language)
        : event.code;
      return <span>{say(event.closed === 1 ? 'alert_1' : 'alert_0', { text })}</span>;
    }
    case 'decision': {
      const words = ['end_order', 'confirm_order', 'choose_waybill'] as const;
      const word = words.find((action) => action === event.action) ?? 'end_order';
      return (
        <span>
          {say(word, { name: event.account_name, waybill: event.delivery_id ?? '—' })}
          {event.reference && ` · ${say('evidence_written', { reference: event.reference })}`}
        </span>
      );
    }
  }
};

/** Shows one event of an attempt: its time, its content, and the database row that stores it. */
export const EventRow = ({ event }: { event: OutcomeEvent }) => {
  const say = useOutcomeWords();
  const format = useFormat();
  return (
    <li data-kind={event.kind}>
      <time className="tabular" dateTime={event.at}>
        {format.moment(event.at)}
      </time>
      <div className={styles['what']}>
        <What event={event} />
        <span className={styles['source']}>
          {say('row', { source: wordOr(say, 'source', event.source), id: event.row_id ?? '—' })}
        </span>
      </div>
    </li>
  );
};
