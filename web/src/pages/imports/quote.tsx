import type { Language } from '@waystation/contract/base/errors.ts';
import { useEffect, useState } from 'react';
import { confirmImport, getImport, quoteImport } from '@waystation/contract/imports/import.ts';
import type { Import, ImportQuote } from '@waystation/contract/imports/import.ts';
import { whyText } from '@waystation/contract/network/offer-choice-words.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call, newIdempotencyKey } from '#base/call.ts';
import { errorText } from '#base/error-text.ts';
import { useFormat } from '#base/format.ts';
import { refresh, setAnswer, useCall } from '#base/query.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { yuan } from '#ui/values/amounts.ts';
import { Money } from '#ui/values/money.tsx';
import styles from './imports.module.css';
import { chosenPickups, pickupTrouble } from './chosen-pickups.ts';
import type { ChosenWindows } from './chosen-pickups.ts';
import { Pickups, useOfferedWindows } from './pickups.tsx';
import { importsShown, useImportWords } from './words.ts';

interface Part {
  key: string;
  name: string;
  /** The reasons, which are shown under the name. */
  notes?: readonly string[];
  rows: number;
  post_amount: number;
}

const Parts = ({ title, parts }: { title: string; parts: readonly Part[] }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <table className={`${primitives['table']} ${styles['parts']}`}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t('imports.quote.rows')}</th>
          <th scope="col">{t('imports.quote.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ key, name, notes, rows, post_amount }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              {notes?.map((note) => (
                <small key={note} className={styles['why']}>
                  {note}
                </small>
              ))}
            </th>
            <td className="tabular">{format.number(rows)}</td>
            <td>
              <Money fen={post_amount} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Sums = ({ quote }: { quote: ImportQuote }) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <dl className={styles['strip']}>
      <div>
        <dt>{t('imports.quote.rows')}</dt>
        <dd className="tabular">{format.number(quote.rows)}</dd>
      </div>
      <div>
        <dt>{t('imports.quote.amount')}</dt>
        <dd>
          <Money fen={quote.post_amount} />
        </dd>
      </div>
      {quote.has_amount === 1 && (
        <>
          <div>
            <dt>{t('imports.quote.held')}</dt>
            <dd>
              <Money fen={quote.covered_amount} />
            </dd>
          </div>
          <div>
            <dt>{t('imports.quote.covers')}</dt>
            <dd className="tabular">
              {format.number(quote.covered_rows)} / {format.number(quote.rows)}
            </dd>
          </div>
        </>
      )}
      <div>
        <dt>{t('imports.quote.available')}</dt>
        <dd>
          {quote.has_amount === 0 ? t('imports.quote.post_paid') : <Money fen={quote.available} />}
        </dd>
      </div>
      {quote.has_amount === 1 && (
        <div>
          <dt>{t('imports.quote.after')}</dt>
          <dd>
            <Money
              fen={quote.available_after}
              {...(quote.available_after < 0 && { tone: 'danger' as const })}
            />
          </dd>
        </div>
      )}
    </dl>
  );
};

/**
 * The reasons why the products were chosen. If there are several reasons, each is shown with the
 * rows that it applies to.
 */
const useWhy = (): ((why: ImportQuote['promises'][number]['why']) => string[]) => {
  const { t, language } = useTexts();
  return (why = []) =>
    why.map(({ because, skipped, rows }) => {
      const words =
        because === null ? t('imports.quote.by_sheet') : whyText({ because, skipped }, language);
      return why.length === 1 ? words : t('imports.quote.why_rows', { why: words, count: rows });
    });
};

const productOf = (
  { provider, promise_name: zh, promise_name_en: en }: ImportQuote['promises'][number],
  language: Language,
): string =>
  [provider && wordOf(providers, provider, language), language === 'en' && en !== '' ? en : zh]
    .filter(Boolean)
    .join(' · ');

interface Props {
  found: Import;
  onBack: () => void;
  onOrdered: () => void;
}

/**
 * The version of the rows for which prices were last requested. `failure` is the error if the
 * server refused that request.
 */
interface Asked {
  version: number | null;
  failure: unknown;
}

/** Requests the prices of the rows, once for each version of the import. */
const usePricing = ({ id, version, quote, reason }: Import) => {
  const [asked, setAsked] = useState<Asked>({ version: null, failure: null });
  const isAsked = asked.version === version;
  // If the pricing was interrupted before this page was opened, it is started again. If it was
  // interrupted later, it is not started again.
  const isGivenUp = reason?.code === 'import_pricing_interrupted' && asked.version !== null;
  const isPricing = quote === null && asked.failure === null && !isGivenUp;
  useCall(
    getImport,
    { id },
    { staleTime: 0, quiet: true, refetchInterval: isPricing ? 700 : false },
  );
  const price = async (): Promise<void> => {
    setAsked({ version, failure: null });
    try {
      const answer = await call(quoteImport, { id, version });
      setAsked({ version: answer.version, failure: null });
      setAnswer(getImport, { id }, () => answer);
    } catch (failure) {
      setAsked({ version, failure });
      // Reads the import again, because its rows may have been changed. The prices of the changed
      // rows are then requested.
      await refresh(...importsShown);
    }
  };
  const isDue = quote === null && !isAsked && !isGivenUp;
  useEffect(() => {
    if (isDue) void price();
    // Runs once for each version of the rows that has no price, not at each render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDue, version]);
  return { price, isGivenUp, failure: isAsked ? asked.failure : null };
};

/** Orders the priced rows. Each pickup address that needs a pickup window gets the chosen one. */
const useOrdering = (found: Import, onOrdered: () => void) => {
  const { id, version } = found;
  const { busy, run } = useActions<'order'>(importsShown);
  const [windows, setWindows] = useState<ChosenWindows>(new Map());
  const offered = useOfferedWindows(found);
  const pickups = chosenPickups(found.pickups ?? [], windows);
  const troubleNow = () => pickupTrouble(found.pickups ?? [], windows, offered);
  // The time at which the user last tried to order with a window that the carrier would refuse.
  // From then on the reason is shown until the window is changed.
  const [tried, setTried] = useState<number | null>(null);
  const trouble = tried === null ? null : troubleNow();
  const order = (rows: 'all' | 'covered', expected_amount: number): void => {
    if (troubleNow() !== null) return setTried(Date.now());
    void run('order', async () => {
      await call(
        confirmImport,
        { id, version, expected_amount, rows, ...(pickups.length > 0 && { pickups }) },
        { idempotencyKey: newIdempotencyKey() },
      );
      onOrdered();
    });
  };
  return {
    order,
    isBusy: busy.has('order'),
    trouble,
    windows,
    offered,
    choose: (key: string, window: string) => setWindows((now) => new Map(now).set(key, window)),
  };
};

/**
 * The panel with the price of all rows, the balance and the order button. When the panel is opened,
 * it requests the prices.
 */
export const Quote = ({ found, onBack, onOrdered }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const words = useImportWords();
  const whyWords = useWhy();
  const { quote, reason } = found;
  const { price, isGivenUp, failure } = usePricing(found);
  const { order, isBusy, trouble, windows, offered, choose } = useOrdering(found, onOrdered);
  const mayOrder = quote !== null && quote.rows > 0 && !isBusy;
  useShortcuts([
    {
      keys: 'F10',
      label: t('imports.order_all'),
      run: () => mayOrder && order('all', quote.post_amount),
    },
  ]);
  if (!quote && failure !== null)
    return (
      <ErrorPanel
        error={failure}
        onRetry={price}
        actions={<Button onClick={onBack}>{t('imports.quote.change')}</Button>}
      />
    );
  if (!quote && isGivenUp)
    return (
      <div className={styles['quote']}>
        <Notice tone="danger">{words.reason(reason)}</Notice>
        <div className={primitives['buttons']}>
          <Button type="primary" onClick={() => void price()}>
            {t('imports.quote.again')}
          </Button>
          <Button onClick={onBack}>{t('imports.quote.change')}</Button>
        </div>
      </div>
    );
  if (!quote)
    return (
      <div className={styles['wait']} role="status" aria-busy>
        {t('imports.quote.pricing')}
      </div>
    );
  const covers = quote.covered_rows >= quote.rows;
  return (
    <div className={styles['quote']}>
      <h2>{t('imports.quote.title')}</h2>
      <Sums quote={quote} />
      {quote.rows === 0 && <Notice tone="warn">{t('imports.quote.nothing')}</Notice>}
      {found.counts.error > 0 && (
        <Notice tone="warn">{t('imports.quote.left', { count: found.counts.error })}</Notice>
      )}
      {!covers && <Notice tone="warn">{t('imports.quote.short')}</Notice>}
      <Pickups
        found={found}
        rows={quote.rows}
        windows={windows}
        offered={offered}
        onChange={choose}
      />
      {trouble !== null && <Notice tone="danger">{errorText(trouble, undefined, language)}</Notice>}
      <div className={primitives['buttons']}>
        <Button
          type="primary"
          loading={isBusy}
          disabled={quote.rows === 0}
          onClick={() => order('all', quote.post_amount)}
        >
          {t('imports.quote.all', {
            count: format.number(quote.rows),
            amount: yuan(quote.post_amount),
          })}{' '}
          <kbd>F10</kbd>
        </Button>
        {!covers && quote.covered_rows > 0 && (
          <Button loading={isBusy} onClick={() => order('covered', quote.covered_amount)}>
            {t('imports.quote.covered', {
              count: format.number(quote.covered_rows),
              amount: yuan(quote.covered_amount),
            })}
          </Button>
        )}
        <Button onClick={onBack}>{t('imports.quote.change')}</Button>
        <Button onClick={() => void price()}>{t('imports.quote.again')}</Button>
      </div>
      <div className={styles['tables']}>
        <Parts
          title={t('imports.quote.promises')}
          parts={quote.promises.map((part) => ({
            ...part,
            key: part.promise_id,
            name: productOf(part, language),
            notes: whyWords(part.why),
          }))}
        />
        <Parts
          title={t('imports.quote.provinces')}
          parts={quote.provinces.map((part) => ({
            ...part,
            key: part.province,
            name: part.province,
          }))}
        />
      </div>
    </div>
  );
};
