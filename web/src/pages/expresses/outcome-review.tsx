import { useState } from 'react';
import {
  checkOutcome,
  decideOutcome,
  expressStatements,
  getExpress,
  listExpresses,
} from '@waystation/contract/parcels/express-calls.ts';
import {
  isOutcomeOpen,
  openOutcomeReasons,
  unansweredHours,
} from '@waystation/contract/parcels/express-outcome.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { outcomeLink } from '@waystation/contract/parcels/order-outcome.ts';
import { reasonLength, waybillLength } from '@waystation/contract/base/limits.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/fields/checkbox.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import { yuan } from '#ui/values/amounts.ts';
import styles from './outcome-review.module.css';

type Check = OutputOf<typeof checkOutcome>;
type Asked = Check['waybills'][number];
/**
 * The waybill under which the carrier has stored the order; null if the carrier has not stored it.
 */
type Decision = Asked | null;

const refreshed = [getExpress, listExpresses, expressStatements, workplace];

/**
 * True if the carrier's answer shows this order or no order number, so that the waybill may belong
 * to this order.
 */
const isPossible = ({ details }: Asked): boolean =>
  details.result === 'ours' || details.result === 'unnamed';
/**
 * True if the search for the order permits releasing the held money. The answer "not found" permits
 * it only if earlier searches also found nothing.
 */
const isUnstored = ({ search, parcel }: Check): boolean => {
  const reason = parcel.state_reason?.code;
  if (search.result === 'not_found') return reason === 'order_not_found';
  return search.result === 'not_asked' ? reason === 'order_not_asked' : search.result === 'refused';
};
/**
 * True if the carrier's answer permits releasing the held money. The carrier must not have stored
 * the order, and no waybill number may belong to the order.
 */
const isReleasable = (said: Check): boolean =>
  isUnstored(said) &&
  said.waybills.every(
    (asked) =>
      asked.details.result !== 'ours' &&
      (asked.source === 'typed' || ['unknown', 'another'].includes(asked.details.result)),
  );

/**
 * True if the parcel is old enough that the carrier's written confirmation may be used. The server
 * makes the final decision.
 */
const mayBeWritten = ({ created_at }: Express): boolean =>
  Date.now() - Date.parse(created_at) >= unansweredHours * 3_600_000;

/** A waybill number that the user typed, and about which the carrier has not been asked. */
const typedWaybill = (delivery_id: string): Asked => ({
  delivery_id,
  source: 'typed',
  details: { result: 'no_answer', order_id: '', text: '' },
  trace: { result: 'no_answer', text: '', items: [] },
});

const Confirm = ({
  parcel,
  decision,
  isWritten,
  onClose,
}: {
  parcel: Express;
  decision: Decision;
  isWritten: boolean;
  onClose: () => void;
}) => {
  const { t } = useTexts();
  const [compared, setCompared] = useState(false);
  const [reference, setReference] = useState('');
  const mustCompare = decision?.source === 'typed' && decision.details.result === 'unnamed';
  const sending = useSubmit({
    send: async (key) => {
      const choice =
        decision === null
          ? ({ outcome: 'not_stored' } as const)
          : { outcome: 'stored' as const, delivery_id: decision.delivery_id };
      await call(
        decideOutcome,
        {
          id: parcel.id,
          version: parcel.version,
          ...choice,
          ...(compared && { compared: 1 as const }),
          ...(isWritten && { reference }),
        },
        { idempotencyKey: key },
      );
      return decision === null
        ? t('expresses.outcome.done_not_stored', { number: parcel.order_id })
        : t('expresses.outcome.done_stored', { number: decision.delivery_id });
    },
    refreshes: refreshed,
    refreshOnFailure: true,
    onDone: onClose,
  });
  const kind = decision === null ? 'not_stored' : 'stored';
  const cancels = parcel.canceling === 1 ? t(`expresses.outcome.cancels_${kind}`) : '';
  return (
    <SubmitDialog
      title={t(`expresses.outcome.title_${kind}`, {
        number: decision?.delivery_id ?? parcel.order_id,
      })}
      ok={t(`expresses.outcome.do_${kind}`)}
      sending={sending}
      check={() => ({
        compared: mustCompare && !compared ? t('common.required') : undefined,
        reference: isWritten && reference.trim() === '' ? t('common.required') : undefined,
      })}
      onClose={onClose}
    >
      <p>
        {t(`expresses.outcome.${isWritten ? 'written' : 'effect'}_${kind}`, {
          amount: yuan(parcel.post_amount),
        })}
      </p>
      {isWritten && (
        <TextField
          label={t('expresses.outcome.reference')}
          value={reference}
          onChange={setReference}
          max={reasonLength.max}
          error={sending.errors['reference']}
          required
        />
      )}
      {cancels !== '' && <p>{cancels}</p>}
      {mustCompare && (
        <>
          <Checkbox checked={compared} onChange={setCompared}>
            {t('expresses.outcome.compared', { number: parcel.order_id })}
          </Checkbox>
          {sending.errors['compared'] !== undefined && (
            <p role="alert" className={styles['error']}>
              {sending.errors['compared']}
            </p>
          )}
        </>
      )}
    </SubmitDialog>
  );
};

const Waybill = ({
  parcel,
  asked,
  onUse,
}: {
  parcel: Express;
  asked: Asked;
  onUse: () => void;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const { delivery_id, source, details, trace } = asked;
  return (
    <li>
      <div className={styles['head']}>
        <span className="tabular">{delivery_id}</span>
        <span className={styles['quiet']}>{t(`expresses.outcome.source.${source}`)}</span>
        {isPossible(asked) && (
          <Button
            size="small"
            aria-label={t('expresses.outcome.use_number', { number: delivery_id })}
            onClick={onUse}
          >
            {t('expresses.outcome.use')}
          </Button>
        )}
      </div>
      <p>
        {t(`expresses.outcome.details.${details.result}`, {
          order: details.order_id || parcel.order_id,
          text: details.text,
        })}
      </p>
      {trace.result === 'found' && trace.items.length === 0 && (
        <p>{t('expresses.outcome.trace_none')}</p>
      )}
      {trace.result === 'no_answer' && <p>{t('expresses.outcome.trace_no_answer')}</p>}
      {trace.items.length > 0 && (
        <ul className={styles['trace']} aria-label={t('expresses.outcome.trace')}>
          {trace.items.map(({ at, title, place }) => (
            <li key={`${at} ${title}`}>
              <time dateTime={at}>{format.dateTime(at)}</time> {title} {place}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

/** Shows the carrier's answer about the order, and the decisions that are still possible. */
const Said = ({
  parcel,
  said,
  onDecide,
}: {
  parcel: Express;
  said: Check;
  onDecide: (decision: Decision) => void;
}) => {
  const { t } = useTexts();
  const { search, waybills } = said;
  return (
    <div className={styles['said']}>
      <p>
        <strong>{t('expresses.outcome.search')}</strong>{' '}
        {t(`expresses.outcome.searched.${search.result}`, {
          order: parcel.order_id,
          number: search.delivery_id ?? '',
          text: search.text,
        })}
      </p>
      {waybills.length > 0 && (
        <ul className={styles['waybills']}>
          {waybills.map((asked) => (
            <Waybill
              key={asked.delivery_id}
              parcel={parcel}
              asked={asked}
              onUse={() => onDecide(asked)}
            />
          ))}
        </ul>
      )}
      {isReleasable(said) ? (
        <div>
          <Button size="small" onClick={() => onDecide(null)}>
            {t('expresses.outcome.release')}
          </Button>
        </div>
      ) : (
        <p className={styles['quiet']}>
          {t(
            search.result === 'no_answer'
              ? 'expresses.outcome.later'
              : 'expresses.outcome.not_releasable',
          )}
        </p>
      )}
    </div>
  );
};

/**
 * Shows an order whose outcome an administrator must decide. The carrier is asked about the order.
 * The administrator then confirms a waybill number or releases the held money.
 */
export const OutcomeReview = ({ parcel }: { parcel: Express }) => {
  const { t, language } = useTexts();
  const reason =
    openOutcomeReasons.find((code) => code === parcel.state_reason?.code) ?? openOutcomeReasons[0];
  const [number, setNumber] = useState('');
  const [said, setSaid] = useState<Check | null>(null);
  const [decision, setDecision] = useState<{ of: Decision; isWritten: boolean } | null>(null);
  const decideInWriting = () => {
    const typed = number.trim();
    setDecision({ of: typed === '' ? null : typedWaybill(typed), isWritten: true });
  };
  const { busy, run } = useActions<'check'>(refreshed);
  const check = () =>
    run('check', async () => {
      const typed = number.trim();
      const answer = await call(checkOutcome, {
        id: parcel.id,
        ...(typed !== '' && { delivery_id: typed }),
      });
      if (isOutcomeOpen(answer.parcel)) setSaid(answer);
      else notify.success(t('expresses.outcome.settled', { number: numberOf(answer.parcel) }));
    });
  return (
    <>
      <Notice tone="danger">
        <p>
          {t(`expresses.outcome.reason.${reason}`, {
            text: String(parcel.state_reason?.params?.['text'] ?? ''),
          })}
        </p>
        <p>{t('expresses.outcome.what', { amount: yuan(parcel.post_amount) })}</p>
        <p>
          <a href={screenHref('OutcomePage', { id: parcel.id })}>{outcomeLink[language]}</a>
        </p>
        <div className={styles['ask']}>
          <TextField
            label={t('expresses.outcome.number')}
            value={number}
            onChange={setNumber}
            max={waybillLength}
            disabled={busy.has('check')}
          />
          <Button loading={busy.has('check')} onClick={() => void check()}>
            {t(said === null ? 'expresses.outcome.check' : 'expresses.outcome.check_again')}
          </Button>
        </div>
        {said && (
          <Said
            parcel={parcel}
            said={said}
            onDecide={(of) => setDecision({ of, isWritten: false })}
          />
        )}
        {mayBeWritten(parcel) && (
          <div className={styles['written']}>
            <Button size="small" onClick={decideInWriting}>
              {t(`expresses.outcome.in_writing_${number.trim() === '' ? 'not_stored' : 'stored'}`)}
            </Button>
          </div>
        )}
      </Notice>
      {decision && (
        <Confirm
          parcel={parcel}
          decision={decision.of}
          isWritten={decision.isWritten}
          onClose={() => setDecision(null)}
        />
      )}
    </>
  );
};
