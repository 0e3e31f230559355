import { CheckCircleFilled, CloseCircleFilled, MinusCircleOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { proofBlindSpots, proveLedger } from '@waystation/contract/money/statement.ts';
import { ledgerProofs } from '@waystation/contract/shell/workplace.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice } from '#ui/notice.tsx';
import { Progress } from '#ui/progress.tsx';
import { BoardCard } from './board-card.tsx';
import styles from './proof.module.css';

/**
 * The interval of the requests in milliseconds while a full ledger check is running, because its
 * progress is shown.
 */
const whileRunning = 2_000;

type Proofs = OutputOf<typeof ledgerProofs>;
type Proof = Proofs['items'][number];

const Verdict = ({ proof }: { proof: Proof | undefined }) => {
  const { t } = useTexts();
  const format = useFormat();
  const icon =
    proof === undefined ? (
      <Icon of={MinusCircleOutlined} />
    ) : proof.ok ? (
      <Icon of={CheckCircleFilled} />
    ) : (
      <Icon of={CloseCircleFilled} />
    );
  const words =
    proof === undefined
      ? t('workplace.proof_none')
      : proof.ok
        ? t('workplace.proof_ok')
        : t('workplace.proof_bad');
  return (
    <>
      <p className={styles['verdict']} data-ok={proof?.ok}>
        {icon} {words}
      </p>
      {proof && (
        <p className={styles['note']}>
          {t('workplace.proof_detail', {
            kind: t(proof.whole ? 'workplace.proofs.full' : 'workplace.proofs.part'),
            count: format.number(proof.checked_entries),
            time: format.time(proof.at),
          })}
        </p>
      )}
    </>
  );
};

/**
 * Shows the times of the last full check and of the last check of new postings. If a full check is
 * running, shows its progress.
 */
const Times = ({ proofs: { last_full, last_new, running } }: { proofs: Proofs }) => {
  const { t } = useTexts();
  const format = useFormat();
  const shown = (last: Proofs['last_full']): string =>
    last === null
      ? t('workplace.proofs.never')
      : t(last.ok ? 'workplace.proofs.at_ok' : 'workplace.proofs.at_bad', {
          time: format.time(last.at),
        });
  return (
    <dl className={styles['times']}>
      <dt>{t('workplace.proofs.last_full')}</dt>
      <dd>{shown(last_full)}</dd>
      <dt>{t('workplace.proofs.last_new')}</dt>
      <dd>{shown(last_new)}</dd>
      {running && (
        <>
          <dt>{t('workplace.proofs.running')}</dt>
          <dd>
            <Progress
              percent={Math.floor((running.rows_done / Math.max(1, running.rows_total)) * 100)}
              label={t('workplace.proofs.running')}
            />
            {t('workplace.proofs.since', { time: format.time(running.started_at) })}
          </dd>
        </>
      )}
    </dl>
  );
};

/**
 * The violations that the ledger check has found, each with invariant, subject and reason
 * (docs/ledger.md).
 */
const Breaks = ({ proof }: { proof: Proof }) => {
  const { t } = useTexts();
  return (
    <ul className={styles['breaks']}>
      {proof.breaks.map(({ invariant, subject, detail }) => (
        <li key={`${invariant} ${subject} ${detail}`}>
          <b>{invariant}</b> {subject}: {detail}
        </li>
      ))}
      {proof.breaks_total > proof.breaks.length && (
        <li>
          {t('workplace.proofs.more_breaks', { count: proof.breaks_total - proof.breaks.length })}
        </li>
      )}
    </ul>
  );
};

/** The stations whose payments are suspended until an administrator has checked them. */
const Blocked = ({ blocked }: { blocked: Proofs['blocked'] }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <Notice tone="danger">
      <strong>{t('workplace.proofs.blocked')}</strong>
      <ul className={styles['blocked']}>
        {blocked.map(({ station_id, name, blocked_at, reason }) => (
          <li key={station_id ?? 0}>
            {station_id === null ? (
              t('workplace.proofs.blocked_all')
            ) : (
              <a href={screenHref('StationTable', { id: station_id })}>{name}</a>
            )}{' '}
            <span>{t('workplace.proofs.blocked_since', { time: format.time(blocked_at) })}</span>
            <p>{reason}</p>
          </li>
        ))}
      </ul>
    </Notice>
  );
};

const History = ({ items }: { items: readonly Proof[] }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <details className={styles['history']}>
      <summary>{t('workplace.proofs.history', { count: items.length })}</summary>
      <ol>
        {items.map((proof) => (
          <li key={proof.id}>
            <time dateTime={proof.at} title={format.moment(proof.at)}>
              {format.time(proof.at)}
            </time>
            <span>{t(proof.whole ? 'workplace.proofs.full' : 'workplace.proofs.part')}</span>
            <span>
              {t('workplace.proofs.entries', { count: format.number(proof.checked_entries) })}
            </span>
            <span data-ok={proof.ok}>
              {proof.ok
                ? t('workplace.proofs.ok')
                : t('workplace.proofs.bad', { count: proof.breaks_total })}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
};

/**
 * Shows when a protected copy of the evidence was last written outside the database. Also lists the
 * kinds of change that the ledger check cannot detect.
 */
const EvidenceNote = ({ evidence }: { evidence: Proofs['evidence'] }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { heads_at, transfers_since, records_since, baseline_at } = evidence;
  const spots = proofBlindSpots.filter(
    (spot) => spot !== 'before_baseline' || baseline_at !== null,
  );
  return (
    <div className={styles['note']}>
      <p>
        {heads_at === null
          ? t('workplace.proofs.evidence_none')
          : t('workplace.proofs.evidence', { time: format.time(heads_at) })}
        {transfers_since + records_since > 0 && (
          <>
            <br />
            {t('workplace.proofs.evidence_since', {
              transfers: format.number(transfers_since),
              records: format.number(records_since),
            })}
          </>
        )}
      </p>
      <details>
        <summary>{t('workplace.proofs.unseen')}</summary>
        <ul>
          {spots.map((spot) => (
            <li key={spot}>
              {t(`workplace.proofs.unseen_spots.${spot}`, {
                time: baseline_at === null ? '' : format.time(baseline_at),
              })}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
};

/**
 * Shows administrators whether the ledger is correct. The card shows the result of the last check,
 * blocked stations and earlier results. A button starts a new check.
 */
export const ProofCard = ({ every }: { every: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { busy, run } = useActions<0 | 1>([ledgerProofs]);
  const [isRunning, setRunning] = useState(false);
  const reading = useCall(
    ledgerProofs,
    {},
    { refetchInterval: isRunning || busy.size > 0 ? whileRunning : every, quiet: true },
  );
  const isNow = reading.data?.running != null;
  if (isNow !== isRunning) setRunning(isNow);
  const prove = (full: 0 | 1) =>
    run(full, async () => {
      const { ok, checked_entries, breaks } = await call(proveLedger, { full });
      if (ok === null) notify.success(t('workplace.proofs.goes_on'));
      else if (ok)
        notify.success(t('workplace.proofs.ran_ok', { count: format.number(checked_entries) }));
      else notify.warning(t('workplace.proofs.ran_bad', { count: format.number(breaks.length) }));
    });
  return (
    <BoardCard title={t('workplace.proof')} reading={reading}>
      {({ items, blocked, evidence, ...proofs }) => (
        <>
          <Verdict proof={items[0]} />
          <Times proofs={{ items, blocked, evidence, ...proofs }} />
          {items[0]?.ok === 0 && <Breaks proof={items[0]} />}
          {blocked.length > 0 && <Blocked blocked={blocked} />}
          <EvidenceNote evidence={evidence} />
          <div className={styles['buttons']}>
            {([0, 1] as const).map((full) => (
              <Button
                key={full}
                size="small"
                loading={busy.has(full)}
                disabled={busy.size > 0 && !busy.has(full)}
                onClick={() => void prove(full)}
              >
                {t(full ? 'workplace.proofs.run_full' : 'workplace.proofs.run_part')}
              </Button>
            ))}
          </div>
          {items.length > 0 && <History items={items} />}
        </>
      )}
    </BoardCard>
  );
};
