import { usePageSearch } from '#shell/tabs/page.ts';
import { Bill } from './reconciliations/bill.tsx';
import { Bills } from './reconciliations/bills.tsx';

/**
 * Month end: the ledger's months with the carrier's bills, or one bill's lines (`id` in the
 * address).
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
