import { useState } from 'react';
import { noteLength } from '@waystation/contract/base/limits.ts';
import { sheetPlaces } from '@waystation/contract/parcels/print.ts';
import { useTexts } from '#base/texts.ts';
import { TextField } from '#ui/fields/text-field.tsx';
import { FirstRows } from '#ui/first-rows.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import type { Printable } from './printable.ts';
import styles from './printing.module.css';

export interface Answers {
  reason?: string;
  start?: number;
}

interface Props {
  rows: readonly Printable[];
  /** The position of the next label on an A4 page; null for another paper format. */
  start: number | null;
  onPrint: (answers: Answers) => void;
  onClose: () => void;
}

/** The choice of the quarter of an A4 page on which the first label is printed. */
const StartChoice = ({ start, onChange }: { start: number; onChange: (start: number) => void }) => {
  const { t } = useTexts();
  return (
    <fieldset className={styles['start']}>
      <legend>{t('common.print.start')}</legend>
      <div className={styles['places']}>
        {Array.from({ length: sheetPlaces }, (_, no) => no + 1).map((place) => (
          <label
            key={place}
            data-chosen={place === start || undefined}
            data-used={place < start || undefined}
          >
            <input
              type="radio"
              name="label-start"
              className="sr-only"
              checked={place === start}
              onChange={() => onChange(place)}
            />
            <span className="tabular">{place}</span>
          </label>
        ))}
      </div>
      <p>{t('common.print.start_hint')}</p>
    </fieldset>
  );
};

/**
 * Asks questions before printing: the reason if labels are reprinted, and the first free position
 * if an A4 page is partly used.
 */
export const PrintQuestions = ({ rows, start, onPrint, onClose }: Props) => {
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [place, setPlace] = useState(start ?? 1);
  const again = rows.filter((row) => row.print_count > 0).length;
  const submit = (): void => {
    if (again > 0 && reason.trim() === '') return setMissing(true);
    onPrint({
      ...(again > 0 && { reason: reason.trim() }),
      ...(start !== null && { start: place }),
    });
  };
  return (
    <FormDialog
      open
      title={t(again > 0 ? 'common.print.again_title' : 'common.print.sheet_title')}
      ok={t('common.print.do')}
      busy={false}
      onSubmit={submit}
      onClose={onClose}
    >
      {rows.length > 1 && (
        <FirstRows
          names={rows.map(({ delivery_id, order_id }) => delivery_id ?? order_id)}
          count={rows.length}
        />
      )}
      {again > 0 && (
        <>
          <p>
            {rows.length === 1
              ? t('common.print.again_one', { count: rows[0]!.print_count })
              : t('common.print.again_many', { again, count: rows.length })}
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
        </>
      )}
      {start !== null && <StartChoice start={place} onChange={setPlace} />}
    </FormDialog>
  );
};
