import { expressStations } from '@waystation/contract/express-calls.ts';
import type { ExpressRow } from '@waystation/contract/express.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { kg, yuan } from '#ui/values/amounts.ts';
import type { Chip } from '#resource/list/filter-chips.tsx';
import { idFilters, useIdChoices, useOrderChoices } from './filter-choices.ts';
import { activeChips } from './filters.ts';
import type { IdFilter } from './filter-choices.ts';
import type { ChipKey, Filters } from './filters.ts';

const span = (from: string, to: string): string => (from === to ? from : `${from || '…'} – ${to || '…'}`);

/** The active filters in words. Names of stations and promises come from the rows, else from what the pickers offer. */
export const useChips = (filters: Filters, rows: readonly ExpressRow[]): { chips: Chip[]; stationName: string } => {
  const { t } = useTexts();
  const inRows = rows.find((row) => row.station_id === filters.station_id)?.station_name;
  const { data: stations } = useCall(expressStations, filters.station_id !== null && inRows === undefined ? {} : null, { quiet: true, staleTime: 300_000 });
  const stationName =
    inRows ?? stations?.items.find(({ id }) => id === filters.station_id)?.name ?? (filters.station_id === null ? '' : `#${filters.station_id}`);
  const promiseInRows = rows.find((row) => row.promise_id === filters.promise_id)?.promise_name;
  const { promises } = useOrderChoices(filters, filters.promise_id !== '' && promiseInRows === undefined);
  const ids = useIdChoices(idFilters.some((key) => filters[key] !== null));
  const nameOf = (key: IdFilter): string => ids[key]?.find(({ value }) => value === String(filters[key]))?.label ?? `#${filters[key] ?? ''}`;
  const values: Record<ChipKey, string> = {
    group: filters.group === null ? '' : t(`expresses.group.${filters.group}`),
    created: span(filters.created_from, filters.created_to),
    station_id: stationName,
    promise_id: promiseInRows ?? promises.find(({ value }) => value === filters.promise_id)?.label ?? filters.promise_id,
    receive_province: filters.receive_province,
    printed: filters.printed === 1 ? t('expresses.printed_yes') : t('expresses.printed_no'),
    need_retry: t('expresses.need_retry'),
    arrived:
      filters.arrived === null ? '' : [t(`expresses.arrived.${filters.arrived}`), span(filters.arrived_from, filters.arrived_to)].filter(Boolean).join(' · '),
    user_id: nameOf('user_id'),
    merchant_id: nameOf('merchant_id'),
    project_id: nameOf('project_id'),
    voucher_id: nameOf('voucher_id'),
    goods: filters.goods,
    insured: filters.insured === 1 ? t('expresses.insured_yes') : t('expresses.insured_no'),
    post_amount: span(
      filters.post_amount_from === null ? '' : yuan(filters.post_amount_from),
      filters.post_amount_to === null ? '' : yuan(filters.post_amount_to),
    ),
    weight_difference: `≥ ${kg(filters.weight_difference ?? 0)}`,
    unmoved_hours: t('expresses.unmoved_for', { hours: filters.unmoved_hours ?? 0 }),
  };
  return { stationName, chips: activeChips(filters).map((key) => ({ key, name: t(`expresses.filter.${key}`), value: values[key] })) };
};
