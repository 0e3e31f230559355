import { usePageSearch } from '#shell/tabs/page.ts';
import { ImportPage } from './imports/import.tsx';
import { Imports } from './imports/list.tsx';

/**
 * The page for importing parcels from sheets. It shows the list of imports, or one import (`id` in
 * the URL).
 */
export const Page = () => {
  const [search] = usePageSearch();
  const id = search['id'];
  return id !== undefined && /^[1-9]\d{0,14}$/.test(id) ? (
    <ImportPage key={id} id={Number(id)} />
  ) : (
    <Imports />
  );
};
