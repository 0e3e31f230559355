import { useId, useState } from 'react';
import { orderOutcomes } from '@waystation/contract/parcels/order-outcome.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { usePageSearch, useTabDetail } from '#shell/tabs/page.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import { Attempt } from './outcomes/attempt.tsx';
import styles from './outcomes/outcomes.module.css';
import { useOutcomeWords } from './outcomes/words.ts';

const idOf = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

/**
 * While the outcome is undecided, it is requested at this interval in milliseconds, because jobs on
 * the server keep asking the carrier.
 */
const pollEvery = 5_000;

/**
 * The page about one order whose outcome was unknown. It lists every attempt, and the reason why
 * the outcome is known now.
 */
export const Page = () => {
  const { t } = useTexts();
  const say = useOutcomeWords();
  const heading = useId();
  const [search] = usePageSearch();
  const id = idOf(search['id']);
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useCall(orderOutcomes, id === null ? null : { id }, {
    quiet: true,
    staleTime: 0,
    refetchInterval: open ? pollEvery : false,
  });
  const isOpen = data?.attempts.some(({ outcome }) => outcome.is_open === 1) ?? false;
  if (data && isOpen !== open) setOpen(isOpen);
  useTabDetail(data?.order_id ?? null);
  return (
    <section className={styles['page']} aria-labelledby={heading}>
      <header className={`${primitives['pageHead']} ${styles['head']}`}>
        <h1 id={heading}>
          {data ? say('page_title', { order: data.order_id }) : t('menu.outcome')}
        </h1>
        <div className={primitives['buttons']}>
          {data && id !== null && (
            <Button href={screenHref('ExpressPage', { id: String(id) })}>{say('to_parcel')}</Button>
          )}
          <Button href={screenHref('OutcomeTable')}>{say('to_list')}</Button>
        </div>
      </header>
      {id === null && <Empty title={say('none_chosen')} />}
      {id !== null &&
        !data &&
        (error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />)}
      {data?.attempts.length === 0 && <Empty title={say('never')} hint={say('never_hint')} />}
      {data?.erased === 1 && <Notice tone="info">{say('erased')}</Notice>}
      {data?.attempts.map((attempt) => (
        <Attempt key={attempt.outcome.id} attempt={attempt} callDays={data.call_days} />
      ))}
    </section>
  );
};
