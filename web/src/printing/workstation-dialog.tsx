import { useEffect, useState } from 'react';
import { testLabel } from '@waystation/contract/parcels/express-calls.ts';
import { mostLabelOffset } from '@waystation/contract/base/limits.ts';
import { printDrivers } from '@waystation/contract/parcels/print.ts';
import type { PrintDriver } from '@waystation/contract/parcels/print.ts';
import { roundDecimal } from '@waystation/contract/base/decimal.ts';
import { callFile } from '#base/call.ts';
import { saveFile } from '#base/save-file.ts';
import { serialOf } from '#base/serial.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { SelectField, SwitchField } from '#ui/fields/choice-fields.tsx';
import { NumberField } from '#ui/fields/number-fields.tsx';
import { ParsedField } from '#ui/fields/parsed-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import { componentPrinters } from './drivers/component.ts';
import { choosePrinterPort, printerPort, writeToPrinter } from './drivers/zpl-port.ts';
import { paperWords, papersOf, printPdf, printerInput } from './labels.ts';
import styles from './printing.module.css';
import { darknessOf, isSilent, setWorkstation, useWorkstation } from './workstation.ts';
import type { Workstation } from './workstation.ts';

/**
 * The names of the printers. Null while they are being searched, and 'absent' if the print
 * component is not running on this computer.
 */
type Printers = readonly string[] | 'absent' | null;

const usePrinters = (wanted: boolean): [Printers, () => void] => {
  const [printers, setPrinters] = useState<Printers>(null);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (!wanted) return undefined;
    let isCurrent = true;
    setPrinters(null);
    void componentPrinters().then((found) => {
      if (isCurrent) setPrinters(found ?? 'absent');
    });
    return () => {
      isCurrent = false;
    };
  }, [wanted, looks]);
  return [printers, () => setLooks(looks + 1)];
};

const dotsPerMillimetre = 8;
/** Converts typed hundredths of a millimetre to whole dots, rounded to the nearest. */
const parseOffset = (text: string): number | null => {
  const hundredths = roundDecimal(text.trim().replace('−', '-'), 2);
  return hundredths === null ? null : Math.round((hundredths * dotsPerMillimetre) / 100);
};
const offsetText = (dots: number): string => String(dots / dotsPerMillimetre);

interface Part {
  form: Workstation;
  change: (changes: Partial<Workstation>) => void;
}

const Offsets = ({
  form,
  change,
  errors,
}: Part & { errors: Record<string, string | undefined> }) => {
  const { t } = useTexts();
  const field = (name: 'offset_x' | 'offset_y') => (
    <ParsedField
      label={t(`common.print.${name}`)}
      value={form[name]}
      onChange={(value) => change({ [name]: value ?? 0 })}
      parse={parseOffset}
      write={offsetText}
      suffix="mm"
      error={errors[name]}
    />
  );
  return (
    <div className={styles['pair']}>
      {field('offset_x')}
      {field('offset_y')}
    </div>
  );
};

const ComponentPart = ({ form, change }: Part) => {
  const { t } = useTexts();
  const [printers, look] = usePrinters(true);
  if (printers === null) return <p role="status">{t('common.print.looking')}</p>;
  if (printers === 'absent')
    return (
      <Notice tone="warn" actions={<Button onClick={look}>{t('common.retry')}</Button>}>
        {t('common.print.install')}
      </Notice>
    );
  return (
    <SelectField
      label={t('common.print.printer')}
      value={form.printer}
      options={[
        { value: '', label: t('common.print.default_printer') },
        ...[...new Set([...printers, ...(form.printer === '' ? [] : [form.printer])])].map(
          (name) => ({
            value: name,
            label: printers.includes(name) ? name : t('common.print.printer_away', { name }),
          }),
        ),
      ]}
      onChange={(printer) => change({ printer: printer ?? '' })}
    />
  );
};

const PrinterPart = ({
  form,
  change,
  errors,
}: Part & { errors: Record<string, string | undefined> }) => {
  const { t } = useTexts();
  const hasSerial = serialOf() !== null;
  return (
    <>
      <SelectField
        label={t('common.print.port')}
        value={form.port}
        options={[
          { value: 'file' as const, label: t('common.print.port_file') },
          ...(hasSerial
            ? [{ value: 'serial' as const, label: t('common.print.port_serial') }]
            : []),
        ]}
        onChange={(port) => change({ port: port ?? 'file' })}
        hint={hasSerial ? undefined : t('common.print.no_serial')}
        after={
          form.port === 'serial' && (
            <Button size="small" onClick={() => void choosePrinterPort()}>
              {t('common.print.choose_port')}
            </Button>
          )
        }
      />
      <NumberField
        label={t('common.print.darkness')}
        value={form.darkness}
        onChange={(darkness) => change({ darkness })}
        hint={t('common.print.darkness_hint', { max: darknessOf(form.driver) })}
        error={errors['darkness']}
      />
    </>
  );
};

/**
 * Prints a test label with the settings of the form. The print component prints only the carrier's
 * labels, so its state is shown instead.
 */
const useTestPage = (form: Workstation) => {
  const { t } = useTexts();
  return async (): Promise<void> => {
    if (form.driver === 'component') {
      const printers = await componentPrinters();
      if (printers === null) notify.warning(t('common.print.missing_component'));
      else notify.success(t('common.print.component_ready', { count: printers.length }));
      return;
    }
    const { blob, name } = await callFile(testLabel, {
      format: form.format,
      ...((form.driver === 'zpl' || form.driver === 'tspl') &&
        printerInput({ ...form, driver: form.driver })),
    });
    if (form.driver === 'pdf') printPdf(blob, name);
    else if (form.port === 'file') saveFile(blob, name);
    else {
      const port = await printerPort();
      if (port === null) notify.warning(t('common.print.missing_port'));
      else
        await writeToPrinter(port, new Uint8Array(await blob.arrayBuffer())).then(
          () => notify.success(t('common.print.test_sent')),
          () => notify.warning(t('common.print.port_lost')),
        );
    }
  };
};

const errorsOf = (
  form: Workstation,
  words: { offset: string; darkness: string },
): Record<string, string | undefined> => {
  const isOffset = (value: number): boolean =>
    Number.isInteger(value) && Math.abs(value) <= mostLabelOffset;
  const { offset_x, offset_y, darkness } = form;
  return {
    offset_x: isOffset(offset_x) ? undefined : words.offset,
    offset_y: isOffset(offset_y) ? undefined : words.offset,
    darkness:
      darkness === null ||
      (Number.isInteger(darkness) && darkness >= 0 && darkness <= darknessOf(form.driver))
        ? undefined
        : words.darkness,
  };
};

/**
 * The dialog with the printer settings of this computer: method, paper, darkness and offset. They
 * are stored in this browser and apply to every user.
 */
export const WorkstationDialog = ({ onClose }: { onClose: () => void }) => {
  const { t, language } = useTexts();
  const stored = useWorkstation();
  const [form, setForm] = useState<Workstation>(stored);
  const change = (changes: Partial<Workstation>): void => setForm({ ...form, ...changes });
  const errors = errorsOf(form, {
    offset: t('common.print.offset_bounds', { max: mostLabelOffset / dotsPerMillimetre }),
    darkness: t('common.print.darkness_hint', { max: darknessOf(form.driver) }),
  });
  const isBad = Object.values(errors).some((error) => error !== undefined);
  const test = useTestPage(form);
  const { busy, run } = useActions<'test'>();
  const part = { form, change };
  return (
    <FormDialog
      open
      title={t('common.print.set_up')}
      ok={t('common.save')}
      busy={false}
      blocked={isBad}
      width={480}
      onSubmit={() => {
        setWorkstation(form);
        notify.success(t('common.print.set_up_done'));
        onClose();
      }}
      onClose={onClose}
    >
      <p className={styles['about']}>{t('common.print.set_up_about')}</p>
      <SelectField
        label={t('common.print.driver')}
        value={form.driver}
        options={Object.entries(printDrivers).map(([value, words]) => ({
          value: value as PrintDriver,
          label: words[language],
        }))}
        onChange={(driver) =>
          change({
            driver: driver ?? 'pdf',
            ...(driver !== 'pdf' && form.format === 'a4' && { format: '76x130' as const }),
          })
        }
        hint={t(`common.print.driver_${form.driver}`)}
      />
      {form.driver === 'component' && <ComponentPart {...part} />}
      {(form.driver === 'zpl' || form.driver === 'tspl') && (
        <PrinterPart {...part} errors={errors} />
      )}
      <SelectField
        label={t('common.print.paper')}
        value={form.format}
        options={papersOf(form.driver).map((each) => ({ value: each, label: paperWords(each, t) }))}
        onChange={(format) => change({ format: format ?? '76x130' })}
        hint={
          form.driver === 'component' && form.format !== '76x130'
            ? t('common.print.component_paper')
            : undefined
        }
      />
      {form.driver === 'pdf' && (
        <SwitchField
          label={t('common.print.separate')}
          value={form.separate ? 1 : 0}
          onChange={(separate) => change({ separate: separate === 1 })}
          hint={t('common.print.separate_hint')}
        />
      )}
      {form.driver !== 'pdf' && <Offsets {...part} errors={errors} />}
      <SwitchField
        label={t('common.print.auto')}
        value={form.auto ? 1 : 0}
        onChange={(auto) => change({ auto: auto === 1 })}
        disabled={!isSilent(form)}
        hint={t(isSilent(form) ? 'common.print.auto_hint' : 'common.print.auto_never')}
      />
      <div>
        <Button loading={busy.has('test')} disabled={isBad} onClick={() => void run('test', test)}>
          {t(form.driver === 'component' ? 'common.print.test_component' : 'common.print.test')}
        </Button>
      </div>
    </FormDialog>
  );
};
