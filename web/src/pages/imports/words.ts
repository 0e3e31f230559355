import { errorText, isErrorCode } from '#base/error-text.ts';
import {
  getImport,
  importMarksOf,
  importStatuses,
  listImportRows,
  listImports,
} from '@waystation/contract/imports/import.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useLiveEvents } from '#base/live-events.ts';
import { refresh } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';

/** The endpoints that show imports. Their data is read again after an import has changed. */
export const importsShown = [listImports, getImport, importMarksOf, listImportRows] as const;

/** True as long as a background job of the import runs. */
export const isWorking = ({
  status,
  pending_parcels,
}: Pick<Import, 'status' | 'pending_parcels'>): boolean =>
  (pending_parcels ?? 0) > 0 ||
  status === 'reading' ||
  status === 'checking' ||
  status === 'ordering';

/**
 * Reads an import again when an event reports a new status. Another user may have changed the
 * import. If the page already shows this status, nothing is read.
 */
export const useImportEvents = (found: Pick<Import, 'id' | 'status'> | undefined): void => {
  useLiveEvents('import', ({ import_id, status }) => {
    if (found?.id === import_id && found.status !== status) void refresh(...importsShown);
  });
};

/** The texts about imports in the user's language. */
export const useImportWords = () => {
  const { language } = useTexts();
  return {
    status: ({ status }: Pick<Import, 'status'>): string =>
      wordOf(importStatuses, status, language),
    reason: (reason: Import['reason']): string =>
      reason === null
        ? ''
        : isErrorCode(reason.code)
          ? errorText(reason.code, reason.params ?? {}, language)
          : reason.code,
  };
};
