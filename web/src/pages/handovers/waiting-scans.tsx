import { useHandoverWords } from '#parcels/handover-words.ts';
import { useUser } from '#shell/session/session.ts';
import { Notice } from '#ui/notice.tsx';
import { waitingNumbers, waitingOfOthers } from './scan-queue.ts';

/**
 * The scans that another user has left in this browser. They are never sent under the name of the
 * present user.
 */
export const OthersWaiting = ({ id }: { id: number }) => {
  const say = useHandoverWords();
  const { id: account } = useUser();
  const count = waitingOfOthers({ id, account });
  return count > 0 ? <Notice tone="warn">{say('waiting_others', { count })}</Notice> : null;
};

/**
 * The scans that were not sent before the hand-over ended. No list of the hand-over contains their
 * packages.
 */
export const LeftScans = ({ id }: { id: number }) => {
  const say = useHandoverWords();
  const { id: account } = useUser();
  const numbers = waitingNumbers({ id, account });
  if (numbers.length === 0) return null;
  return (
    <Notice tone="danger">
      <p>{say('waiting_left', { count: numbers.length })}</p>
      <p className="tabular">{numbers.join(', ')}</p>
    </Notice>
  );
};
