import { useTexts } from '#app/texts.ts';
import { SearchBox } from '#ui/search-box.tsx';
import { mostNumbers, readSearch } from './numbers.ts';

/** One box for numbers, phone tails and names; many numbers pasted at once are looked up each. */
export const QuickSearch = ({ q, onSearch }: { q: string; onSearch: (q: string) => void }) => {
  const { t } = useTexts();
  return (
    <SearchBox
      q={q}
      onSearch={onSearch}
      label={t('expresses.search')}
      placeholder={t('expresses.search_placeholder')}
      read={(text) => {
        const { q, numbers, tooMany } = readSearch(text);
        return {
          q,
          ...(numbers > 0 && !tooMany && { note: t('expresses.numbers', { count: numbers }) }),
          ...(tooMany && { bad: t('expresses.too_many', { most: mostNumbers, count: numbers }) }),
        };
      }}
    />
  );
};
