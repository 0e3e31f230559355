import { useId } from 'react';
import { providers } from '@waystation/contract/network/provider.ts';
import { getHandover } from '@waystation/contract/parcels/handover.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { usePageSearch, useTabDetail } from '#shell/tabs/page.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Waiting } from '#ui/waiting.tsx';
import primitives from '#ui/primitives.module.css';
import { HandoverStatusTag } from './handovers/columns.tsx';
import { EndedVisit } from './handovers/ended-visit.tsx';
import { OpenVisit } from './handovers/open-visit.tsx';
import scanner from '#parcels/scanning/scanner.module.css';
import styles from './handovers/visit.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

const idOf = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/**
 * The interval in milliseconds at which the hand-over is requested again, because other people scan
 * into it too.
 */
const pollEvery = 3_000;

/**
 * The page of one courier's visit. It shows the field for scans while the hand-over is open, and
 * the list of its parcels afterwards.
 */
export const Page = () => {
  const { t, language } = useTexts();
  const say = useHandoverWords();
  const heading = useId();
  const [search] = usePageSearch();
  const id = idOf(search['id']);
  const { data, error, refetch } = useCall(getHandover, id === null ? null : { id }, {
    quiet: true,
    staleTime: 0,
    keep: true,
    refetchInterval: pollEvery,
  });
  const summary = data?.handover.id === id ? data : undefined;
  const handover = summary?.handover;
  useTabDetail(handover ? String(handover.id) : null);
  return (
    <section className={scanner['page']} aria-labelledby={heading}>
      <header className={`${primitives['pageHead']} ${styles['head']}`}>
        <h1 id={heading}>{id === null ? t('menu.handover') : say('title', { id })}</h1>
        {handover && (
          <>
            <HandoverStatusTag status={handover.status} />
            <span className={primitives['quiet']}>
              {[
                wordOf(providers, handover.provider, language),
                handover.station_name,
                say(handover.own === 1 ? 'own' : 'whole'),
              ].join(' · ')}
            </span>
          </>
        )}
      </header>
      {id === null ? (
        <Empty title={say('none_chosen')}>
          <a href={screenHref('HandoverTable')}>{say('to_list')}</a>
        </Empty>
      ) : summary ? (
        summary.handover.status === 'open' ? (
          <OpenVisit key={id} summary={summary} />
        ) : (
          <EndedVisit key={id} summary={summary} />
        )
      ) : error ? (
        <>
          <ErrorPanel error={error} onRetry={refetch} />
          <p>
            <a href={screenHref('HandoverTable')}>{say('to_list')}</a>
          </p>
        </>
      ) : (
        <Waiting />
      )}
    </section>
  );
};
