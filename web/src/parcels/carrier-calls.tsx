import type { MerchantCall } from '@waystation/contract/network/merchant.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import styles from './carrier-calls.module.css';

const operations = [
  'precheck',
  'coverage',
  'prefetch',
  'create',
  'modify',
  'cancel',
  'status',
  'trace',
  'subscribe',
  'details',
  'fee',
] as const;
const outcomes = [
  'ok',
  'accepted',
  'refused',
  'gateway',
  'unknown',
  'stored_without_number',
  'repeat_refused',
] as const;
const tones: Record<string, string> = { ok: 'good', accepted: 'good', refused: 'warn' };

const one = <T extends string>(known: readonly T[], text: string): T | null =>
  known.find((name) => name === text) ?? null;

const Body = ({ title, value }: { title: string; value: unknown }) => {
  const { t } = useTexts();
  return (
    <>
      <h2>{title}</h2>
      <pre tabIndex={0} aria-label={title}>
        {value === null
          ? t('merchants.no_answer')
          : typeof value === 'string'
            ? value
            : JSON.stringify(value, null, 2)}
      </pre>
    </>
  );
};

/** One call to the carrier, which expands to its request and response. */
const Call = ({ row }: { row: MerchantCall }) => {
  const { t } = useTexts();
  const format = useFormat();
  const operation = one(operations, row.operation);
  const outcome = one(outcomes, row.outcome);
  return (
    <li>
      <details>
        <summary>
          <strong>{operation ? t(`merchants.operation.${operation}`) : row.operation}</strong>
          <span className={primitives['tag']} data-tone={tones[row.outcome] ?? 'danger'}>
            {outcome ? t(`merchants.outcome.${outcome}`) : row.outcome}
          </span>
          {row.code !== '' && <code>{row.code}</code>}
          <span className={`${primitives['quiet']} ${styles['end']} tabular`}>
            {t('merchants.call_ms', { ms: row.ms })} ·{' '}
            <time dateTime={row.at}>{format.moment(row.at)}</time>
          </span>
        </summary>
        <div className={styles['body']}>
          <p className={`${primitives['quiet']} ${styles['about']}`}>
            {row.trace_id !== '' && t('merchants.call_trace', { id: row.trace_id })}{' '}
            {row.express_id !== null && (
              <CodeText code={row.order_id}>
                <a href={screenHref('ExpressTable', { id: String(row.express_id) })}>
                  {row.order_id}
                </a>
              </CodeText>
            )}
          </p>
          <Body title={t('merchants.call_request')} value={row.request} />
          <Body title={t('merchants.call_answer')} value={row.answer} />
        </div>
      </details>
    </li>
  );
};

/**
 * A list of calls to the carrier. Each call can be expanded to show its request and its response.
 * Secrets are never shown.
 */
export const CarrierCalls = ({ calls }: { calls: readonly MerchantCall[] }) => {
  const { t } = useTexts();
  return (
    <ol className={styles['calls']} aria-label={t('merchants.calls')}>
      {calls.map((row) => (
        <Call key={row.id} row={row} />
      ))}
    </ol>
  );
};
