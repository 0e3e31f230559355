import { useState } from 'react';
import type { ReactNode } from 'react';
import { getExpress, listExpresses } from '@waystation/contract/express-calls.ts';
import { listPrints } from '@waystation/contract/print.ts';
import { workplace } from '@waystation/contract/workplace.ts';
import { ApiError, errorWords } from '#base/api-error.ts';
import { useDraft } from '#shell/session/drafts.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { LabelPreview } from './label-preview.tsx';
import { fetchLabels, labelFormats, printPdf } from './labels.ts';
import type { LabelFailure, LabelFormat } from './labels.ts';
import { PrintFailures } from './print-failures.tsx';
import { noteLength } from '@waystation/contract/limits.ts';

/** What printing needs to know of a parcel. */
export interface Printable {
  id: number;
  delivery_id: string | null;
  order_id: string;
  print_count: number;
}

export interface Printing {
  /** The paper used last. */
  format: LabelFormat;
  /** Prints in the order given; what was printed before asks for a reason first. */
  print: (rows: readonly Printable[], format?: LabelFormat) => void;
  /** The same without any question, for what was only just ordered. False if it may be sent once more: no answer, or none that is final. */
  printNow: (rows: readonly Printable[]) => Promise<boolean>;
  preview: (rows: readonly Printable[]) => void;
  /** Rendered once in the page. */
  dialogs: ReactNode;
}

interface ReprintRequest {
  rows: readonly Printable[];
  format: LabelFormat;
}

const key = 'print';

/** The labels were refused; sending them again changes nothing. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && [400, 403, 404, 413, 422].includes(error.status);

const useLabelFormat = (): [LabelFormat, (format: LabelFormat) => void] => {
  const stored = useDraft<{ format: LabelFormat }>('label-format');
  const [format, setFormat] = useState<LabelFormat>(() => labelFormats.find((each) => each === stored.read()?.format) ?? '76x130');
  return [
    format,
    (chosen) => {
      stored.write({ format: chosen });
      setFormat(chosen);
    },
  ];
};

/** Asked once for all that were printed before. */
const ReprintDialog = ({ request, onPrint, onClose }: { request: ReprintRequest | null; onPrint: (reason: string) => void; onClose: () => void }) => {
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const again = request?.rows.filter((row) => row.print_count > 0).length ?? 0;
  const submit = (): void => {
    if (reason.trim() === '') return setMissing(true);
    onPrint(reason.trim());
    setReason('');
  };
  return (
    <FormDialog open={request !== null} title={t('common.print.again_title')} ok={t('common.print.do')} busy={false} onSubmit={submit} onClose={onClose}>
      <p>
        {request?.rows.length === 1
          ? t('common.print.again_one', { count: request.rows[0]!.print_count })
          : t('common.print.again_many', { again, count: request?.rows.length ?? 0 })}
      </p>
      <TextField
        label={t('common.print.reason')}
        value={reason}
        onChange={(value) => {
          setReason(value);
          setMissing(false);
        }}
        max={noteLength}
        required
        autoFocus
        error={missing ? t('common.print.reason_missing') : undefined}
        placeholder={t('common.print.reason_placeholder')}
      />
    </FormDialog>
  );
};

/** Printing and previewing labels from any screen. */
export const usePrinting = (): Printing => {
  const { t, language } = useTexts();
  const [format, setFormat] = useLabelFormat();
  const [request, setRequest] = useState<ReprintRequest | null>(null);
  const [previewed, setPreviewed] = useState<readonly Printable[] | null>(null);
  const [failed, setFailed] = useState<{ rows: readonly Printable[]; failures: readonly LabelFailure[] } | null>(null);
  const send = async (rows: readonly Printable[], paper: LabelFormat, reason?: string): Promise<boolean> => {
    let answered = true;
    notify.loading(key, t('common.print.making', { count: rows.length }));
    try {
      const labels = await fetchLabels(
        rows.map((row) => row.id),
        paper,
        reason === undefined ? {} : { reason },
      );
      printPdf(labels.blob, labels.name);
      notify.done(key, t('common.print.done', { count: rows.length - labels.failures.length }));
      if (labels.failures.length > 0) setFailed({ rows, failures: labels.failures });
    } catch (error) {
      notify.failed(key, errorWords(error, language));
      answered = isFinal(error);
    }
    await refresh(listExpresses, getExpress, listPrints, workplace);
    return answered;
  };
  const print = (rows: readonly Printable[], paper: LabelFormat = format): void => {
    if (rows.length === 0) return;
    if (paper !== format) setFormat(paper);
    if (rows.some((row) => row.print_count > 0)) setRequest({ rows, format: paper });
    else void send(rows, paper);
  };
  return {
    format,
    print,
    printNow: (rows) => send(rows, format),
    preview: setPreviewed,
    dialogs: (
      <>
        <ReprintDialog
          request={request}
          onClose={() => setRequest(null)}
          onPrint={(reason) => {
            setRequest(null);
            if (request) void send(request.rows, request.format, reason);
          }}
        />
        {previewed && (
          <LabelPreview
            rows={previewed}
            format={format}
            onFormat={setFormat}
            onClose={() => setPreviewed(null)}
            onPrint={() => {
              setPreviewed(null);
              print(previewed);
            }}
          />
        )}
        {failed && <PrintFailures rows={failed.rows} failures={failed.failures} onClose={() => setFailed(null)} />}
      </>
    ),
  };
};
