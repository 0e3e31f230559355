import {
  listErasures,
  notErased,
  previewErasure,
  requestErasure,
} from '@waystation/contract/people/erasure.ts';
import type { ErasurePreview } from '@waystation/contract/people/erasure.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { Notice } from '#ui/notice.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { Places } from './places.tsx';
import styles from './personal.module.css';
import { ProofFields, useProof } from './proof.tsx';
import { usePersonalWords } from './words.ts';

interface Person {
  phone: string;
  reason: string;
  names: readonly string[];
}

const Blocked = ({ blocked, more }: Pick<ErasurePreview, 'blocked' | 'more'>) => {
  const say = usePersonalWords();
  const format = useFormat();
  return (
    <Notice tone="warn">
      {say('erase_blocked')}
      <ul className={styles['left']}>
        {blocked.map(({ number, at }) => (
          <li key={number}>
            <code>{number}</code>{' '}
            {at === null ? say('blocked_open') : say('blocked_until', { at: format.time(at) })}
          </li>
        ))}
        {more > 0 && <li>{say('blocked_more', { count: more })}</li>}
      </ul>
    </Notice>
  );
};

/**
 * The preview that is shown before an erasure is requested. It lists the rows that will be blanked
 * and the rows that will remain.
 */
export const EraseDialog = ({ person, onClose }: { person: Person; onClose: () => void }) => {
  const say = usePersonalWords();
  const proof = useProof();
  const wanted = { phone: person.phone, reason: person.reason, names: [...person.names] };
  const { data, error } = useCall(previewErasure, wanted, { quiet: true, staleTime: 60_000 });
  const sending = useSubmit({
    send: async () => {
      await call(requestErasure, { ...wanted, ...proof.input });
      onClose();
      return say('erase_requested');
    },
    refreshes: [listErasures],
    fields: ['password', 'otp'],
  });
  const isBlocked = data === undefined || data.blocked.length > 0;
  return (
    <FormDialog
      open
      danger
      width={560}
      title={say('erase_title')}
      ok={say('erase_request')}
      busy={sending.busy}
      blocked={isBlocked}
      failure={sending.failure ?? error?.message ?? null}
      onSubmit={() => void sending.submit(proof.problems())}
      onClose={onClose}
    >
      <p className={styles['hint']}>{say('erase_hint')}</p>
      <p className={styles['names_chosen']} lang="zh-CN">
        {say('erase_names', { names: person.names.join('、') })}
      </p>
      {data === undefined && !error && <Waiting />}
      {data && data.blocked.length > 0 && <Blocked blocked={data.blocked} more={data.more} />}
      {data && (
        <section className={styles['part']}>
          <h3 className={styles['heading']}>{say('erase_counts')}</h3>
          <Places counts={data.counts} />
          <p className={styles['hint']}>{say('erase_also')}</p>
          <p className={styles['hint']}>{say('erase_others')}</p>
        </section>
      )}
      <section className={styles['part']}>
        <h3 className={styles['heading']}>{say('not_erased')}</h3>
        <ul className={styles['left']}>
          {notErased.map((word) => (
            <li key={word}>{say(word)}</li>
          ))}
        </ul>
      </section>
      {!isBlocked && <ProofFields proof={proof} errors={sending.errors} />}
    </FormDialog>
  );
};
