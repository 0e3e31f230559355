import { lazyComponent } from '#ui/lazy.tsx';
import type { Unprinted } from './portions.ts';
import type { Printable } from './printable.ts';
import { isOnSheets, setWorkstation } from './workstation.ts';
import type { Workstation } from './workstation.ts';

export interface PrintRequest {
  rows: readonly Printable[];
  chosen: Workstation;
}

/** The code of this dialog is loaded when a user opens it. */
const PrintQuestions = lazyComponent(
  async () => (await import('./print-questions.tsx')).PrintQuestions,
);
const LabelPreview = lazyComponent(async () => (await import('./label-preview.tsx')).LabelPreview);
const PrintFailures = lazyComponent(
  async () => (await import('./print-failures.tsx')).PrintFailures,
);
const WorkstationDialog = lazyComponent(
  async () => (await import('./workstation-dialog.tsx')).WorkstationDialog,
);

/** The result of a print in which some labels were not printed. */
export interface PrintResult {
  rows: readonly Printable[];
  printed: number;
  unprinted: readonly Unprinted[];
}

interface DialogsProps {
  request: PrintRequest | null;
  previewed: readonly Printable[] | null;
  settings: boolean;
  result: PrintResult | null;
  workstation: Workstation;
  close: Readonly<Record<'request' | 'preview' | 'settings' | 'result', () => void>>;
  send: (
    rows: readonly Printable[],
    chosen: Workstation,
    options: { reason?: string },
  ) => Promise<unknown>;
  print: (rows: readonly Printable[]) => void;
  printAgain: (rows: readonly Printable[]) => void;
}

/**
 * The dialogs of printing: the questions before it, the preview, the printer settings, and the list
 * of unprinted labels.
 */
export const Dialogs = ({
  request,
  previewed,
  settings,
  result,
  workstation,
  close,
  send,
  print,
  printAgain,
}: DialogsProps) => (
  <>
    {request && (
      <PrintQuestions
        rows={request.rows}
        start={isOnSheets(request.chosen) ? request.chosen.start : null}
        onClose={() => close.request()}
        onPrint={({ reason, start }) => {
          close.request();
          void send(
            request.rows,
            { ...request.chosen, ...(start !== undefined && { start }) },
            reason === undefined ? {} : { reason },
          );
        }}
      />
    )}
    {previewed && (
      <LabelPreview
        rows={previewed}
        workstation={workstation}
        onFormat={(chosen) => setWorkstation({ format: chosen })}
        onClose={() => close.preview()}
        onPrint={() => {
          close.preview();
          print(previewed);
        }}
      />
    )}
    {settings && <WorkstationDialog onClose={() => close.settings()} />}
    {result && (
      <PrintFailures
        {...result}
        onClose={() => close.result()}
        onAgain={(rows) => {
          close.result();
          printAgain(rows);
        }}
      />
    )}
  </>
);
