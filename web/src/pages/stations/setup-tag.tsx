import type { StationSetup } from '@waystation/contract/network/station-setup.ts';
import { useTexts } from '#base/texts.ts';
import { useRowTab } from '#ui/row-tab.ts';
import styles from './setup.module.css';

/** The progress of setting up a new station; pressing it opens the guide. */
export const SetupTag = ({ setup, onShow }: { setup: StationSetup; onShow: () => void }) => {
  const { t } = useTexts();
  const tabIndex = useRowTab();
  return (
    <button
      type="button"
      className={styles['tag']}
      tabIndex={tabIndex}
      title={t('stations.setup_continue', { name: setup.station_name })}
      onClick={onShow}
    >
      {t('stations.setup_tag', { done: setup.done, steps: setup.steps.length })}
    </button>
  );
};
