import {
  cancelImport,
  failedImportRows,
  pauseImport,
  resumeImport,
} from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { call, callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { saveFile } from '#base/save-file.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { openScreen, screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { confirmed } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { Progress } from '#ui/progress.tsx';
import styles from './imports.module.css';
import { importsShown, useImportWords } from './words.ts';

type Deed = 'pause' | 'resume' | 'cancel' | 'file';

/** Shows the number of rows for each outcome that occurs. */
const Outcome = ({
  found: { counts, rows_total, failed_parcels, pending_parcels, on_hold_parcels },
}: {
  found: Import;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const kinds = [
    { key: 'rows', title: t('imports.rows'), count: rows_total ?? 0 },
    { key: 'ordered', title: t('imports.marks.ordered'), count: counts.ordered },
    { key: 'pending', title: t('imports.pending_parcels'), count: pending_parcels ?? 0 },
    { key: 'on_hold', title: t('expresses.tabs.on_hold'), count: on_hold_parcels ?? 0 },
    { key: 'failed', title: t('imports.failed_parcels'), count: failed_parcels ?? 0 },
    ...(['waiting', 'refused', 'error', 'excluded'] as const).map((mark) => ({
      key: mark,
      title: t(`imports.marks.${mark}`),
      count: counts[mark],
    })),
  ];
  return (
    <dl className={styles['strip']}>
      {kinds
        .filter(({ key, count }) => key === 'rows' || key === 'ordered' || count > 0)
        .map(({ key, title, count }) => (
          <div key={key}>
            <dt>{title}</dt>
            <dd className="tabular">{format.number(count)}</dd>
          </div>
        ))}
    </dl>
  );
};

/** The buttons of an import that is being ordered or was ordered. */
const Deeds = ({ found, onRows }: { found: Import; onRows: () => void }) => {
  const { t, language } = useTexts();
  const { busy, run } = useActions<Deed>(importsShown);
  const { id, counts, status } = found;
  const failed = found.failed_parcels ?? 0;
  // The labels of parcels whose order outcome is pending do not exist yet.
  const pending = found.pending_parcels ?? 0;
  // If the import was cancelled, its rows that were not ordered are left too.
  const left =
    failed +
    counts.refused +
    counts.error +
    (status === 'cancelled' ? counts.ok + counts.repaired + counts.warning : 0);
  const cancel = async (): Promise<void> => {
    const agreed = await confirmed({
      title: t('imports.cancel'),
      content: t('imports.cancel_ask'),
      ok: t('imports.cancel'),
      danger: true,
    });
    if (agreed) await run('cancel', async () => void (await call(cancelImport, { id })));
  };
  const download = async (): Promise<void> => {
    const file = await callFile(failedImportRows, { id, language });
    saveFile(file.blob, file.name);
  };
  const mayPrint = counts.ordered > 0 && status !== 'ordering';
  const printed = { import_id: String(id), sort: 'created_at' };
  useShortcuts([
    {
      keys: 'p',
      label: t('imports.print_all'),
      run: () => mayPrint && openScreen('ExpressTable', printed),
    },
  ]);
  return (
    <div className={primitives['buttons']}>
      {status === 'ordering' && (
        <Button
          loading={busy.has('pause')}
          onClick={() => void run('pause', async () => void (await call(pauseImport, { id })))}
        >
          {t('imports.pause')}
        </Button>
      )}
      {status === 'paused' && (
        <Button
          type="primary"
          loading={busy.has('resume')}
          onClick={() => void run('resume', async () => void (await call(resumeImport, { id })))}
        >
          {t('imports.resume')}
        </Button>
      )}
      {mayPrint && (
        <Button
          type={status === 'done' && pending === 0 ? 'primary' : 'default'}
          href={screenHref('ExpressTable', printed)}
        >
          {t('imports.print_all')} <kbd>P</kbd>
        </Button>
      )}
      {counts.ordered > 0 && (
        <Button href={screenHref('ExpressTable', { import_id: String(id) })}>
          {t('imports.see_parcels')}
        </Button>
      )}
      {counts.ordered > 0 && status !== 'ordering' && (
        <Button href={screenHref('ExpressTable', { import_id: String(id), act: 'cancel' })}>
          {t('imports.cancel_parcels')}
        </Button>
      )}
      {left > 0 && status !== 'ordering' && (
        <Button loading={busy.has('file')} onClick={() => void run('file', download)}>
          {t('imports.failed_rows')}
        </Button>
      )}
      {(status === 'done' || status === 'paused') && left > 0 && (
        <Button onClick={onRows}>{t('imports.repair_rest')}</Button>
      )}
      {(status === 'ordering' || status === 'paused') && (
        <Button danger loading={busy.has('cancel')} onClick={() => void cancel()}>
          {t('imports.cancel')}
        </Button>
      )}
    </div>
  );
};

/**
 * The progress of ordering an import, the reason why it stopped, and the actions that are then
 * possible.
 */
export const Running = ({ found, onRows }: { found: Import; onRows: () => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useImportWords();
  const { id, counts, status } = found;
  const done = counts.ordered + counts.refused;
  const total = done + counts.waiting;
  const progress = t('imports.ordering', {
    done: format.number(done),
    total: format.number(total),
  });
  const failed = found.failed_parcels ?? 0;
  const pending = found.pending_parcels ?? 0;
  return (
    <div className={styles['reading']}>
      {(status === 'ordering' || status === 'paused') && (
        <>
          <Progress
            percent={total === 0 ? 0 : Math.floor((done / total) * 100)}
            figure
            label={progress}
          />
          <p role="status" className="tabular">
            {progress}
          </p>
          {status === 'paused' ? (
            <Notice tone="warn">
              {found.reason === null ? t('imports.paused') : words.reason(found.reason)}
            </Notice>
          ) : (
            <p className={styles['quiet']}>{t('imports.background_hint')}</p>
          )}
        </>
      )}
      {(status === 'done' || status === 'cancelled') && (
        <Notice tone={failed + counts.refused > 0 ? 'warn' : 'info'}>
          {t('imports.done', { count: counts.ordered })}
          {counts.refused > 0 && <> · {t('imports.done_refused', { count: counts.refused })}</>}
          {failed > 0 && <> · {t('imports.done_failed', { count: failed })}</>}
        </Notice>
      )}
      {pending > 0 && status !== 'ordering' && (
        <Notice tone="info">{t('imports.pending', { count: pending })}</Notice>
      )}
      {(found.on_hold_parcels ?? 0) > 0 && (
        <Notice
          tone="warn"
          actions={
            <Button href={screenHref('ExpressTable', { import_id: String(id), tab: 'on_hold' })}>
              {t('imports.see_on_hold')}
            </Button>
          }
        >
          {t('imports.on_hold', { count: found.on_hold_parcels ?? 0 })}
        </Notice>
      )}
      <Outcome found={found} />
      <Deeds found={found} onRows={onRows} />
    </div>
  );
};
