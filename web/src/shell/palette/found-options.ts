import { importStatuses } from '@waystation/contract/imports/import.ts';
import { reconciliationStatuses } from '@waystation/contract/money/reconciliation.ts';
import { statementTypes } from '@waystation/contract/money/statement.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { contactKinds } from '@waystation/contract/people/contact.ts';
import { searchGroups } from '@waystation/contract/shell/global-search.ts';
import type { Found, FoundGroups, SearchGroup } from '@waystation/contract/shell/global-search.ts';
import { screenOrThrow } from '@waystation/contract/shell/screens.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { usePersonName } from '#base/person-name.ts';
import { useTexts } from '#base/texts.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { signedYuan } from '#ui/values/amounts.ts';

/** An option in the command palette. */
export interface Option {
  id: string;
  icon: string;
  label: string;
  detail: string;
  keys: string;
  /** True if the label is a parcel or order number. */
  isNumber?: true;
  run: () => void;
}

export interface OptionGroup {
  heading: string;
  items: Option[];
}

/** The texts of a search result: its name, and the parts of its detail text. */
interface Words {
  label: string;
  detail: readonly (string | null | false)[];
  isNumber?: true;
}

/**
 * Returns, for each group of search results, a function that writes a result in the user's
 * language.
 */
const useWords = (): { [G in SearchGroup]: (found: Found[G]) => Words } => {
  const { t, language } = useTexts();
  const format = useFormat();
  const nameOf = usePersonName();
  const off = (status: 0 | 1): string | false => status === 0 && t('lists.disabled');
  const carrier = (provider: string): string => wordOf(providers, provider as Provider, language);
  return {
    parcels: (row) => ({
      label: row.delivery_id ?? row.order_id,
      isNumber: true,
      detail: [
        nameOf(row.receive_name),
        row.receive_phone.slice(-4),
        row.receive_city,
        wordOf(expressStates, row.state_code as StateCode, language),
      ],
    }),
    stations: (row) => ({ label: row.name, detail: [row.city, off(row.status)] }),
    accounts: (row) => ({
      label: row.nickname || row.username,
      detail: [row.username, t(`shell.role.${row.role}`), row.station_name, off(row.status)],
    }),
    contacts: (row) => ({
      label: nameOf(row.name),
      detail: [
        row.phone,
        wordOf(contactKinds, row.kind, language),
        row.station_name,
        off(row.status),
      ],
    }),
    statements: (row) => ({
      label: row.delivery_id ?? wordOf(statementTypes, row.type, language),
      detail: [
        row.delivery_id !== null && wordOf(statementTypes, row.type, language),
        signedYuan(row.amount),
        format.time(row.at),
        row.station_name,
      ],
    }),
    imports: (row) => ({
      label: row.file_name,
      detail: [
        wordOf(importStatuses, row.status, language),
        format.time(row.created_at),
        row.station_name,
      ],
    }),
    bills: (row) => ({
      label: row.file_name,
      detail: [
        row.period,
        carrier(row.provider),
        wordOf(reconciliationStatuses, row.status, language),
      ],
    }),
    templates: (row) => ({ label: row.name, detail: [carrier(row.provider), off(row.status)] }),
  };
};

/**
 * Returns the results of a search as groups of the palette, in the order of `searchGroups`. If not
 * all results of a group are shown, the group ends with a link to the list of all.
 */
export const useFoundOptions = (): ((
  found: FoundGroups,
  q: string,
) => { groups: OptionGroup[]; count: number }) => {
  const { t } = useTexts();
  const words = useWords();
  return (found, q) => {
    const groups = (Object.keys(searchGroups) as SearchGroup[]).flatMap((group): OptionGroup[] => {
      const answered = found[group];
      if (answered === undefined || answered.items.length === 0) return [];
      const screen = screenOrThrow(searchGroups[group]);
      const heading = t(`menu.${screen.title}`);
      const items = answered.items.map((row): Option => {
        const { label, detail, isNumber } = (words[group] as (one: typeof row) => Words)(row);
        return {
          id: `${group}-${row.id}`,
          icon: screen.icon,
          label,
          detail: detail.filter(Boolean).join(' · '),
          keys: '',
          ...(isNumber && { isNumber }),
          run: () =>
            openScreen(screen.name, group === 'parcels' ? { q, id: row.id } : { id: row.id }),
        };
      });
      const more: Option = {
        id: `${group}-more`,
        icon: screen.icon,
        label: t('shell.palette_more', { list: heading }),
        detail: '',
        keys: '',
        run: () => openScreen(screen.name, { q }),
      };
      return [{ heading, items: answered.more === 1 ? [...items, more] : items }];
    });
    const count = Object.values(found).reduce((sum, one) => sum + (one?.items.length ?? 0), 0);
    return { groups, count };
  };
};
