import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { useTexts } from './texts.ts';

/** The name of a person as it is shown: an erased one in words, a dash for none. */
export const usePersonName = (): ((name: string) => string) => {
  const { t } = useTexts();
  return (name) => (name === erasedName ? t('common.erased') : name || '—');
};
