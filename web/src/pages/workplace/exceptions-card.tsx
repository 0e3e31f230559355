import { countExceptions } from '@waystation/contract/parcels/express-calls.ts';
import { exceptionKinds, exceptionWords } from '@waystation/contract/parcels/express-exceptions.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { BoardCard } from './board-card.tsx';
import styles from './exceptions-card.module.css';

/**
 * The number of parcels for each kind of exception. Each number opens the board of exceptions,
 * filtered by its kind.
 */
export const ExceptionsCard = ({ every }: { every: number }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const reading = useCall(countExceptions, {}, { refetchInterval: every, quiet: true, keep: true });
  return (
    <BoardCard
      title={t('workplace.exceptions.title')}
      tools={
        <a href={screenHref('ExpressTable', { exception: 'any' })}>
          {t('workplace.exceptions.all')}
        </a>
      }
      reading={reading}
    >
      {({ counts, unmoved_hours }) => {
        const open = exceptionKinds.filter((kind) => counts[kind] > 0);
        if (open.length === 0)
          return <p className={styles['calm']}>{t('workplace.exceptions.none')}</p>;
        return (
          <ul className={styles['kinds']}>
            {open.map((kind) => (
              <li key={kind}>
                <a href={screenHref('ExpressTable', { exception: kind })}>
                  <span>
                    {kind === 'unmoved'
                      ? t('expresses.exceptions_unmoved', { hours: unmoved_hours })
                      : wordOf(exceptionWords, kind, language)}
                  </span>
                  <strong className="tabular">{format.number(counts[kind])}</strong>
                </a>
              </li>
            ))}
          </ul>
        );
      }}
    </BoardCard>
  );
};
