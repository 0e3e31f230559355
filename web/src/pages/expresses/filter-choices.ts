import { mostPageSize } from '@waystation/contract/base/limits.ts';
import { listAccounts } from '@waystation/contract/people/account.ts';
import { expressOptions, expressStations } from '@waystation/contract/parcels/express-calls.ts';
import { listMerchants } from '@waystation/contract/network/merchant.ts';
import { listProjects } from '@waystation/contract/network/project.ts';
import { managers, office } from '@waystation/contract/base/roles.ts';
import { listVouchers } from '@waystation/contract/money/voucher.ts';
import { useCall } from '#base/query.ts';
import { usePermitted, useUser } from '#shell/session/session.ts';
import type { Option } from '#ui/fields/combobox.tsx';

const quiet = { quiet: true, staleTime: 300_000 } as const;
const some = { page_size: mostPageSize } as const;

/**
 * The goods and delivery times to choose from in the filters. They are those of the chosen station,
 * or else of the user's own station. If there is neither, those of the first station are used.
 */
export const useOrderChoices = (
  narrowed: number | null,
  wanted: boolean,
): { promises: Option[]; goods: Option[] } => {
  const { station_id } = useUser();
  const own = narrowed ?? station_id;
  const { data: stations } = useCall(expressStations, wanted && own === null ? {} : null, quiet);
  const stationId = own ?? stations?.items[0]?.id ?? null;
  const { data } = useCall(
    expressOptions,
    wanted && stationId !== null ? { station_id: stationId } : null,
    quiet,
  );
  return {
    promises: (data?.promises ?? []).map((promise) => ({
      value: promise.promise_id,
      label: promise.promise_name,
    })),
    goods: (data?.cargos ?? []).map(({ name }) => ({ value: name, label: name })),
  };
};

/** The filters by id. Users choose a name in them, and the server receives the id of that name. */
export const idFilters = ['user_id', 'merchant_id', 'project_id', 'voucher_id'] as const;
export type IdFilter = (typeof idFilters)[number];

const named = (rows: readonly { id: number; name: string }[] | undefined): Option[] =>
  (rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }));

/** The id filters that the current user may use. */
export const useIdFilters = (): readonly IdFilter[] => {
  const manages = usePermitted(managers);
  const isOffice = usePermitted(office);
  return idFilters.filter((key) => (key === 'user_id' ? manages : isOffice));
};

/**
 * The choices of the filters by id. Users who manage accounts can filter by user account.
 * Administrators can also filter by carrier account, freight scheme and template.
 */
export const useIdChoices = (wanted: boolean): Partial<Record<IdFilter, Option[]>> => {
  const manages = usePermitted(managers);
  const isOffice = usePermitted(office);
  const people = useCall(listAccounts, wanted && manages ? some : null, quiet);
  const merchants = useCall(listMerchants, wanted && isOffice ? some : null, quiet);
  const projects = useCall(listProjects, wanted && isOffice ? some : null, quiet);
  const vouchers = useCall(listVouchers, wanted && isOffice ? some : null, quiet);
  return {
    ...(manages && {
      user_id: (people.data?.items ?? []).map(({ id, nickname, username }) => ({
        value: String(id),
        label: nickname || username,
      })),
    }),
    ...(isOffice && {
      merchant_id: named(merchants.data?.items),
      project_id: named(projects.data?.items),
      voucher_id: named(vouchers.data?.items),
    }),
  };
};
