import {
  countExceptions,
  countExpresses,
  getExpress,
  handleException,
  listExpresses,
} from '@waystation/contract/parcels/express-calls.ts';
import { exceptionWords } from '@waystation/contract/parcels/express-exceptions.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { ReasonFormDialog } from '#resource/form/submit-dialog.tsx';
import { numberOf } from './parcel-rules.ts';

/** The dialog in which a user records how the exception of a parcel was handled. */
export const HandleDialog = ({ row, onClose }: { row: ExpressRow; onClose: () => void }) => {
  const { t, language } = useTexts();
  return (
    <ReasonFormDialog
      title={t('parcel.exception_do.handle_title', { number: numberOf(row) })}
      ok={t('parcel.exception_do.handle')}
      field={{ label: t('parcel.exception_do.note'), hint: t('parcel.exception_do.note_hint') }}
      above={row.exception && <p>{wordOf(exceptionWords, row.exception, language)}</p>}
      send={async (note) => {
        await call(handleException, { id: row.id, note });
        return t('parcel.exception_do.handled', { number: numberOf(row) });
      }}
      refreshes={[listExpresses, countExpresses, countExceptions, getExpress]}
      onClose={onClose}
    />
  );
};
