import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import type { List } from '#resource/list/use-list.ts';
import { listedRow } from '#resource/record/listed-row.ts';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { Facts } from '#ui/facts.tsx';
import { CodeText } from '#ui/values/code-text.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import type { Printing } from '#printing/printing.tsx';
import { printableOf } from './printable.ts';
import { usePrintWords } from './words.ts';

const Detail = ({ row }: { row: PrintRecord }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = usePrintWords();
  return (
    <Facts
      facts={[
        { key: 'waybill', label: t('prints.waybill'), value: <Waybill number={row.delivery_id} /> },
        { key: 'recipient', label: t('prints.recipient'), value: row.recipient },
        {
          key: 'at',
          label: t('prints.at'),
          value: <time dateTime={row.created_at}>{format.moment(row.created_at)}</time>,
        },
        { key: 'station', label: t('common.station'), value: row.station_name },
        { key: 'user', label: t('prints.user'), value: words.printedBy(row) },
        {
          key: 'count',
          label: t('prints.count'),
          value: t('prints.nth', { count: row.print_count }),
        },
        { key: 'reason', label: t('prints.reason'), value: row.reason },
        { key: 'format', label: t('prints.format'), value: words.paper(row) },
        { key: 'driver', label: t('prints.driver'), value: words.driver(row) },
        { key: 'printer', label: t('prints.printer'), value: row.printer },
        { key: 'result', label: t('prints.result'), value: words.result(row) },
        { key: 'note', label: t('prints.note'), value: row.note },
        { key: 'verified', label: t('prints.verified'), value: words.verified(row) },
        { key: 'duration', label: t('prints.duration'), value: words.duration(row) },
        {
          key: 'batch',
          label: t('prints.batch'),
          value: row.batch_id === null ? '' : <CodeText code={String(row.batch_id)} />,
        },
      ]}
    />
  );
};

/**
 * The drawer of one label print: its fields, its parcel, its batch, and a button to print the label
 * again.
 */
export const PrintDrawer = ({
  list,
  printing,
}: {
  list: List<PrintRecord>;
  printing: Printing;
}) => {
  const { t } = useTexts();
  const words = usePrintWords();
  const { row, reading } = listedRow(list);
  const blocked = row ? words.blocked(row) : null;
  return (
    <RecordDrawer
      list={list}
      title={row ? words.name(row) : t('menu.prints')}
      reading={reading}
      tabs={[
        {
          key: 'overview',
          label: t('lists.overview'),
          content: row ? (
            <Detail row={row} />
          ) : (
            <Empty title={t('lists.none_match')} hint={t('lists.none_match_hint')} />
          ),
        },
      ]}
      actions={
        row && (
          <>
            <Button
              type="primary"
              disabled={blocked !== null}
              title={blocked ?? undefined}
              onClick={() => printing.print([printableOf(row)])}
            >
              {t('prints.reprint')}
            </Button>
            <Button
              disabled={blocked !== null}
              title={blocked ?? undefined}
              onClick={() => printing.preview([printableOf(row)])}
            >
              {t('prints.preview')}
            </Button>
            <Button href={screenHref('ExpressTable', { id: row.express_id })}>
              {t('prints.open_parcel')}
            </Button>
            {row.batch_id !== null && (
              <Button
                onClick={() => list.change({ batch_id: row.batch_id ?? undefined, id: undefined })}
              >
                {t('prints.same_batch')}
              </Button>
            )}
          </>
        )
      }
    />
  );
};
