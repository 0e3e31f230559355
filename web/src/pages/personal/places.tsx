import { erasurePlaces } from '@waystation/contract/people/erasure.ts';
import type { Erasure } from '@waystation/contract/people/erasure.ts';
import styles from './personal.module.css';
import { usePersonalWords } from './words.ts';

/**
 * The numbers of rows in each place where personal data are stored; places without any row are left
 * out.
 */
export const Places = ({ counts }: { counts: Erasure['counts'] }) => {
  const say = usePersonalWords();
  return (
    <p className={styles['facts']}>
      {erasurePlaces
        .filter((place) => (counts[place] ?? 0) > 0)
        .map((place) => (
          <span key={place}>{say(`place_${place}`, { count: counts[place] ?? 0 })}</span>
        ))}
    </p>
  );
};
