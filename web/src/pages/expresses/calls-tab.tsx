import { expressCalls } from '@waystation/contract/parcels/express-calls.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { outcomeLink } from '@waystation/contract/parcels/order-outcome.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { CarrierCalls } from '#parcels/carrier-calls.tsx';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';

/** The calls to the carrier about the parcel, with the carrier's responses; for administrators. */
export const CallsTab = ({ parcel }: { parcel: Express }) => {
  const { t, language } = useTexts();
  const { data, error, refetch } = useCall(
    expressCalls,
    { id: parcel.id },
    { quiet: true, keep: true, staleTime: 0 },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : null;
  if (data.items.length === 0 && data.was_unknown === 0)
    return <Empty title={t('merchants.calls_none')} hint={t('merchants.calls_hint')} />;
  return (
    <>
      {data.was_unknown === 1 && (
        <p>
          <a href={screenHref('OutcomePage', { id: parcel.id })}>{outcomeLink[language]}</a>
        </p>
      )}
      <CarrierCalls calls={data.items} />
    </>
  );
};
