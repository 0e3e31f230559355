import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { useTexts } from './texts.ts';

/**
 * Returns how a person's name is shown: as a fixed text for an erased person, and as a dash if
 * there is no name.
 */
export const usePersonName = (): ((name: string) => string) => {
  const { t } = useTexts();
  return (name) => (name === erasedName ? t('common.erased') : name || '—');
};
