import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons-svg';
import { useEffect, useState } from 'react';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { DialogButtons } from '#ui/overlay/form-dialog.tsx';
import { Modal } from '#ui/overlay/overlay.tsx';
import { refusedBy } from './batch.ts';
import { fetchLabels, paperWords, papersOf } from './labels.ts';
import type { LabelFormat, Labels } from './labels.ts';
import { FailureList } from './print-failures.tsx';
import styles from './printing.module.css';
import type { Workstation } from './workstation.ts';

interface Row {
  id: number;
  delivery_id: string | null;
  order_id: string;
}

interface Props {
  rows: readonly Row[];
  workstation: Workstation;
  onFormat: (format: LabelFormat) => void;
  onPrint: () => void;
  onClose: () => void;
}

type Shown =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'labels'; labels: Labels; url: string };

const usePreview = (rows: readonly Row[], { format, start }: Workstation): [Shown, () => void] => {
  const [shown, setShown] = useState<Shown>({ kind: 'loading' });
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const owner = new AbortController();
    let url = '';
    setShown({ kind: 'loading' });
    fetchLabels(
      rows.map((row) => row.id),
      format,
      { preview: true, start, signal: owner.signal },
    ).then(
      (labels) => {
        if (owner.signal.aborted) return;
        url = URL.createObjectURL(labels.blob);
        setShown({ kind: 'labels', labels, url });
      },
      (error: unknown) => !owner.signal.aborted && setShown({ kind: 'failed', error }),
    );
    return () => {
      owner.abort();
      if (url !== '') URL.revokeObjectURL(url);
    };
  }, [rows, format, start, tries]);
  return [shown, () => setTries(tries + 1)];
};

/** Shows labels as they will be printed. A preview does not count as a print. */
export const LabelPreview = ({ rows, workstation, onFormat, onPrint, onClose }: Props) => {
  const { t } = useTexts();
  const { driver, format } = workstation;
  const [shown, retry] = usePreview(rows, workstation);
  const ready = shown.kind === 'labels';
  return (
    <Modal
      open
      centered
      width={560}
      title={t('common.print.preview_title', { count: rows.length })}
      onClose={onClose}
      footer={
        <DialogButtons>
          <Button
            icon={<Icon of={DownloadOutlined} />}
            disabled={!ready}
            onClick={() => ready && saveFile(shown.labels.blob, shown.labels.name)}
          >
            {t('common.print.save')}
          </Button>
          <Button
            type="primary"
            icon={<Icon of={PrinterOutlined} />}
            disabled={!ready}
            onClick={onPrint}
          >
            {t('common.print.do')}
          </Button>
        </DialogButtons>
      }
    >
      <fieldset className={styles['formats']}>
        <legend className="sr-only">{t('common.print.paper')}</legend>
        {papersOf(driver).map((each) => (
          <label key={each} data-chosen={each === format || undefined}>
            <input
              type="radio"
              name="label-format"
              className="sr-only"
              checked={each === format}
              onChange={() => onFormat(each)}
            />
            {paperWords(each, t)}
          </label>
        ))}
      </fieldset>
      <div className={styles['sheet']} data-format={format} aria-busy={shown.kind === 'loading'}>
        {shown.kind === 'failed' && <ErrorPanel error={shown.error} onRetry={retry} />}
        {shown.kind === 'loading' && (
          <p role="status">{t('common.print.making', { count: rows.length })}</p>
        )}
        {ready &&
          (navigator.pdfViewerEnabled ? (
            <iframe
              title={t('common.print.preview_title', { count: rows.length })}
              src={`${shown.url}#toolbar=0&navpanes=0&view=Fit`}
            />
          ) : (
            <a href={shown.url} target="_blank" rel="noopener">
              {t('common.print.open')}
            </a>
          ))}
      </div>
      {ready && shown.labels.failures.length > 0 && (
        <FailureList rows={rows} failures={shown.labels.failures.map(refusedBy)} />
      )}
    </Modal>
  );
};
