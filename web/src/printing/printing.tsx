import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { getExpress, listExpresses } from '@waystation/contract/express-calls.ts';
import { listPrints } from '@waystation/contract/print.ts';
import { workplace } from '@waystation/contract/workplace.ts';
import { ApiError, errorWords } from '#base/api-error.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { say, useTexts } from '#base/texts.ts';
import { saveFile } from '#base/save-file.ts';
import { useUser } from '#shell/session/session.ts';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { Button } from '#ui/button.tsx';
import { PortGone, printByComponent, printBySerial, refusedBy } from './batch.ts';
import type { Outcome, Unprinted } from './portions.ts';
import { ComponentGone } from './drivers/component.ts';
import { interruptedRows, noteLeft, whilePrinting } from './interrupted.ts';
import { LabelPreview } from './label-preview.tsx';
import { fetchLabels, printPdf } from './labels.ts';
import type { LabelFormat } from './labels.ts';
import type { Printable } from './printable.ts';
import { PrintFailures } from './print-failures.tsx';
import { followWorkstation, isSilent, setWorkstation, useWorkstation } from './workstation.ts';
import type { Workstation } from './workstation.ts';
import { noteLength } from '@waystation/contract/limits.ts';

export interface Printing {
  /** The paper used last. */
  format: LabelFormat;
  /** Prints in the order given; what was printed before asks for a reason first. */
  print: (rows: readonly Printable[], format?: LabelFormat) => void;
  /** The same without any question, for what was only just ordered. False if it may be sent once more: no answer, or none that is final. */
  printNow: (rows: readonly Printable[], options?: SendOptions) => Promise<boolean>;
  preview: (rows: readonly Printable[]) => void;
  /** Opens the printer settings of this computer. */
  setUp: () => void;
  /** Rendered once in the page. */
  dialogs: ReactNode;
}

interface SendOptions {
  reason?: string;
  /** Without a print component nothing prints as PDF: its dialog would take the focus from somebody who types. */
  quiet?: boolean;
}

interface ReprintRequest {
  rows: readonly Printable[];
  format: LabelFormat;
}

const key = 'print';
const progressKey = 'print-progress';
const missingKey = 'print-missing';
const interruptedKey = 'print-interrupted';

/** What a printer did not print is sent to it again from its result; the records before say why. */
const againReason = (): string => say('common.print.again_reason');

/** The labels were refused; sending them again changes nothing. */
const isFinal = (error: unknown): boolean => error instanceof ApiError && [400, 403, 404, 413, 422].includes(error.status);

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

/** The dialog is fetched when somebody opens it. */
const WorkstationDialog = lazyComponent(async () => (await import('./workstation-dialog.tsx')).WorkstationDialog);

/** The rows as one PDF in the print dialog, or as one file of ZPL. */
const printFile = async (rows: readonly Printable[], workstation: Workstation, reason: string | undefined): Promise<Outcome> => {
  const asZpl = workstation.driver === 'zpl';
  const { blob, name, failures } = await fetchLabels(
    rows.map((row) => row.id),
    workstation.format,
    { ...(reason !== undefined && { reason }), ...(asZpl && { zpl: workstation }) },
  );
  if (asZpl) saveFile(blob, name);
  else printPdf(blob, name);
  return { printed: rows.length - failures.length, unprinted: failures.map(refusedBy), unsent: [] };
};

interface BatchRun {
  rows: readonly Printable[];
  workstation: Workstation;
  reason: string | undefined;
  userId: number;
}

/** The rows one after the other on this computer's printer, with a notice that counts and can stop them. */
const printSilently = ({ rows, workstation, reason, userId }: BatchRun): Promise<Outcome> =>
  whilePrinting(async () => {
    const owner = new AbortController();
    const tell = (left: readonly Printable[]): void => {
      noteLeft(userId, left);
      if (rows.length === 1) return;
      notify.lasting({
        key: progressKey,
        title: say('common.print.progress', { done: rows.length - left.length, count: rows.length }),
        actions: <Button onClick={() => owner.abort()}>{say('common.print.stop')}</Button>,
        duration: 0,
      });
    };
    try {
      const batch = { rows, workstation, reason, onProgress: tell, signal: owner.signal };
      tell(rows);
      return await (workstation.driver === 'component' ? printByComponent(batch) : printBySerial(batch));
    } finally {
      // What was not printed is named by the result, and printed again from there.
      noteLeft(userId, []);
      notify.drop(progressKey);
    }
  });

/** Offers once what a reload or a crash left unprinted. */
const useInterrupted = (print: (rows: readonly Printable[]) => void): void => {
  const { t } = useTexts();
  const { id } = useUser();
  useEffect(() => {
    void interruptedRows(id).then((rows) => {
      if (rows.length === 0) return;
      const close = (): void => {
        noteLeft(id, []);
        notify.drop(interruptedKey);
      };
      notify.lasting({
        key: interruptedKey,
        title: t('common.print.interrupted', { count: rows.length }),
        actions: (
          <>
            <Button
              type="primary"
              onClick={() => {
                close();
                print(rows);
              }}
            >
              {t('common.print.go_on')}
            </Button>
            <Button onClick={close}>{t('common.print.give_up')}</Button>
          </>
        ),
        duration: 0,
      });
    });
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the page opens: what this page itself prints is not interrupted
  }, [id]);
};

/** Printing and previewing labels from any screen, on the printers of this computer. */
export const usePrinting = (): Printing => {
  const { t, language } = useTexts();
  const { id: userId } = useUser();
  const workstation = useWorkstation();
  const { format } = workstation;
  const [request, setRequest] = useState<ReprintRequest | null>(null);
  const [previewed, setPreviewed] = useState<readonly Printable[] | null>(null);
  const [settings, setSettings] = useState(false);
  const [result, setResult] = useState<{ rows: readonly Printable[]; printed: number; unprinted: readonly Unprinted[] } | null>(null);

  /** By this computer's printer; where its program is not there, as PDF, which is said. */
  const printed = async (rows: readonly Printable[], chosen: Workstation, { reason, quiet = false }: SendOptions): Promise<Outcome | null> => {
    if (!isSilent(chosen)) return printFile(rows, chosen, reason);
    try {
      return await printSilently({ rows, workstation: chosen, reason, userId });
    } catch (error) {
      if (!(error instanceof ComponentGone) && !(error instanceof PortGone)) throw error;
      const missing = error instanceof ComponentGone ? 'component' : 'port';
      notify.failing({
        key: missingKey,
        title: t(`common.print.missing_${missing}`),
        description: t(quiet ? 'common.print.missing_quiet' : 'common.print.missing_pdf'),
        actions: <Button onClick={() => setSettings(true)}>{t('common.print.set_up')}</Button>,
        duration: 0,
      });
      return quiet ? null : printFile(rows, { ...chosen, driver: 'pdf' }, reason);
    }
  };
  const send = async (rows: readonly Printable[], paper: LabelFormat, options: SendOptions = {}): Promise<boolean> => {
    let answered = true;
    notify.loading(key, t('common.print.making', { count: rows.length }));
    try {
      const outcome = await printed(rows, { ...workstation, format: paper }, options);
      if (outcome === null) {
        notify.drop(key);
        answered = false;
      } else {
        const stopped = outcome.unsent.map(({ id }): Unprinted => ({ id, words: t('common.print.unsent'), retry: true }));
        const unprinted = [...outcome.unprinted, ...stopped];
        if (outcome.printed > 0) notify.done(key, t('common.print.done', { count: outcome.printed }));
        else notify.drop(key);
        if (unprinted.length > 0) setResult({ rows, printed: outcome.printed, unprinted });
      }
    } catch (error) {
      notify.failed(key, errorWords(error, language));
      answered = isFinal(error);
    }
    await refresh(listExpresses, getExpress, listPrints, workplace);
    return answered;
  };
  const print = (rows: readonly Printable[], paper: LabelFormat = format): void => {
    if (rows.length === 0) return;
    if (paper !== format) setWorkstation({ format: paper });
    if (rows.some((row) => row.print_count > 0)) setRequest({ rows, format: paper });
    else void send(rows, paper);
  };
  const printAgain = (rows: readonly Printable[]): void => void send(rows, format, { reason: againReason() });
  useInterrupted(printAgain);
  useEffect(followWorkstation, []);
  return {
    format,
    print,
    printNow: (rows, options) => send(rows, format, options),
    preview: setPreviewed,
    setUp: () => setSettings(true),
    dialogs: (
      <>
        <ReprintDialog
          request={request}
          onClose={() => setRequest(null)}
          onPrint={(reason) => {
            setRequest(null);
            if (request) void send(request.rows, request.format, { reason });
          }}
        />
        {previewed && (
          <LabelPreview
            rows={previewed}
            format={format}
            onFormat={(chosen) => setWorkstation({ format: chosen })}
            onClose={() => setPreviewed(null)}
            onPrint={() => {
              setPreviewed(null);
              print(previewed);
            }}
          />
        )}
        {settings && <WorkstationDialog onClose={() => setSettings(false)} />}
        {result && (
          <PrintFailures
            {...result}
            onClose={() => setResult(null)}
            onAgain={(rows) => {
              setResult(null);
              printAgain(rows);
            }}
          />
        )}
      </>
    ),
  };
};
