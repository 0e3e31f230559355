import { useTexts } from '#base/texts.ts';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';

/**
 * The button that searches older parcels too. It is shown if the search has left them out because
 * it already found many parcels.
 */
export const OlderParcels = ({ onContinue }: { onContinue: () => void }) => {
  const { t } = useTexts();
  return (
    <Notice
      tone="info"
      actions={
        <button type="button" className={primitives['linkButton']} onClick={onContinue}>
          {t('expresses.search_older')}
        </button>
      }
    >
      {t('expresses.older_not_searched')}
    </Notice>
  );
};
