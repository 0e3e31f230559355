import { usePageSearch } from '#shell/tabs/page.ts';
import { Bill } from './reconciliations/bill.tsx';
import { Bills } from './reconciliations/bills.tsx';

/**
 * The page of month end: the months of the ledger and the carriers' bills, or the lines of one bill
 * (`id` in the URL).
 */
export const Page = () => {
  const [search] = usePageSearch();
  const id = search['id'];
  return id !== undefined && /^[1-9]\d{0,14}$/.test(id) ? (
    <Bill key={id} id={Number(id)} />
  ) : (
    <Bills />
  );
};
