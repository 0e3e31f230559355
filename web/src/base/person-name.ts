import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { useTexts } from './texts.ts';

/**
 * Returns a function that writes a person's name. It writes a fixed text for an erased person, and
 * a dash if there is no name.
 */
export const usePersonName = (): ((name: string) => string) => {
  const { t } = useTexts();
  return (name) => (name === erasedName ? t('common.erased') : name || '—');
};
