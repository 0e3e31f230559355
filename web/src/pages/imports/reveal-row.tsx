import { useState } from 'react';
import { revealImportRow } from '@waystation/contract/imports/import.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import { call } from '#base/call.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';

const phoneFields = ['receive_phone', 'sender_phone', 'receive_text'] as const;

/**
 * The masked phones of a row in another station's import. The user can reveal them, and the server
 * records that in the audit log. The caller passes one key per row, so that the next row starts
 * masked again.
 */
export const RevealRow = ({ found, row }: { found: Import; row: ImportRow }) => {
  const { t } = useTexts();
  const { busy, run } = useActions<'reveal'>([]);
  const [whole, setWhole] = useState<ImportRow | null>(null);
  if (whole === null)
    return (
      <Button
        size="small"
        loading={busy.has('reveal')}
        onClick={() =>
          void run('reveal', async () =>
            setWhole(await call(revealImportRow, { id: found.id, row: row.no })),
          )
        }
      >
        {t('imports.grid.reveal')}
      </Button>
    );
  return phoneFields
    .filter((field) => whole.values[field])
    .map((field) => (
      <span key={field}>
        {t(`imports.fields.${field}`)} {whole.values[field]}
      </span>
    ));
};
