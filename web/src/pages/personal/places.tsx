import { erasurePlaces } from '@waystation/contract/people/erasure.ts';
import type { Erasure } from '@waystation/contract/people/erasure.ts';
import styles from './personal.module.css';
import { usePersonalWords } from './words.ts';

/**
 * The number of rows in each place where the person's data are stored. Places without rows are left
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
