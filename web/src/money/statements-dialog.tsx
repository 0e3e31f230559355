import { useRef, useState } from 'react';
import { archiveStatements } from '@waystation/contract/money/station-statement.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import { monthBefore, monthOf } from '#ui/fields/days.ts';
import primitives from '#ui/primitives.module.css';
import { jobFile } from './job-file.ts';

/**
 * The dialog that requests all monthly statements of a month in one file: of all stations, or of
 * one station and those below it.
 */
export const StatementsDialog = ({
  period: first,
  onClose,
}: {
  /** The month that is selected at first. */
  period: string;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const [months] = useState(() => {
    const last = monthBefore(monthOf(Date.now()));
    const ended = Array.from({ length: 36 }, (_, back) => monthBefore(last, back));
    return ended.includes(first) || first > last ? ended : [first, ...ended];
  });
  const [period, setPeriod] = useState(first > months[0]! ? months[0]! : first);
  const [station, setStation] = useState<{ id: number; name: string } | null>(null);
  const [stations, setStations] = useState(0);
  // True after the dialog was closed. If its request succeeds later, it must not close another
  // dialog that is open then.
  const isLeft = useRef(false);
  const sending = useSubmit({
    send: async () => {
      const started = await call(archiveStatements, {
        period,
        language,
        ...(station !== null && { station_id: station.id }),
      });
      const id = started.job_id;
      setStations(started.stations);
      const file = await jobFile(id, () => isLeft.current);
      if (isLeft.current) return null;
      if (file !== null) {
        saveFile(file.blob, file.name);
        return t('lists.exported', { name: file.name });
      }
      return t('statements.archive_later');
    },
    onDone: () => {
      if (!isLeft.current) onClose();
    },
  });
  return (
    <SubmitDialog
      title={t('statements.archive_title')}
      ok={t('statements.archive_do')}
      sending={sending}
      onClose={() => {
        isLeft.current = true;
        onClose();
      }}
    >
      <Combobox
        label={t('statements.period')}
        value={period}
        options={months.map((value) => ({ value, label: value }))}
        onChange={setPeriod}
      />
      <StationPicker
        label={t('statements.archive_of')}
        hint={t('statements.archive_hint')}
        value={station?.id ?? null}
        shown={station?.name}
        placeholder={t('statements.archive_all')}
        clearable
        onChange={(id, name) => setStation(id === null ? null : { id, name })}
      />
      {stations > 0 && sending.busy && (
        <p className={primitives['quiet']} role="status">
          {t('statements.archive_making', { count: format.number(stations) })}
        </p>
      )}
    </SubmitDialog>
  );
};
