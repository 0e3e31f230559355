import { useState } from 'react';
import { mostPriceSheetBytes } from '@waystation/contract/base/limits.ts';
import { changedCells } from '@waystation/contract/money/voucher-diff.ts';
import { readPriceList } from '@waystation/contract/money/voucher.ts';
import type { PriceList } from '@waystation/contract/money/price-list.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { SheetProblems } from '#resource/form/sheet-problems.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { FileDrop } from '#ui/fields/file-drop.tsx';
import { WeightField } from '#ui/fields/number-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { ChangedCells } from './changed-cells.tsx';
import styles from './editor.module.css';
import { gridOf } from './grid-content.ts';
import { choicesOf, choicesText, isOpen, withList, withOrigin } from './price-list.ts';
import type { ListChoices } from './price-list.ts';
import { ListSheet } from './price-list-columns.tsx';
import type { Editing } from './use-template.ts';

interface Props {
  id: number;
  editing: Editing;
  /** The index of the sender group that receives the uploaded prices. */
  at: number;
  onClose: () => void;
}

/**
 * The template after one sender group has received the prices of the uploaded file, and the cells
 * that differ from before. Null if the file is not read yet.
 */
const useTaken = ({ editing, at }: Props, found: PriceList | null) => {
  const { template, read, change } = editing;
  const sender = template.senders[at];
  if (!sender || !found?.zones) return null;
  const key = sender.provinces.join();
  const before = read.state.weight.origins.find(({ provinces }) => provinces.join() === key);
  const origin = withList(before ?? { provinces: [...sender.provinces], zones: [] }, found.zones);
  return {
    cells: changedCells(read.state, withOrigin(read.state, origin)),
    take: () =>
      change({
        ...template,
        senders: template.senders.with(at, {
          provinces: sender.provinces,
          grid: gridOf(origin),
        }),
      }),
  };
};

/** Fields for the weight limits that no column of the price list contains. */
const Weights = ({
  choices,
  onChange,
}: {
  choices: ListChoices;
  onChange: (choices: ListChoices) => void;
}) => {
  const { t } = useTexts();
  return (
    <div className={styles['terms']}>
      {(['first_g', 'step_g', 'up_to_g'] as const).map((key) => (
        <WeightField
          key={key}
          label={t(`vouchers.list.${key}`)}
          value={choices[key]}
          onChange={(grams) => onChange({ ...choices, [key]: grams })}
        />
      ))}
    </div>
  );
};

/**
 * The dialog that reads an uploaded price list of any layout. The user chooses the meaning of each
 * column, sees the differences, and accepts them. The prices then replace the list shown in the
 * editor.
 */
export const PriceListDialog = (props: Props) => {
  const { id, editing, onClose } = props;
  const { t, language } = useTexts();
  const [file, setFile] = useState<File | null>(null);
  const [found, setFound] = useState<PriceList | null>(null);
  const [choices, setChoices] = useState<ListChoices | null>(null);
  /** The choices with which the server read the price list `found`. */
  const [readBy, setReadBy] = useState<ListChoices | null>(null);
  const isRead = found !== null && choices === readBy;
  const taken = useTaken(props, isRead ? found : null);
  const count = taken?.cells.length ?? 0;
  const sending = useSubmit({
    fields: ['file'],
    send: async () => {
      if (taken) {
        if (count > 0) taken.take();
        onClose();
        return count > 0 ? t('vouchers.sheet.taken', { count }) : t('vouchers.sheet.same');
      }
      const form = new FormData();
      form.set('id', String(id));
      form.set('language', language);
      if (choices) form.set('choices', choicesText(choices));
      if (file) form.set('file', file);
      const list = await call(readPriceList, form);
      const next = choicesOf(list);
      setFound(list);
      setChoices(next);
      setReadBy(next);
      return null;
    },
  });
  const problem = (candidate: File | null): string | undefined => {
    if (candidate === null) return t('common.required');
    if (!/\.(xlsx|csv)$/i.test(candidate.name)) return t('vouchers.sheet.wrong_kind');
    return candidate.size > mostPriceSheetBytes ? t('vouchers.sheet.too_large') : undefined;
  };
  const isBad =
    choices !== null && [choices.first_g, choices.step_g, choices.up_to_g].some(Number.isNaN);
  const choose = (file_: File | null): void => {
    sending.clearErrors();
    setFound(null);
    setChoices(null);
    setFile(file_);
  };
  return (
    <SubmitDialog
      title={t('vouchers.list.title')}
      ok={taken ? t('vouchers.list.take', { count }) : t('vouchers.sheet.read')}
      width={880}
      sending={sending}
      check={() => ({
        file: problem(file),
        choices: (choices !== null && isOpen(choices)) || isBad ? t('common.required') : undefined,
        draft: taken && !editing.read.whole ? t('vouchers.not_whole') : undefined,
      })}
      onClose={onClose}
    >
      <p className={styles['quiet']}>{t('vouchers.list.hint')}</p>
      <FileDrop
        file={file}
        accept=".xlsx,.csv"
        hint={t('vouchers.sheet.drop_hint')}
        error={sending.errors['file'] ?? (file === null ? undefined : problem(file))}
        onFile={choose}
      />
      {sending.errors['choices'] !== undefined && (
        <Notice tone="danger">{t('vouchers.list.need.column')}</Notice>
      )}
      {sending.errors['draft'] !== undefined && (
        <Notice tone="danger">{sending.errors['draft']}</Notice>
      )}
      {found && choices && (
        <>
          {isRead && found.needs.length > 0 && (
            <Notice tone="warn">
              {found.needs.map((need) => t(`vouchers.list.need.${need}`)).join(' ')}
            </Notice>
          )}
          {isRead && found.problems_total > 0 && (
            <SheetProblems problems={found.problems} total={found.problems_total} />
          )}
          {taken && (
            <>
              <p className={styles['quiet']}>{t('vouchers.list.differences', { count })}</p>
              <ChangedCells cells={taken.cells} />
            </>
          )}
          <p className={styles['quiet']}>{t('vouchers.list.weights')}</p>
          <Weights choices={choices} onChange={setChoices} />
          {found.sheets.map((sheet, index) => {
            const choice = choices.sheets[index];
            return (
              choice && (
                <ListSheet
                  key={sheet.index}
                  sheet={sheet}
                  choice={choice}
                  isOneOfMany={found.sheets.length > 1}
                  onChange={(next) =>
                    setChoices({ ...choices, sheets: choices.sheets.with(index, next) })
                  }
                />
              )
            );
          })}
        </>
      )}
    </SubmitDialog>
  );
};
