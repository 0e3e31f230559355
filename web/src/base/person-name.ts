import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { useTexts } from './texts.ts';

/**
 * Returns a function that writes a person's name. An erased person has a fixed text, and a missing
 * name is a dash.
 */
export const usePersonName = (): ((name: string) => string) => {
  const { t } = useTexts();
  return (name) => (name === erasedName ? t('common.erased') : name || '—');
};
