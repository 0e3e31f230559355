import { goBack, openScreen } from '#shell/tabs/open-screen.ts';
import { useTexts } from '#base/texts.ts';
import { showOverlay } from '#shell/layout/overlays.ts';
import { Button } from '#ui/button.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './not-found.module.css';

/** The page for a URL that belongs to no screen, or to a screen that this user may not see. */
export const Page = () => {
  const { t } = useTexts();
  return (
    <section className={styles['page']}>
      <svg className={styles['picture']} viewBox="0 0 240 96" aria-hidden focusable="false">
        <path className={styles['road']} d="M8 72 C 48 72, 48 28, 92 28 S 128 60, 150 60" />
        <path className={styles['lost']} d="M162 60 C 190 60, 196 40, 228 40" />
        <circle className={styles['stop']} cx="8" cy="72" r="5" />
        <circle className={styles['stop']} cx="92" cy="28" r="5" />
        <g transform="translate(138 40)">
          <path className={styles['parcel']} d="M0 6 12 0l12 6v14l-12 6L0 20Z" />
          <path className={styles['seam']} d="M0 6l12 6 12-6M12 12v14" />
        </g>
      </svg>
      <h1>{t('shell.not_found_title')}</h1>
      <p>{t('shell.not_found_words')}</p>
      <div className={`${primitives['buttons']} ${styles['actions']}`}>
        <Button type="primary" onClick={() => openScreen('Workplace')}>
          {t('shell.to_landing')}
        </Button>
        <Button onClick={goBack}>{t('shell.back')}</Button>
        <Button type="text" onClick={() => showOverlay('palette')}>
          {t('shell.palette')}
        </Button>
      </div>
    </section>
  );
};
