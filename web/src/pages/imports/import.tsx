import { ArrowLeftOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { getImport } from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { usePageSearch } from '#shell/tabs/page.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { Progress } from '#ui/progress.tsx';
import { sizeText } from '#ui/values/file-size.ts';
import { CodeText } from '#ui/values/code-text.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { Grid } from './grid.tsx';
import styles from './imports.module.css';
import { ImportStatus } from './list.tsx';
import { Mapping } from './mapping.tsx';
import { Quote } from './quote.tsx';
import { Running } from './running.tsx';
import { isWorking, useImportEvents, useImportWords } from './words.ts';

const useBack = (): (() => void) => {
  const [, setSearch] = usePageSearch();
  return () => setSearch({ id: undefined, view: undefined, show: undefined });
};

const Head = ({ found }: { found: Import | undefined }) => {
  const { t } = useTexts();
  const format = useFormat();
  const [, setSearch] = usePageSearch();
  const back = useBack();
  return (
    <div className={`${primitives['pageHead']} ${styles['head']}`}>
      <Button
        type="text"
        icon={<Icon of={ArrowLeftOutlined} />}
        aria-label={t('imports.back')}
        title={t('imports.back')}
        onClick={back}
      />
      <h1>{found?.file_name ?? t('menu.imports')}</h1>
      {found && <ImportStatus found={found} />}
      {found && (
        <span className={styles['origin']}>
          <CodeText code={String(found.id)}>{t('imports.numbered', { id: found.id })}</CodeText> ·{' '}
          {found.station_name} · {found.user_nickname} · {sizeText(found.file_bytes, format)} ·{' '}
          {format.time(found.created_at)}
          {found.hidden_rows > 0 && (
            <>
              {' · '}
              <Button
                type="link"
                size="small"
                disabled={found.counts.excluded === 0}
                onClick={() => setSearch({ view: 'rows', show: 'excluded' })}
              >
                {t('imports.hidden_rows', { count: found.hidden_rows })}
              </Button>
            </>
          )}
        </span>
      )}
    </div>
  );
};

/**
 * Shows the progress of reading and checking the sheet. Both continue on the server if the user
 * leaves the page.
 */
const Reading = ({ found }: { found: Import }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { rows_read, rows_total, rows_checked, status } = found;
  const total = rows_total ?? rows_read;
  const words =
    status === 'reading'
      ? t('imports.reading', { count: rows_read })
      : t('imports.checking', { done: format.number(rows_checked), total: format.number(total) });
  return (
    <div className={styles['reading']}>
      <Progress
        percent={status === 'checking' && total > 0 ? Math.floor((rows_checked / total) * 100) : 0}
        figure={status === 'checking'}
        label={words}
      />
      <p role="status" className="tabular">
        {words}
      </p>
      <p className={styles['quiet']}>{t('imports.background_hint')}</p>
    </div>
  );
};

const Failed = ({ found }: { found: Import }) => {
  const { t } = useTexts();
  const words = useImportWords();
  const [, setSearch] = usePageSearch();
  return (
    <div className={styles['reading']}>
      <Notice tone="danger">
        {t('imports.failed')} · {words.reason(found.reason)}
      </Notice>
      <div className={primitives['buttons']}>
        <Button
          type="primary"
          onClick={() => setSearch({ id: undefined, view: undefined, form: 'new' })}
        >
          {t('imports.again')}
        </Button>
      </div>
    </div>
  );
};

const steps = ['map', 'repair', 'price', 'order'] as const;
type Step = (typeof steps)[number];

const stepOf = ({ status }: Import, view: string | undefined): Step => {
  if (status === 'reading' || status === 'mapping' || status === 'failed') return 'map';
  if (status === 'checking') return 'repair';
  if (status === 'ready') return view === 'columns' ? 'map' : view === 'price' ? 'price' : 'repair';
  if ((status === 'done' || status === 'paused') && view === 'rows') return 'repair';
  if ((status === 'done' || status === 'paused') && view === 'price') return 'price';
  return 'order';
};

const Steps = ({ at }: { at: Step }) => {
  const { t } = useTexts();
  return (
    <ol className={styles['steps']}>
      {steps.map((step) => (
        <li key={step} aria-current={step === at ? 'step' : undefined}>
          {t(`imports.step.${step}`)}
        </li>
      ))}
    </ol>
  );
};

/**
 * The page of one import: its columns, the rows to correct, its price, and the progress of its
 * orders.
 */
export const ImportPage = ({ id }: { id: number }) => {
  const [search, setSearch] = usePageSearch();
  const [working, setWorking] = useState(false);
  const {
    data: found,
    error,
    refetch,
  } = useCall(
    getImport,
    { id },
    { staleTime: 0, quiet: working, refetchInterval: working ? 1_000 : false },
  );
  useImportEvents(found);
  const still = found !== undefined && isWorking(found);
  if (still !== working) setWorking(still);
  const view = search['view'];
  const show = (next: string | undefined): void => setSearch({ view: next });
  const step = found === undefined ? 'map' : stepOf(found, view);
  return (
    <section className={`${primitives['cardPage']} ${styles['page']}`}>
      <Head found={found} />
      {!found && error && <ErrorPanel error={error} onRetry={refetch} />}
      {!found && !error && <Waiting />}
      {found && <Steps at={step} />}
      {found && (found.status === 'reading' || found.status === 'checking') && (
        <Reading found={found} />
      )}
      {found?.status === 'failed' && <Failed found={found} />}
      {found && (found.status === 'mapping' || (found.status === 'ready' && step === 'map')) && (
        <Mapping key={found.version} found={found} onDone={() => show(undefined)} />
      )}
      {found && found.status !== 'checking' && step === 'repair' && (
        <Grid found={found} onMap={() => show('columns')} onPrice={() => show('price')} />
      )}
      {found && step === 'price' && (
        <Quote
          found={found}
          onBack={() => show(found.status === 'ready' ? undefined : 'rows')}
          onOrdered={() => show(undefined)}
        />
      )}
      {found && step === 'order' && <Running found={found} onRows={() => show('rows')} />}
    </section>
  );
};
