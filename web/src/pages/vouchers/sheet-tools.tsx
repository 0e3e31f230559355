import { DownloadOutlined, UploadOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { mostPriceSheetBytes } from '@waystation/contract/base/limits.ts';
import { changedCells } from '@waystation/contract/money/voucher-diff.ts';
import { readVoucherPrices, voucherPricesFile } from '@waystation/contract/money/voucher.ts';
import type { PriceSheet, Voucher } from '@waystation/contract/money/voucher.ts';
import { call, callFile } from '#base/call.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { SheetProblems } from '#resource/form/sheet-problems.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { FileDrop } from '#ui/fields/file-drop.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import styles from './editor.module.css';
import { templateOf } from './template.ts';
import type { Editing } from './use-template.ts';

const PriceListDialog = lazyComponent(
  async () => (await import('./price-list-dialog.tsx')).PriceListDialog,
);

/**
 * Reads an uploaded price list into the editor. The user can then save, undo and publish the prices
 * like typed prices.
 */
const UploadPrices = ({
  voucher,
  editing,
  onClose,
}: {
  voucher: Voucher;
  editing: Editing;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const [file, setFile] = useState<File | null>(null);
  const [found, setFound] = useState<PriceSheet | null>(null);
  const { template, read, change } = editing;
  const apply = ({ weight }: PriceSheet): void => {
    if (weight === null) return;
    const after = {
      ...read.state,
      weight: { divisor: read.state.weight.divisor, origins: weight.origins },
    };
    const count = changedCells(read.state, after).length;
    if (count === 0) notify.info(t('vouchers.sheet.same'));
    else {
      change({ ...template, senders: templateOf(after).senders });
      notify.success(t('vouchers.sheet.taken', { count }));
    }
    onClose();
  };
  const sending = useSubmit({
    fields: ['file'],
    send: async () => {
      const form = new FormData();
      form.set('id', String(voucher.id));
      form.set('language', language);
      form.set('file', file!);
      const sheet = await call(readVoucherPrices, form);
      setFound(sheet);
      apply(sheet);
      return null;
    },
  });
  const problem = (candidate: File | null): string | undefined => {
    if (candidate === null) return t('common.required');
    if (!/\.(xlsx|csv)$/i.test(candidate.name)) return t('vouchers.sheet.wrong_kind');
    return candidate.size > mostPriceSheetBytes ? t('vouchers.sheet.too_large') : undefined;
  };
  return (
    <SubmitDialog
      title={t('vouchers.sheet.upload_title')}
      ok={t('vouchers.sheet.read')}
      width={560}
      sending={sending}
      check={() => ({ file: problem(file) })}
      onClose={onClose}
    >
      <p className={styles['quiet']}>{t('vouchers.sheet.hint')}</p>
      <FileDrop
        file={file}
        accept=".xlsx,.csv"
        hint={t('vouchers.sheet.drop_hint')}
        error={sending.errors['file'] ?? (file === null ? undefined : problem(file))}
        onFile={(next) => {
          sending.clearErrors();
          setFound(null);
          setFile(next);
        }}
      />
      {found !== null && found.problems_total > 0 && (
        <SheetProblems problems={found.problems} total={found.problems_total} />
      )}
    </SubmitDialog>
  );
};

/**
 * The buttons above the price list. They download the list as a file for a spreadsheet, upload that
 * file again, and read other price lists.
 */
export const SheetTools = ({
  voucher,
  editing,
  at,
}: {
  voucher: Voucher;
  editing: Editing;
  /** The index of the group of sender provinces whose price list is shown. */
  at: number;
}) => {
  const { t, language } = useTexts();
  const { busy, run } = useActions<'file'>();
  const [open, setOpen] = useState<'prices' | 'list' | null>(null);
  const download = () =>
    run('file', async () => {
      const { blob, name } = await callFile(voucherPricesFile, { id: voucher.id, language });
      saveFile(blob, name);
    });
  return (
    <>
      <Button
        size="small"
        icon={<Icon of={DownloadOutlined} />}
        loading={busy.size > 0}
        disabled={editing.dirty}
        title={editing.dirty ? t('vouchers.sheet.save_first') : undefined}
        onClick={() => void download()}
      >
        {t('vouchers.sheet.download')}
      </Button>
      <Button size="small" icon={<Icon of={UploadOutlined} />} onClick={() => setOpen('prices')}>
        {t('vouchers.sheet.upload')}
      </Button>
      <Button size="small" onClick={() => setOpen('list')}>
        {t('vouchers.list.open')}
      </Button>
      {open === 'prices' && (
        <UploadPrices voucher={voucher} editing={editing} onClose={() => setOpen(null)} />
      )}
      {open === 'list' && (
        <PriceListDialog id={voucher.id} editing={editing} at={at} onClose={() => setOpen(null)} />
      )}
    </>
  );
};
