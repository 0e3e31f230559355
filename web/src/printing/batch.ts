import { componentLabels } from '@waystation/contract/parcels/express-calls.ts';
import { errorText } from '#base/error-text.ts';
import { reportPrint } from '@waystation/contract/parcels/print.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { call } from '#base/call.ts';
import { currentLanguage } from '#base/language.ts';
import { saveFile } from '#base/save-file.ts';
import { say } from '#base/texts.ts';
import { ComponentGone, openComponent } from './drivers/component.ts';
import type { PrintComponent } from './drivers/component.ts';
import { printerPort, writeToPrinter } from './drivers/zpl-port.ts';
import { fetchLabels } from './labels.ts';
import type { LabelFailure } from './labels.ts';
import { inPortions } from './portions.ts';
import type { Batch, Outcome, Unprinted } from './portions.ts';
import type { Workstation } from './workstation.ts';

type ComponentLabel = OutputOf<typeof componentLabels>['labels'][number];

/**
 * The number of labels whose data are requested together. It is small, so that the first label is
 * printed soon and few data are wasted if the printer stops.
 */
const together = 50;
/** The size of a printer dot in millimetres. */
const perDot = 1 / 8;

export const refusedBy = ({ id, reason }: LabelFailure): Unprinted => ({
  id,
  words: errorText(reason.code, reason.params, currentLanguage()),
  retry: false,
});

/** Reports a print result to the server. If the call fails, the print record stays unchanged. */
const report = (id: number, result: 'ok' | 'failed', note = ''): Promise<unknown> =>
  call(reportPrint, { id, result, note: note.slice(0, 200) }, { background: true }).catch(
    () => undefined,
  );

const printOne = async (
  component: PrintComponent,
  label: ComponentLabel,
  { printer, offset_x, offset_y }: Workstation,
): Promise<string | null> => {
  const { ok, message } = await component.ask('PRINT', {
    ...(printer !== '' && { printName: printer }),
    offsetTop: offset_y * perDot,
    offsetLeft: offset_x * perDot,
    tempUrl: label.template_url,
    printData: label.data,
  });
  return ok ? null : message || say('common.print.refused');
};

/**
 * Prints one list of labels in its order. If the printer refuses a label, that label is listed as
 * unprinted and the next label follows. If a label gets no response, the batch ends.
 */
const printLabels = async (
  component: PrintComponent,
  labels: readonly ComponentLabel[],
  batch: Batch,
  { outcome, left }: { outcome: Outcome; left: Set<number> },
): Promise<boolean> => {
  for (const [no, label] of labels.entries()) {
    let why: string | null;
    let goesOn = !batch.signal.aborted;
    try {
      why = goesOn
        ? await printOne(component, label, batch.workstation)
        : say('common.print.stopped');
    } catch (error) {
      why = say(
        error instanceof ComponentGone ? 'common.print.component_gone' : 'common.print.silent',
      );
      goesOn = false;
    }
    if (!goesOn) {
      // No further label is sent. The records of the remaining labels are set to failed, because
      // otherwise they would wait forever.
      await Promise.all(labels.slice(no).map(({ id }) => report(id, 'failed', why ?? '')));
      if (!batch.signal.aborted)
        outcome.unprinted.push({ id: label.express_id, words: why ?? '', retry: true });
      if (!batch.signal.aborted) left.delete(label.express_id);
      return false;
    }
    void report(label.id, why === null ? 'ok' : 'failed', why ?? '');
    if (why === null) outcome.printed++;
    else outcome.unprinted.push({ id: label.express_id, words: why, retry: true });
    left.delete(label.express_id);
    batch.onProgress(batch.rows.filter(({ id }) => left.has(id)));
  }
  return true;
};

const without = (failures: readonly LabelFailure[], outcome: Outcome, left: Set<number>): void => {
  for (const failure of failures) {
    outcome.unprinted.push(refusedBy(failure));
    left.delete(failure.id);
  }
};

const recordOf = ({ reason, verify }: Batch) => ({
  ...(reason !== undefined && { reason }),
  ...(verify && { verify }),
});

/**
 * Prints by the carrier's print component. If the component is not running, it rejects with
 * `ComponentGone` before a print is recorded.
 */
export const printByComponent = async (batch: Batch): Promise<Outcome> => {
  const component = await openComponent();
  const { format, printer } = batch.workstation;
  try {
    return await inPortions(batch, together, async (rows, outcome, left) => {
      const { labels, failures } = await call(componentLabels, {
        ids: rows.map(({ id }) => id),
        format,
        printer,
        ...recordOf(batch),
      });
      without(failures as LabelFailure[], outcome, left);
      return printLabels(component, labels, batch, { outcome, left });
    });
  } finally {
    component.close();
  }
};

/** Thrown if the printer's port was not chosen or is disconnected. */
export class PortGone extends Error {}

/**
 * The number of parcels in one archive. It is small, so that the first archive is ready soon and
 * little has to be repeated after a reload.
 */
const perArchive = 100;

/**
 * Saves one PDF per parcel. The PDFs are in several archives, which are saved one after another.
 */
export const saveSeparately = (batch: Batch): Promise<Outcome> =>
  inPortions(batch, perArchive, async (rows, outcome, left) => {
    const first = batch.rows.indexOf(rows[0]!) + 1;
    const ids = rows.map(({ id }) => id);
    const { blob, name, failures } = await fetchLabels(ids, batch.workstation.format, {
      ...recordOf(batch),
      separateFrom: first,
    });
    saveFile(
      blob,
      batch.rows.length > perArchive
        ? name.replace('.zip', `-${first}-${first + rows.length - 1}.zip`)
        : name,
    );
    without(failures, outcome, left);
    outcome.printed += rows.length - failures.length;
    for (const id of ids) left.delete(id);
    batch.onProgress(batch.rows.filter(({ id }) => left.has(id)));
    return true;
  });

/**
 * Prints ZPL or TSPL through the serial port. The printer reports no result, so a label counts as
 * printed when it has been written to the port.
 */
export const printBySerial = async (batch: Batch): Promise<Outcome> => {
  const port = await printerPort();
  if (port === null) throw new PortGone();
  return inPortions(batch, 20, async (rows, outcome, left) => {
    const { blob, failures, prints } = await fetchLabels(
      rows.map(({ id }) => id),
      batch.workstation.format,
      {
        ...recordOf(batch),
        printer: {
          ...batch.workstation,
          driver: batch.workstation.driver === 'tspl' ? 'tspl' : 'zpl',
        },
      },
    );
    without(failures, outcome, left);
    const sent = rows.filter(({ id }) => left.has(id));
    try {
      await writeToPrinter(port, new Uint8Array(await blob.arrayBuffer()));
    } catch {
      const words = say('common.print.port_lost');
      await Promise.all(prints.map(([, id]) => report(id, 'failed', words)));
      outcome.unprinted.push(...sent.map(({ id }) => ({ id, words, retry: true })));
      for (const { id } of sent) left.delete(id);
      return false;
    }
    outcome.printed += sent.length;
    for (const { id } of sent) left.delete(id);
    batch.onProgress(batch.rows.filter(({ id }) => left.has(id)));
    return true;
  });
};
