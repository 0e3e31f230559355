import { useState } from 'react';
import {
  approveErasure,
  cancelErasure,
  listErasures,
} from '@waystation/contract/people/erasure.ts';
import type { Erasure } from '@waystation/contract/people/erasure.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { Places } from './places.tsx';
import styles from './personal.module.css';
import { ProofFields, useProof } from './proof.tsx';
import { usePersonalWords } from './words.ts';

/** Milliseconds between two polls of an erasure that waits or runs. */
const pollEvery = 5_000;

const personOf = ({ names, phone }: Erasure): string => [...names, phone ?? ''].join(' ').trim();

const ApproveDialog = ({ erasure, onClose }: { erasure: Erasure; onClose: () => void }) => {
  const say = usePersonalWords();
  const format = useFormat();
  const proof = useProof();
  const sending = useSubmit({
    send: async () => {
      await call(approveErasure, { id: erasure.id, ...proof.input });
      onClose();
      return say('approved');
    },
    refreshes: [listErasures],
    fields: ['password', 'otp'],
    refreshOnFailure: true,
  });
  return (
    <FormDialog
      open
      danger
      title={say('approve_title')}
      ok={say('approve')}
      busy={sending.busy}
      failure={sending.failure}
      onSubmit={() => void sending.submit(proof.problems())}
      onClose={onClose}
    >
      <p className={styles['hint']}>{say('approve_hint')}</p>
      <p className={styles['names_chosen']} lang="zh-CN">
        {personOf(erasure)}
      </p>
      <p className={styles['facts']}>
        <span>{say('asked_by', { name: erasure.username, at: format.time(erasure.at) })}</span>
        <span>{erasure.reason}</span>
      </p>
      <Places counts={erasure.counts} />
      <p className={styles['hint']}>{say('erase_others')}</p>
      <ProofFields proof={proof} errors={sending.errors} />
    </FormDialog>
  );
};

const Decision = ({ erasure, onApprove }: { erasure: Erasure; onApprove: () => void }) => {
  const say = usePersonalWords();
  const { busy, run } = useActions<number>([listErasures]);
  const isMine = erasure.mine === 1;
  const cancelWord = say(isMine ? 'withdraw' : 'decline');
  return (
    <div className={primitives['row']}>
      {!isMine && (
        <Button
          size="small"
          type="primary"
          danger
          aria-label={`${say('approve')}: ${personOf(erasure)}`}
          onClick={onApprove}
        >
          {say('approve')}
        </Button>
      )}
      <Button
        size="small"
        loading={busy.has(erasure.id)}
        aria-label={`${cancelWord}: ${personOf(erasure)}`}
        onClick={() =>
          void run(erasure.id, async () => {
            await call(cancelErasure, { id: erasure.id });
            notify.success(say('cancelled'));
          })
        }
      >
        {cancelWord}
      </Button>
    </div>
  );
};

const Row = ({ erasure, onApprove }: { erasure: Erasure; onApprove: () => void }) => {
  const say = usePersonalWords();
  const format = useFormat();
  const { username, decided_by, decided_at, done_at } = erasure;
  return (
    <li>
      <div className={styles['part']}>
        <span>
          <strong>{say(`status_${erasure.status}`)}</strong>{' '}
          <span lang="zh-CN">{personOf(erasure)}</span>
        </span>
        <p className={styles['facts']}>
          <span>{say('asked_by', { name: username, at: format.time(erasure.at) })}</span>
          {decided_by !== null && decided_at !== null && (
            <span>
              {say('decided_by', { name: decided_by, at: format.time(done_at ?? decided_at) })}
            </span>
          )}
          <span>{erasure.reason}</span>
        </p>
        <Places counts={erasure.counts} />
      </div>
      {erasure.status === 'waiting' && <Decision erasure={erasure} onApprove={onApprove} />}
    </li>
  );
};

/**
 * The erasures that wait for a second person's approval, and the erasures that ended most recently.
 */
export const Erasures = () => {
  const say = usePersonalWords();
  const { data } = useCall(listErasures, {}, { keep: true, refetchInterval: pollEvery });
  const [chosen, setChosen] = useState<Erasure | null>(null);
  if (data === undefined) return null;
  return (
    <section className={`${primitives['card']} ${styles['found']}`}>
      <h2 className={styles['heading']}>{say('erasures')}</h2>
      {data.items.length === 0 ? (
        <p className={styles['hint']}>{say('erasures_none')}</p>
      ) : (
        <ul className={styles['names']}>
          {data.items.map((erasure) => (
            <Row key={erasure.id} erasure={erasure} onApprove={() => setChosen(erasure)} />
          ))}
        </ul>
      )}
      {chosen && <ApproveDialog erasure={chosen} onClose={() => setChosen(null)} />}
    </section>
  );
};
