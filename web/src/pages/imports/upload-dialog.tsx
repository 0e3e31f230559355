import { useEffect, useRef, useState } from 'react';
import { createImport, importStatuses } from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { mostImportBytes } from '@waystation/contract/base/limits.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { StationPicker, useSeveralStations } from '#resource/stations/station-picker.tsx';
import { useUser } from '#shell/session/session.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { FileDrop } from '#ui/fields/file-drop.tsx';
import { Notice } from '#ui/notice.tsx';
import { importsShown } from './words.ts';

interface Props {
  /** Called with the import's id as soon as the server has begun to read the file. */
  onDone: (id: number) => void;
  onClose: () => void;
}

/** If the user pastes cells of a spreadsheet, passes them on as a file. */
const usePastedFile = (onFile: (file: File) => void): void => {
  const { t } = useTexts();
  const name = t('imports.pasted_name');
  useEffect(() => {
    const take = (event: ClipboardEvent): void => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!text.includes('\t') && !text.includes('\n')) return;
      event.preventDefault();
      onFile(new File([text], name, { type: 'text/csv' }));
    };
    document.addEventListener('paste', take);
    return () => document.removeEventListener('paste', take);
  });
};

/** The dialog that uploads a sheet of parcels for a station. */
export const UploadDialog = ({ onDone, onClose }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { station_id } = useUser();
  const several = useSeveralStations();
  const [file, setFile] = useState<File | null>(null);
  const [station, setStation] = useState<{ id: number | null; name: string }>({
    id: station_id,
    name: '',
  });
  /** The earlier import of the same file. The user opens it or imports the file again. */
  const [earlier, setEarlier] = useState<Import | null>(null);
  const again = useRef(false);
  const ok = useRef<HTMLButtonElement>(null);
  // Focuses the primary button, so that Enter uploads the file or opens the earlier import. Enter
  // never imports the same file again.
  useEffect(() => {
    if (file !== null && station.id !== null) ok.current?.focus();
  }, [file, station.id, earlier]);
  const fileProblem = (candidate: File | null): string | undefined => {
    if (candidate === null) return t('common.required');
    if (!/\.(xlsx|csv|txt|tsv)$/i.test(candidate.name)) return t('imports.wrong_kind');
    if (candidate.size === 0) return t('imports.empty_file');
    return candidate.size > mostImportBytes ? t('imports.too_large') : undefined;
  };
  const sending = useSubmit({
    fields: ['file', 'station_id'],
    send: async () => {
      if (earlier !== null && !again.current) {
        onDone(earlier.id);
        return null;
      }
      const form = new FormData();
      if (several && station.id !== null) form.set('station_id', String(station.id));
      if (again.current) form.set('again', '1');
      form.set('file', file!);
      const found = await call(createImport, form);
      if (found.existed === 1) {
        setEarlier(found);
        return null;
      }
      await refresh(...importsShown);
      onDone(found.id);
      return null;
    },
  });
  const take = (next: File): void => {
    sending.clearErrors();
    setEarlier(null);
    setFile(next);
  };
  usePastedFile(take);
  return (
    <SubmitDialog
      title={t('imports.new')}
      ok={{
        words: t(
          sending.busy
            ? 'imports.uploading'
            : earlier !== null
              ? 'imports.open_earlier'
              : 'imports.upload',
        ),
        button: ok,
      }}
      sending={sending}
      check={() => ({
        file: fileProblem(file),
        station_id: several && station.id === null ? t('common.required') : undefined,
      })}
      onClose={onClose}
    >
      <FileDrop
        file={file}
        accept=".xlsx,.csv,.txt,.tsv"
        hint={t('imports.file_hint')}
        error={sending.errors['file'] ?? (file === null ? undefined : fileProblem(file))}
        onFile={take}
      />
      {several && (
        <StationPicker
          label={t('common.station')}
          required
          value={station.id}
          shown={station.name || undefined}
          onChange={(id, name) => {
            setEarlier(null);
            setStation({ id, name });
          }}
          error={sending.errors['station_id']}
        />
      )}
      {earlier !== null && (
        <Notice
          tone="warn"
          actions={
            <Button
              size="small"
              disabled={sending.busy}
              onClick={() => {
                again.current = true;
                void sending.submit().finally(() => (again.current = false));
              }}
            >
              {t('imports.import_again')}
            </Button>
          }
        >
          {t('imports.same_file', {
            at: format.time(earlier.created_at),
            status: wordOf(importStatuses, earlier.status, language),
            count: format.number(earlier.counts.ordered),
          })}
        </Notice>
      )}
    </SubmitDialog>
  );
};
