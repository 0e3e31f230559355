import { quoteExpress } from '@waystation/contract/parcels/express-calls.ts';
import { useCall } from '#base/query.ts';
import type { OrderForm } from '#parcels/orders/form.ts';
import { quoteInput } from '#parcels/orders/inputs.ts';
import { useSettled } from '#resource/stations/station-picker.tsx';

/** The prices of the typed form are requested after this many milliseconds without a key press. */
export const pause = 250;

/**
 * The prices of the typed form, requested after a pause in typing. The previous prices stay until
 * the new prices arrive, so that the layout does not jump. `edited` is the id of the edited parcel
 * if the carrier already has it; otherwise null.
 */
export const useQuotes = (form: OrderForm, edited: number | null) => {
  const typed = JSON.stringify(quoteInput(form, edited));
  const settled = useSettled(typed, pause);
  const input = JSON.parse(settled) as ReturnType<typeof quoteInput>;
  const { data, error, isFetching, refetch } = useCall(quoteExpress, input, {
    keep: input !== null,
    quiet: true,
  });
  return {
    data: input === null ? undefined : data,
    error,
    isFetching,
    /** True if the prices belong to the form as it is now. */
    isCurrent: settled === typed && !isFetching,
    refetch,
    asking: input !== null,
  };
};
