import { useTexts } from '#base/texts.ts';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';

/**
 * A search that already found many parcels did not search older ones. The button continues the
 * search with the older parcels.
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
