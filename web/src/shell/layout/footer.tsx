import styles from './footer.module.css';
import { useTexts } from '#base/texts.ts';
import { useAbout } from '#base/use-facts.ts';

/** Shows the version, whether this network is a demo, and whether its carrier is simulated. */
export const Footer = () => {
  const { t } = useTexts();
  const about = useAbout();
  const facts = [
    about ? t('shell.version', { version: about.version }) : null,
    about?.demo ? t('shell.demo_network') : null,
    about?.simulated ? t('shell.simulated_carrier') : null,
  ].filter((fact) => fact !== null);
  return (
    <footer className={styles['footer']}>
      <span>{t('shell.product_full')}</span>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </footer>
  );
};
