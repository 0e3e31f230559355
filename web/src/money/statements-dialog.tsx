import { useState } from 'react';
import { archiveStatements } from '@waystation/contract/money/station-statement.ts';
import { getJob, getJobFile } from '@waystation/contract/shell/jobs.ts';
import { ApiError } from '#base/api-error.ts';
import { call, callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { StationPicker } from '#resource/stations/station-picker.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Combobox } from '#ui/fields/combobox.tsx';
import { monthBefore, monthOf } from '#ui/fields/days.ts';
import primitives from '#ui/primitives.module.css';

const readEveryMs = 500;
/** Afterwards the file is in the list of jobs. */
const mostReads = 600;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Every statement of a month in one file: of all stations, or of one and those below it. */
export const StatementsDialog = ({
  period: first,
  onClose,
}: {
  /** The month that is chosen at first. */
  period: string;
  onClose: () => void;
}) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const [period, setPeriod] = useState(first);
  const [months] = useState(() => {
    const latest = Array.from({ length: 36 }, (_, back) => monthBefore(monthOf(Date.now()), back));
    return latest.includes(first) ? latest : [first, ...latest];
  });
  const [station, setStation] = useState<{ id: number; name: string } | null>(null);
  const [stations, setStations] = useState(0);
  const sending = useSubmit({
    send: async () => {
      const started = await call(archiveStatements, {
        period,
        language,
        ...(station !== null && { station_id: station.id }),
      });
      const id = started.job_id;
      setStations(started.stations);
      for (let read = 0; read < mostReads; read += 1) {
        const { status, reason } = await call(getJob, { id });
        if (status === 'failed')
          throw new ApiError({
            status: 409,
            code: reason?.code ?? 'internal',
            params: reason?.params ?? {},
            message: '',
          });
        if (status === 'done') {
          const file = await callFile(getJobFile, { id });
          saveFile(file.blob, file.name);
          return t('lists.exported', { name: file.name });
        }
        await pause(readEveryMs);
      }
      return t('statements.archive_later');
    },
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('statements.archive_title')}
      ok={t('statements.archive_do')}
      sending={sending}
      onClose={onClose}
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
