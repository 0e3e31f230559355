import { useId } from 'react';
import type { ReactNode } from 'react';
import type { ApiError } from '#base/api-error.ts';
import { useTexts } from '#base/texts.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import styles from './boards.module.css';

interface Reading<T> {
  data: T | undefined;
  error: ApiError | null;
  isPlaceholderData: boolean;
  refetch: () => unknown;
}

interface Props<T> {
  title: string;
  /** The filters of the card, shown next to its title. */
  tools?: ReactNode;
  reading: Reading<T>;
  children: (data: T) => ReactNode;
}

/**
 * A card that loads its own data. It shows a skeleton, an error, or the last data while new data
 * are loading.
 */
export const BoardCard = <T,>({
  title,
  tools,
  reading: { data, error, isPlaceholderData, refetch },
  children,
}: Props<T>) => {
  const { t } = useTexts();
  const heading = useId();
  return (
    <section
      className={styles['card']}
      aria-labelledby={heading}
      aria-busy={data === undefined && error === null}
    >
      <div className={styles['head']}>
        <h2 id={heading}>{title}</h2>
        {tools}
      </div>
      {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
      {data !== undefined && (
        <div className={styles['body']} data-stale={isPlaceholderData || undefined}>
          {children(data)}
        </div>
      )}
      {data === undefined && error === null && (
        <span className={styles['skeleton']}>
          <span className="sr-only">{t('workplace.loading')}</span>
        </span>
      )}
    </section>
  );
};
