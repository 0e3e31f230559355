import { searchLimit } from '@waystation/contract/shell/search.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { passRecipient } from '#parcels/pasted-recipient.ts';
import { useTexts } from '#base/texts.ts';
import { SearchBox } from '#ui/fields/search-box.tsx';
import { looksLikeRecipient, readSearch } from './numbers.ts';

/**
 * A search field for numbers, the last digits of a phone, and names. If many numbers are pasted,
 * they are searched one by one. If a recipient's details are pasted, the field offers the order
 * form.
 */
export const QuickSearch = ({ q, onSearch }: { q: string; onSearch: (q: string) => void }) => {
  const { t } = useTexts();
  return (
    <SearchBox
      q={q}
      onSearch={onSearch}
      label={t('expresses.search')}
      placeholder={t('expresses.search_placeholder')}
      read={(text) => {
        if (looksLikeRecipient(text)) {
          const order = (): void => {
            passRecipient(text);
            openScreen('ExpressStore');
          };
          return {
            q: text,
            bad: t('expresses.recipient_pasted'),
            offer: { label: t('expresses.recipient_order'), run: order },
          };
        }
        const { q, numbers, tooMany } = readSearch(text);
        return {
          q,
          ...(numbers > 0 && !tooMany && { note: t('expresses.numbers', { count: numbers }) }),
          ...(tooMany && {
            bad: t('expresses.too_many', { most: searchLimit.numbers, count: numbers }),
          }),
        };
      }}
    />
  );
};
