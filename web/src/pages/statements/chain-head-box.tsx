import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { typedHead } from '@waystation/contract/money/chain-head.ts';
import { compareChainHead } from '@waystation/contract/money/station-statement.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './statements.module.css';

const Result = ({ station_id, head }: { station_id: number; head: string }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data, error, refetch } = useCall(
    compareChainHead,
    { id: station_id, head },
    { quiet: true, staleTime: 0 },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : null;
  const { found, holds, seq, at, newest } = data;
  if (found === 1 && holds === 1)
    return (
      <Notice tone="info">
        {t('statements.head_found', {
          seq: format.number(seq!),
          time: format.time(at!),
          newest: format.number(newest),
        })}
      </Notice>
    );
  return (
    <Notice tone="danger">
      {t(found === 1 ? 'statements.head_broken' : 'statements.head_missing', {
        seq: format.number(seq ?? 0),
      })}
    </Notice>
  );
};

/**
 * The field to type the last hash of a printed statement. The hash is compared with the station's
 * present hash chain of transactions.
 */
export const ChainHeadBox = ({ station_id }: { station_id: number }) => {
  const { t } = useTexts();
  const [typed, setTyped] = useState('');
  const [compared, setCompared] = useState<string | null>(null);
  const [wrong, setWrong] = useState(false);
  const id = useId();
  const compare = (event: FormEvent): void => {
    event.preventDefault();
    const readable = typedHead(typed) !== null;
    setWrong(!readable);
    setCompared(readable ? typed.trim() : null);
  };
  return (
    <details className={styles['types']}>
      <summary id={id}>{t('statements.head_compare')}</summary>
      <form className={styles['headForm']} aria-labelledby={id} onSubmit={compare}>
        <TextField
          label={t('statements.head')}
          value={typed}
          onChange={setTyped}
          hint={t('statements.head_hint')}
          error={wrong ? t('statements.head_invalid') : undefined}
        />
        <Button htmlType="submit" disabled={typed.trim() === ''}>
          {t('statements.head_run')}
        </Button>
      </form>
      {compared !== null && <Result key={compared} station_id={station_id} head={compared} />}
    </details>
  );
};
