import { useTexts } from '#base/texts.ts';
import styles from './waiting.module.css';

/** Grey lines that are shown instead of the content until it is loaded for the first time. */
export const Waiting = () => {
  const { t } = useTexts();
  return (
    <div className={styles['waiting']} role="status" aria-busy aria-label={t('shell.loading')} />
  );
};
