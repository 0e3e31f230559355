import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { getExpress, listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { listPrints, printerFigures, sheetPlaces } from '@waystation/contract/parcels/print.ts';
import type { PrintDriver } from '@waystation/contract/parcels/print.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { ApiError, errorWords } from '#base/api-error.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { refresh } from '#base/query.ts';
import { playSound } from '#base/sounds.ts';
import { say, useTexts } from '#base/texts.ts';
import { saveFile } from '#base/save-file.ts';
import { useUser } from '#shell/session/session.ts';
import { Button } from '#ui/button.tsx';
import { PortGone, printByComponent, printBySerial, refusedBy, saveSeparately } from './batch.ts';
import type { Outcome, Unprinted } from './portions.ts';
import { ComponentGone } from '#printing/drivers/component.ts';
import { interruptedRows, noteLeft, whilePrinting } from './interrupted.ts';
import { failuresOf, fetchLabels, printPdf } from './labels.ts';
import type { LabelFormat } from './labels.ts';
import type { Printable } from './printable.ts';
import {
  followWorkstation,
  isSilent,
  setWorkstation,
  useWorkstation,
  isOnSheets,
} from './workstation.ts';
import type { Workstation } from './workstation.ts';
import type { PrintRequest, PrintResult } from './print-dialogs.tsx';
import { Dialogs } from './print-dialogs.tsx';

export interface Printing {
  driver: PrintDriver;
  /** Prints in the given order. If labels were printed before, asks for the reason first. */
  print: (rows: readonly Printable[], choice?: PrintChoice) => void;
  /**
   * Prints the label of a new order without any question. Resolves with false if the label may be
   * sent again, because the printer did not answer or the failure is temporary.
   */
  printNow: (rows: readonly Printable[], options?: SendOptions) => Promise<boolean>;
  /**
   * Prints one label that must be scanned for verification. Failures are returned, because the
   * caller shows them.
   */
  printScanned: (row: Printable, reason?: string) => Promise<Sent>;
  preview: (rows: readonly Printable[]) => void;
  /** Opens the dialog with the printer settings of this computer. */
  setUp: () => void;
  /** The print dialogs, which the page must render once. */
  dialogs: ReactNode;
}

interface SendOptions {
  reason?: string;
  /**
   * True: if the print component is missing, nothing is printed. False: a PDF is opened instead,
   * and its print dialog takes the focus from a user who is typing.
   */
  quiet?: boolean;
  /**
   * Set if the label will be scanned for verification. The caller then shows the failures of the
   * print.
   */
  verify?: 1;
}

interface Sent {
  /** False if the printer did not answer. The label may then be sent again. */
  answered: boolean;
  printed: number;
  /** The reason for each label that was not printed. */
  failures: readonly string[];
}

/**
 * The settings of this print that differ from the settings of this computer. Only a chosen format
 * is stored for later prints.
 */
interface PrintChoice {
  format?: LabelFormat;
  /** True if one PDF per parcel is made. */
  separate?: boolean;
}

const key = 'print';
const progressKey = 'print-progress';
const missingKey = 'print-missing';
const interruptedKey = 'print-interrupted';

/**
 * The recorded reason when the failed labels of a batch are printed again. The failure itself is in
 * the earlier records.
 */
const againReason = (): string => say('common.print.again_reason');

/**
 * True if the server refused the labels for a reason that will not change, so that sending them
 * again would be useless.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && [400, 403, 404, 413, 422].includes(error.status);

/**
 * Prints the rows as one PDF in the browser's print dialog, or saves them as one file for a label
 * printer.
 */
const printFile = async (
  rows: readonly Printable[],
  workstation: Workstation,
  { reason, verify }: SendOptions,
): Promise<Outcome> => {
  const { driver, format, start } = workstation;
  const asFile = driver === 'zpl' || driver === 'tspl';
  const { blob, name, pages, failures } = await fetchLabels(
    rows.map((row) => row.id),
    format,
    {
      start,
      ...(reason !== undefined && { reason }),
      ...(verify && { verify }),
      ...(asFile && { printer: { ...workstation, driver } }),
    },
  );
  if (asFile) saveFile(blob, name);
  else printPdf(blob, name);
  // The user puts a partly used page into the printer again. Its next free position is therefore
  // stored.
  if (format === 'a4') setWorkstation({ start: ((start - 1 + pages) % sheetPlaces) + 1 });
  return { printed: rows.length - failures.length, unprinted: failures.map(refusedBy), unsent: [] };
};

interface BatchRun {
  rows: readonly Printable[];
  workstation: Workstation;
  options: SendOptions;
  userId: number;
}

const byDriver = {
  pdf: saveSeparately,
  component: printByComponent,
  zpl: printBySerial,
  tspl: printBySerial,
} satisfies Record<PrintDriver, unknown>;

/**
 * Prints labels one after another on a printer of this computer, or saves them in archives. A
 * notice shows how many labels are printed and has a button to stop.
 */
const printSilently = ({ rows, workstation, options, userId }: BatchRun): Promise<Outcome> =>
  whilePrinting(async () => {
    const owner = new AbortController();
    const { reason, verify } = options;
    // A label that a scan printed is not noted here, because the server prevents a second print
    // without a question.
    const note = (left: readonly Printable[]): void => {
      if (!verify) noteLeft(userId, left);
    };
    const tell = (left: readonly Printable[]): void => {
      note(left);
      if (rows.length === 1) return;
      notify.lasting({
        key: progressKey,
        title: say('common.print.progress', {
          done: rows.length - left.length,
          count: rows.length,
        }),
        actions: <Button onClick={() => owner.abort()}>{say('common.print.stop')}</Button>,
        duration: 0,
      });
    };
    try {
      const batch = { rows, workstation, reason, verify, onProgress: tell, signal: owner.signal };
      tell(rows);
      return await byDriver[workstation.driver](batch);
    } finally {
      // The unprinted labels are forgotten here, because the displayed result lists them and offers
      // to print them again.
      note([]);
      notify.drop(progressKey);
    }
  });

/** If labels were not printed because of a reload or a crash, offers once to print them. */
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
    // Runs only when the page opens, because only prints before that can have been interrupted.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
};

/**
 * The functions that print and preview labels from any screen, with the printer settings of this
 * computer.
 */
export const usePrinting = (): Printing => {
  const { t, language } = useTexts();
  const { id: userId } = useUser();
  const workstation = useWorkstation();
  const [request, setRequest] = useState<PrintRequest | null>(null);
  const [previewed, setPreviewed] = useState<readonly Printable[] | null>(null);
  const [settings, setSettings] = useState(false);
  const [result, setResult] = useState<PrintResult | null>(null);

  /**
   * Prints on this computer's printer. If the printer's program does not run, prints as PDF and
   * shows a notice.
   */
  const printed = async (
    rows: readonly Printable[],
    chosen: Workstation,
    options: SendOptions,
  ): Promise<Outcome | null> => {
    if (!isSilent(chosen) && !(chosen.driver === 'pdf' && chosen.separate))
      return printFile(rows, chosen, options);
    try {
      return await printSilently({ rows, workstation: chosen, options, userId });
    } catch (error) {
      if (!(error instanceof ComponentGone) && !(error instanceof PortGone)) throw error;
      const { quiet = false } = options;
      const missing = error instanceof ComponentGone ? 'component' : 'port';
      notify.failing({
        key: missingKey,
        title: t(`common.print.missing_${missing}`),
        description: t(quiet ? 'common.print.missing_quiet' : 'common.print.missing_pdf'),
        actions: <Button onClick={() => setSettings(true)}>{t('common.print.set_up')}</Button>,
        duration: 0,
      });
      return quiet ? null : printFile(rows, { ...chosen, driver: 'pdf', separate: false }, options);
    }
  };
  const send = async (
    rows: readonly Printable[],
    chosen: Workstation,
    options: SendOptions = {},
  ): Promise<Sent> => {
    let answered = true;
    let count = 0;
    let reasons: readonly string[] = [];
    notify.loading(key, t('common.print.making', { count: rows.length }));
    try {
      const outcome = await printed(rows, chosen, options);
      if (outcome === null) {
        notify.drop(key);
        answered = false;
        reasons = [t('common.print.missing_quiet')];
      } else {
        const stopped = outcome.unsent.map(({ id }): Unprinted => ({
          id,
          words: t('common.print.unsent'),
          retry: true,
        }));
        const unprinted = [...outcome.unprinted, ...stopped];
        count = outcome.printed;
        reasons = unprinted.map(({ words }) => words);
        if (outcome.printed > 0) {
          notify.done(key, t('common.print.done', { count: outcome.printed }));
          // If the label must still be scanned for verification, the sound of a scan is played
          // instead of the final sound.
          playSound(options.verify ? 'scanned' : 'done');
        } else notify.drop(key);
        if (unprinted.length > 0 && !options.verify)
          setResult({ rows, printed: outcome.printed, unprinted });
      }
    } catch (error) {
      const failures = failuresOf(error);
      reasons = [errorWords(error, language)];
      if (failures.length > 1) {
        notify.drop(key);
        setResult({ rows, printed: 0, unprinted: failures.map(refusedBy) });
      } else notify.failed(key, errorWords(error, language));
      answered = isFinal(error);
    }
    const refreshed = refresh(listExpresses, getExpress, listPrints, printerFigures, workplace);
    if (!options.verify) await refreshed;
    return { answered, printed: count, failures: reasons };
  };
  const print = (rows: readonly Printable[], choice: PrintChoice = {}): void => {
    if (rows.length === 0) return;
    if (choice.format !== undefined) setWorkstation({ format: choice.format });
    // Only PDF labels can be saved as separate files, one per parcel.
    const chosen: Workstation = {
      ...workstation,
      ...choice,
      ...(choice.separate === true && { driver: 'pdf' }),
    };
    if (rows.some((row) => row.print_count > 0) || isOnSheets(chosen)) setRequest({ rows, chosen });
    else void send(rows, chosen);
  };
  const printAgain = (rows: readonly Printable[]): void =>
    void send(rows, workstation, { reason: againReason() });
  useInterrupted(printAgain);
  useEffect(followWorkstation, []);
  return {
    driver: workstation.driver,
    print,
    printNow: async (rows, options) => (await send(rows, workstation, options)).answered,
    printScanned: (row, reason) =>
      send([row], workstation, {
        quiet: true,
        verify: 1,
        ...(reason !== undefined && { reason }),
      }),
    preview: setPreviewed,
    setUp: () => setSettings(true),
    dialogs: (
      <Dialogs
        {...{ request, previewed, settings, result, workstation }}
        close={{
          request: () => setRequest(null),
          preview: () => setPreviewed(null),
          settings: () => setSettings(false),
          result: () => setResult(null),
        }}
        send={send}
        print={print}
        printAgain={printAgain}
      />
    ),
  };
};
