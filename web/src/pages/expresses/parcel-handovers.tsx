import { providers } from '@waystation/contract/network/provider.ts';
import { parcelHandovers } from '@waystation/contract/parcels/handover.ts';
import type { ParcelHandover } from '@waystation/contract/parcels/handover.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import primitives from '#ui/primitives.module.css';
import styles from './parcel-drawer.module.css';
import { useHandoverWords } from '#parcels/handover-words.ts';

const Row = ({ visit }: { visit: ParcelHandover }) => {
  const { language } = useTexts();
  const say = useHandoverWords();
  const format = useFormat();
  const words = say('parcel_given', {
    carrier: wordOf(providers, visit.provider, language),
    id: visit.handover_id,
    packages: say('parcel_packages', {
      nos: visit.package_nos.join(', '),
      count: visit.package_count,
    }),
  });
  return (
    <li>
      {visit.visible === 1 ? (
        <a href={screenHref('HandoverPage', { id: visit.handover_id })}>{words}</a>
      ) : (
        words
      )}
      <div className={primitives['quiet']}>
        {[
          say('parcel_by', {
            time: format.moment(visit.at),
            user: visit.scanned_by_nickname ?? '—',
          }),
          visit.courier_name && say('parcel_courier', { name: visit.courier_name }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
    </li>
  );
};

/**
 * The hand-overs that contain packages of the parcel. Shows nothing if no package of it was ever
 * scanned.
 */
export const ParcelHandovers = ({ id }: { id: number }) => {
  const say = useHandoverWords();
  const { data } = useCall(parcelHandovers, { id }, { quiet: true, keep: true });
  if (!data || data.items.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h2>{say('parcel_title')}</h2>
      <ul className={primitives['list']}>
        {data.items.map((visit) => (
          <Row key={visit.handover_id} visit={visit} />
        ))}
      </ul>
    </section>
  );
};
