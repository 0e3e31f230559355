import { useState } from 'react';
import { noteLength, shortNameLength } from '@waystation/contract/base/limits.ts';
import {
  closeHandover,
  getHandover,
  handoverMissing,
  listHandovers,
} from '@waystation/contract/parcels/handover.ts';
import type { HandoverSummary } from '@waystation/contract/parcels/handover.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { playSound } from '#base/sounds.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import styles from './visit.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

/** The maximum number of missing parcels that the dialog lists; the page lists all. */
const mostNamed = 12;

const Missing = ({ summary }: { summary: HandoverSummary }) => {
  const say = useHandoverWords();
  const format = useFormat();
  const { data } = useCall(handoverMissing, { id: summary.handover.id }, { quiet: true });
  if (summary.missing === 0) return null;
  const named = data?.items.slice(0, mostNamed) ?? [];
  const more = (data?.parcels ?? 0) - named.length;
  return (
    <div className={styles['warning']}>
      <p>{say('close_missing', { count: format.number(summary.missing) })}</p>
      <p className="tabular">
        {named.map(({ delivery_id }) => delivery_id).join(', ')}
        {more > 0 && ` ${say('close_more', { count: format.number(more) })}`}
      </p>
    </div>
  );
};

/** The dialog that closes a hand-over, with the courier's name and the missing parcels. */
export const CloseDialog = ({
  summary,
  waiting,
  onClose,
}: {
  summary: HandoverSummary;
  /**
   * The number of scans that are not sent yet. They would be missing from the hand-over if it were
   * closed now.
   */
  waiting: number;
  onClose: () => void;
}) => {
  const say = useHandoverWords();
  const format = useFormat();
  const { id, parcels, packages } = summary.handover;
  const cancelled = summary.cancelled_packages;
  const [courier_name, setCourier] = useState('');
  const [note, setNote] = useState('');
  const sending = useSubmit({
    send: async () => {
      await call(closeHandover, {
        id,
        packages,
        ...(cancelled > 0 && { with_cancelled: 1 as const }),
        courier_name: courier_name.trim(),
        note: note.trim(),
      });
      playSound('done');
      return say('closed', { id });
    },
    refreshes: [getHandover, listHandovers, handoverMissing],
    refreshOnFailure: true,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={say('close')}
      ok={say('close')}
      sending={sending}
      check={() => ({
        packages: waiting > 0 ? say('close_waiting', { count: waiting }) : undefined,
      })}
      onClose={onClose}
    >
      <p>
        {say('close_text', {
          parcels: format.number(parcels),
          packages: format.number(packages),
        })}
      </p>
      {waiting > 0 && <p role="alert">{say('close_waiting', { count: waiting })}</p>}
      {cancelled > 0 && (
        <p className={styles['warning']}>
          {say('close_cancelled', { count: format.number(cancelled) })}
        </p>
      )}
      <Missing summary={summary} />
      <TextField
        label={say('courier')}
        name="courier_name"
        value={courier_name}
        onChange={setCourier}
        max={shortNameLength}
        error={sending.errors['courier_name']}
        disabled={sending.busy}
        autoFocus
      />
      <TextField
        label={say('note')}
        name="note"
        value={note}
        onChange={setNote}
        max={noteLength}
        lines={2}
        error={sending.errors['note']}
        disabled={sending.busy}
      />
    </SubmitDialog>
  );
};
