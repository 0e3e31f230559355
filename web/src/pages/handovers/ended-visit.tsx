import type { HandoverSummary } from '@waystation/contract/parcels/handover.ts';
import { useFormat } from '#base/format.ts';
import { Button } from '#ui/button.tsx';
import { Facts } from '#ui/facts.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { Figures } from './figures.tsx';
import { usePrintList } from './print-list.ts';
import styles from './visit.module.css';
import { LeftScans, OthersWaiting } from './waiting-scans.tsx';
import { VisitLists } from './visit-lists.tsx';
import { useHandoverWords } from '#parcels/handover-words.ts';

/**
 * A closed or discarded hand-over, with its user, its time, the parcels handed over and the missing
 * parcels.
 */
export const EndedVisit = ({ summary }: { summary: HandoverSummary }) => {
  const say = useHandoverWords();
  const format = useFormat();
  const { busy, print } = usePrintList();
  const { handover } = summary;
  const closed = handover.status === 'closed';
  return (
    <>
      <Notice
        tone="info"
        actions={
          closed && (
            <Button type="primary" loading={busy} onClick={() => void print(handover.id)}>
              {say('print')}
            </Button>
          )
        }
      >
        {say(closed ? 'ended_closed' : 'ended_discarded')}
      </Notice>
      <LeftScans id={handover.id} />
      <OthersWaiting id={handover.id} />
      {closed && <Figures summary={summary} />}
      <div className={`${primitives['card']} ${styles['facts']}`}>
        <Facts
          facts={[
            {
              key: 'opened_at',
              label: say('opened'),
              value: format.moment(handover.opened_at),
            },
            { key: 'user', label: say('user'), value: handover.user_nickname ?? '' },
            {
              key: 'ended_at',
              label: say('ended'),
              value: handover.ended_at === null ? '' : format.moment(handover.ended_at),
            },
            {
              key: 'ended_by',
              label: say('ended_by'),
              value: handover.ended_by_nickname ?? '',
            },
            { key: 'courier_name', label: say('courier'), value: handover.courier_name },
            { key: 'note', label: say('note'), value: handover.note },
          ]}
        />
      </div>
      {closed && <VisitLists summary={summary} />}
    </>
  );
};
