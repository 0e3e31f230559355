import { erasedName } from '@waystation/contract/parcels/erased.ts';
import { useTexts } from './texts.ts';

/** The displayed name of a person: an erased one as a text, a dash for none. */
export const usePersonName = (): ((name: string) => string) => {
  const { t } = useTexts();
  return (name) => (name === erasedName ? t('common.erased') : name || '—');
};
