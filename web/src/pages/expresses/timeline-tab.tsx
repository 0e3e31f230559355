import { useState } from 'react';
import type { ReactNode } from 'react';
import { expressAudit } from '@waystation/contract/shell/audit.ts';
import { auditActions, auditField, auditValue } from '@waystation/contract/shell/audit-words.ts';
import {
  expressStatements,
  priceExpress,
  traceExpress,
} from '@waystation/contract/parcels/express-calls.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { managers } from '@waystation/contract/base/roles.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useLivePause } from '#base/live-events.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { PriceCompared, WhyPanel } from '#money/why-panel.tsx';
import { isMoving, numberOf } from '#parcels/parcel-rules.ts';
import { callerName } from '#resource/record/caller-name.ts';
import { usePermitted } from '#shell/session/session.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Facts } from '#ui/facts.tsx';
import { yuan } from '#ui/values/amounts.ts';
import { Weight } from '#ui/values/weight.tsx';
import { Waiting } from '#ui/waiting.tsx';
import styles from './parcel-drawer.module.css';
import { SourceWords } from './price-tab.tsx';
import { earlierOf } from './earlier.ts';
import { reportTitle } from './report-title.ts';
import type { Earlier } from './earlier.ts';
import { timelineKinds, timelineOf } from './timeline.ts';
import type { Happening, TimelineKind } from './timeline.ts';

/** The changed fields, each with its old and new value. */
const Changes = ({
  changes,
}: {
  changes: Readonly<Record<string, readonly [unknown, unknown]>>;
}) => {
  const { t, language } = useTexts();
  return Object.entries(changes).map(([field, [from, to]]) => (
    <p key={field}>
      {auditField('expresses', field, language)}{' '}
      {from === null && to === null ? (
        t('lists.hidden_change')
      ) : (
        <>
          {from !== null && <del>{auditValue('expresses', field, from, language)}</del>}
          {from !== null && <span aria-hidden> → </span>}
          <ins>{auditValue('expresses', field, to, language)}</ins>
        </>
      )}
    </p>
  ));
};

/**
 * The texts of an event: the title, the text under it, and the details that the user can expand.
 */
const useWords = (
  happening: Happening,
  parcel: Express,
): { title: ReactNode; text?: string; inside?: ReactNode } => {
  const { t, language } = useTexts();
  switch (happening.kind) {
    case 'carrier': {
      const { remark, place, operator_name } = happening.report;
      return {
        title: reportTitle(happening.report, t),
        text: [remark, place, operator_name].filter(Boolean).join(' · '),
      };
    }
    case 'price': {
      const { pricing, before } = happening;
      return {
        title: (
          <>
            <SourceWords source={pricing.source} />{' '}
            {before && `${yuan(before.price.post_amount)} → `}
            {yuan(pricing.price.post_amount)}
          </>
        ),
        text: pricing.reason,
        inside: before ? (
          <PriceCompared before={before.price} after={pricing.price} />
        ) : (
          <WhyPanel
            price={pricing.price}
            cal_weight={pricing.price.cal_weight}
            heading={numberOf(parcel)}
          />
        ),
      };
    }
    case 'money': {
      const { type, amount, freeze_amount, description, station_name } = happening.line;
      const words = statementTypes[type as keyof typeof statementTypes]?.[language] ?? type;
      return {
        title: `${words} ${yuan(amount === 0 ? freeze_amount : amount)}`,
        text: [description, station_name].filter(Boolean).join(' · '),
      };
    }
    default: {
      const { action, reason, changes } = happening.change;
      const hasChanges = Object.keys(changes).length > 0;
      return {
        title: auditActions[action as keyof typeof auditActions]?.[language] ?? action,
        text: [
          callerName(happening.change, language) || t('lists.system'),
          reason && t('lists.reason', { reason }),
        ]
          .filter(Boolean)
          .join(' · '),
        ...(hasChanges && { inside: <Changes changes={changes} /> }),
      };
    }
  }
};

/**
 * Shows the parcel as it was directly after the event: its state, price, weight and number of
 * prints. Also shows the fields that were edited later.
 */
const Then = ({
  earlier: { state_code, post_amount, cal_weight, prints, fields },
}: {
  earlier: Earlier;
}) => {
  const { t, language } = useTexts();
  return (
    <section aria-label={t('expresses.then.title')}>
      <h3>{t('expresses.then.title')}</h3>
      <Facts
        facts={[
          {
            key: 'state_code',
            label: t('expresses.then.state'),
            value:
              state_code === null
                ? t('expresses.then.unordered')
                : wordOf(expressStates, state_code, language),
          },
          {
            key: 'post_amount',
            label: t('expresses.then.price'),
            value: post_amount === null ? null : yuan(post_amount),
          },
          {
            key: 'cal_weight',
            label: t('expresses.cal_weight'),
            value: cal_weight === null ? null : <Weight grams={cal_weight} />,
          },
          { key: 'print_count', label: t('expresses.then.prints'), value: prints },
          ...fields.map(({ field, then, now }) => ({
            key: field,
            label: auditField('expresses', field, language),
            value: (
              <>
                {then === null ? '—' : auditValue('expresses', field, then, language)}{' '}
                <span className={styles['quiet']}>
                  {t('expresses.then.now', {
                    value: auditValue('expresses', field, now, language),
                  })}
                </span>
              </>
            ),
            wide: true,
          })),
        ]}
      />
    </section>
  );
};

const Entry = ({
  happening,
  parcel,
  earlierAt,
}: {
  happening: Happening;
  parcel: Express;
  earlierAt: (happening: Happening) => Earlier;
}) => {
  const [isOpen, setOpen] = useState(false);
  const { t } = useTexts();
  const format = useFormat();
  const { title, text, inside } = useWords(happening, parcel);
  const head = (
    <>
      <span className={styles['kind']}>{t(`expresses.timeline.${happening.kind}`)}</span>{' '}
      <span className={styles['what']}>{title}</span>{' '}
      <time
        className={`${styles['quiet']} tabular`}
        dateTime={happening.at}
        title={`${format.relative(happening.at)} · ${format.moment(happening.at)}`}
      >
        {format.dateTime(happening.at)}
      </time>
    </>
  );
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{head}</summary>
        <div className={styles['inside']}>
          {inside}
          {isOpen && <Then earlier={earlierAt(happening)} />}
        </div>
      </details>
      {text !== undefined && text !== '' && <p>{text}</p>}
    </li>
  );
};

const useHappenings = (parcel: Express) => {
  const seesMoney = usePermitted(managers);
  const { id } = parcel;
  const quiet = { quiet: true, keep: true } as const;
  const trace = useCall(
    traceExpress,
    { id },
    { ...quiet, refetchInterval: useLivePause(isMoving(parcel) ? 10_000 : false) },
  );
  const price = useCall(priceExpress, { id }, quiet);
  const money = useCall(expressStatements, seesMoney ? { id } : null, quiet);
  const audit = useCall(expressAudit, { id, page_size: mostPageSize }, { ...quiet, staleTime: 0 });
  const readings = [trace, price, audit, ...(seesMoney ? [money] : [])];
  return {
    sources:
      trace.data && price.data && audit.data && (money.data || !seesMoney)
        ? {
            reports: trace.data.items,
            pricings: price.data.pricings,
            lines: money.data?.items ?? [],
            changes: audit.data.items,
          }
        : null,
    error: readings.find(({ error }) => error !== null)?.error ?? null,
    refetch: () => void Promise.all(readings.map((reading) => reading.refetch())),
  };
};

/**
 * Lists all events of the parcel, newest first. Each event can show the parcel as it was at that
 * time. A price or a change also shows the previous value.
 */
export const TimelineTab = ({ parcel }: { parcel: Express }) => {
  const { t } = useTexts();
  const [only, setOnly] = useState<TimelineKind | null>(null);
  const { sources, error, refetch } = useHappenings(parcel);
  if (!sources) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />;
  const happenings = timelineOf(sources);
  if (happenings.length === 0)
    return <Empty title={t('expresses.timeline.none')} hint={t('expresses.no_track_hint')} />;
  const kinds = timelineKinds.filter((kind) =>
    happenings.some((happening) => happening.kind === kind),
  );
  return (
    <>
      <div className={styles['kinds']} role="group" aria-label={t('expresses.timeline.show')}>
        {[null, ...kinds].map((kind) => (
          <button
            key={kind ?? 'all'}
            type="button"
            aria-pressed={only === kind}
            onClick={() => setOnly(kind)}
          >
            {t(`expresses.timeline.${kind ?? 'all'}`)}
          </button>
        ))}
      </div>
      <ol className={styles['track']} aria-label={t('expresses.tab.timeline')}>
        {happenings
          .filter(({ kind }) => only === null || kind === only)
          .map((happening) => (
            <Entry
              key={happening.key}
              happening={happening}
              parcel={parcel}
              earlierAt={(each) => earlierOf(sources, each)}
            />
          ))}
      </ol>
    </>
  );
};
