import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { handoverMissing, handoverScans } from '@waystation/contract/parcels/handover.ts';
import type {
  HandoverScan,
  HandoverSummary,
  MissingParcel,
} from '@waystation/contract/parcels/handover.ts';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { StatusTag } from '#parcels/status-tag.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import primitives from '#ui/primitives.module.css';
import { TabStrip } from '#ui/tab-strip.tsx';
import { useAnswerWords } from './answer-words.ts';
import styles from './visit.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

type Part = 'given' | 'missing' | 'others';
const parts = ['given', 'missing', 'others'] as const satisfies readonly Part[];
type TakeBack = (scan: HandoverScan) => void;

const Parcel = ({ id, number }: { id: number | null; number: string }) =>
  id === null ? (
    <span className="tabular">{number}</span>
  ) : (
    <a className="tabular" href={screenHref('ExpressPage', { id })}>
      {number}
    </a>
  );

/** A list of short rows that become cards on a narrow screen. */
const Rows = ({ children }: { children: ReactNode }) => (
  <ul className={`${primitives['list']} ${styles['rows']}`}>{children}</ul>
);

const ScanRow = ({ scan, onTakeBack }: { scan: HandoverScan; onTakeBack?: TakeBack }) => {
  const say = useHandoverWords();
  const format = useFormat();
  const wordsOf = useAnswerWords();
  const number = scan.delivery_id ?? scan.number;
  const moved = scan.state_code !== null && scan.state_code !== stateCode.awaitingPickup;
  return (
    <li>
      <Parcel id={scan.express_id} number={number} />
      <span className={primitives['quiet']}>
        {scan.result === 'given'
          ? (scan.package_count ?? 1) > 1 && `${scan.package_no}/${scan.package_count}`
          : wordsOf(scan).words}
      </span>
      {scan.result === 'given' && moved && <StatusTag code={scan.state_code ?? 0} />}
      <span className={`${primitives['note']} ${styles['by']}`}>
        <time dateTime={scan.at}>{format.time(scan.at)}</time> {scan.scanned_by_nickname}
      </span>
      {onTakeBack && (
        <Button
          type="link"
          size="small"
          aria-label={say('take_back_of', { number })}
          onClick={() => onTakeBack(scan)}
        >
          {say('take_back')}
        </Button>
      )}
    </li>
  );
};

interface ScansProps {
  id: number;
  part: 'given' | 'others';
  onTakeBack: TakeBack | undefined;
}

const Scans = ({ id, part, onTakeBack }: ScansProps) => {
  const say = useHandoverWords();
  const [pages, setPages] = useState<readonly (number | undefined)[]>([undefined]);
  const more = (cursor: number): void => setPages([...pages, cursor]);
  return (
    <>
      {pages.map((cursor, at) => (
        <ScanPage
          key={cursor ?? 0}
          id={id}
          part={part}
          cursor={cursor}
          onTakeBack={onTakeBack}
          more={at === pages.length - 1 ? more : null}
          none={say(`none.${part}`)}
        />
      ))}
    </>
  );
};

const ScanPage = ({
  id,
  part,
  cursor,
  onTakeBack,
  more,
  none,
}: ScansProps & {
  cursor: number | undefined;
  more: ((cursor: number) => void) | null;
  none: string;
}) => {
  const say = useHandoverWords();
  const { data, error, refetch } = useCall(
    handoverScans,
    { id, part, page_size: mostPageSize, ...(cursor !== undefined && { cursor }) },
    { quiet: true, keep: true, staleTime: 0 },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <div aria-busy />;
  if (data.items.length === 0 && cursor === undefined) return <Empty title={none} />;
  const next = data.next_cursor;
  return (
    <>
      <Rows>
        {data.items.map((scan) => (
          <ScanRow key={scan.id} scan={scan} {...(onTakeBack && { onTakeBack })} />
        ))}
      </Rows>
      {more && next !== null && (
        <Button type="link" onClick={() => more(Number(next))}>
          {say('more')}
        </Button>
      )}
    </>
  );
};

const MissingRow = ({ parcel }: { parcel: MissingParcel }) => {
  const say = useHandoverWords();
  return (
    <li>
      <Parcel id={parcel.express_id} number={parcel.delivery_id} />
      {parcel.package_count > 1 && (
        <span className={primitives['quiet']}>
          {say('missing_of', {
            missing: parcel.missing,
            count: parcel.package_count,
          })}
        </span>
      )}
    </li>
  );
};

const Missing = ({ id }: { id: number }) => {
  const say = useHandoverWords();
  const format = useFormat();
  const { data, error, refetch } = useCall(
    handoverMissing,
    { id },
    { quiet: true, keep: true, staleTime: 0 },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <div aria-busy />;
  if (data.items.length === 0) return <Empty title={say('none.missing')} />;
  const rest = data.parcels - data.items.length;
  return (
    <>
      <Rows>
        {data.items.map((parcel) => (
          <MissingRow key={parcel.delivery_id} parcel={parcel} />
        ))}
      </Rows>
      {rest > 0 && (
        <p className={primitives['note']}>{say('missing_more', { count: format.number(rest) })}</p>
      )}
    </>
  );
};

/** Tabs with the packages handed over, the missing parcels and the refused scans. */
export const VisitLists = ({
  summary,
  onTakeBack,
}: {
  summary: HandoverSummary;
  onTakeBack?: TakeBack;
}) => {
  const say = useHandoverWords();
  const format = useFormat();
  const panel = useId();
  const [part, setPart] = useState<Part>('given');
  const { id, packages } = summary.handover;
  const counts = { given: packages, missing: summary.missing, others: summary.others };
  return (
    <div className={`${primitives['card']} ${styles['lists']}`}>
      <TabStrip
        label={say('tabs')}
        controls={panel}
        value={part}
        onChange={setPart}
        tabs={parts.map((key) => ({
          key,
          label: say(`tab.${key}`),
          count: format.number(counts[key]),
        }))}
      />
      <div id={panel} role="tabpanel" tabIndex={0} aria-labelledby={`${panel}-${part}`}>
        {part === 'missing' ? (
          <Missing id={id} />
        ) : (
          <Scans key={part} id={id} part={part} onTakeBack={onTakeBack} />
        )}
      </div>
    </div>
  );
};
