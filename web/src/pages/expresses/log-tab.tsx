import { useState } from 'react';
import { expressAudit } from '@waystation/contract/shell/audit.ts';
import { auditActions, auditField, auditValue } from '@waystation/contract/shell/audit-words.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { AuditList, auditSizes } from '#resource/record/audit-tab.tsx';

/**
 * All changes of the parcel, newest first, each with the user who made it. They include edits,
 * weights, prints, cancellations and money.
 */
export const LogTab = ({ parcel }: { parcel: Express }) => {
  const { language } = useTexts();
  const [size, setSize] = useState<number>(auditSizes.first);
  const reading = useCall(
    expressAudit,
    { id: parcel.id, page_size: size },
    { quiet: true, keep: true, staleTime: 0 },
  );
  const fields = new Set(reading.data?.items.flatMap(({ changes }) => Object.keys(changes)));
  const words = Object.fromEntries(
    [...fields].map((field) => [
      field,
      {
        label: auditField('expresses', field, language),
        show: (value: unknown) => auditValue('expresses', field, value, language),
      },
    ]),
  );
  const actions = Object.fromEntries(
    Object.entries(auditActions).map(([action, known]) => [action, known[language]]),
  );
  return (
    <AuditList reading={reading} words={words} actions={actions} size={size} onSize={setSize} />
  );
};
