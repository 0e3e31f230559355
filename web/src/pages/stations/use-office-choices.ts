import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { listMerchants } from '@waystation/contract/network/merchant.ts';
import { listProjects } from '@waystation/contract/network/project.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useAuthorities } from './authority.ts';

const some = { page_size: mostPageSize, status: 1 } as const;

/**
 * The choices for a station that only administrators make: its freight scheme and its carrier
 * account.
 */
export const useOfficeChoices = () => {
  const { language } = useTexts();
  const { office } = useAuthorities();
  const projects = useCall(listProjects, office ? some : null, { quiet: true, staleTime: 30_000 });
  const merchants = useCall(listMerchants, office ? some : null, {
    quiet: true,
    staleTime: 30_000,
  });
  return {
    projects: (projects.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
    merchants: (merchants.data?.items ?? []).map(({ name, customer_code, provider }) => ({
      value: customer_code,
      label: `${name} · ${wordOf(providers, provider, language)} · ${customer_code}`,
    })),
  };
};
