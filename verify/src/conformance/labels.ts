import { waybillOf } from '@waystation/contract/parcels/waybill-number.ts';
import { codesOn, openPdf, picture, renderLabels } from '@waystation/server/testing/carrier-kit.ts';
import type { Accepted, CarrierOrder } from '@waystation/server/testing/carrier-kit.ts';
import type { Kit } from './kit.ts';
import type { CarrierPromise, Judge } from './promise.ts';

const drawn = (kit: Kit, order: CarrierOrder, answer: Accepted) =>
  renderLabels(
    [
      {
        ...order,
        delivery_id: answer.delivery_id,
        ...(answer.package_ids && { package_ids: answer.package_ids }),
        provider: kit.subject.name,
        promise_name: order.promise_id,
        trans_type: null,
        print_data: answer.print_data,
        pre_sort_result: answer.pre_sort_result,
        print_count: 1,
        printed_at: new Date().toISOString(),
        simulated: 1,
        station_name: '示例站',
      },
    ],
    '76x130',
  );

const readBack = async (
  kit: Kit,
  { order, answer }: { order: CarrierOrder; answer: Accepted },
  judge: Judge,
): Promise<string[]> => {
  const sheet = await drawn(kit, order, answer);
  const { file } = sheet;
  judge(file !== null, `no label: ${JSON.stringify(sheet)}`);
  if (file === null) return [];
  const document = await openPdf(file);
  const pieces = order.package_count;
  judge(document.numPages === pieces, `${document.numPages} pages for ${pieces} packages`);
  const own = [answer.delivery_id, ...(answer.package_ids ?? [])];
  const packages: string[] = [];
  for (let page = 1; page <= document.numPages; page += 1) {
    const codes = await codesOn(await picture(document, page, 3));
    const bars = codes.filter(({ format }) => format === 'Code128').map(({ text }) => text);
    judge(bars.length > 0, `page ${page} has no readable code`);
    for (const code of bars) {
      const waybill = waybillOf(code) ?? code;
      judge(
        own.includes(waybill),
        `page ${page}: the code ${code} means ${waybill}, not ${own[0]}`,
      );
    }
    packages.push(bars[0] ?? '');
  }
  judge(
    new Set(packages).size === document.numPages,
    `packages share a number: ${packages.join(', ')}`,
  );
  return packages;
};

const label: CarrierPromise = {
  name: 'the codes on a label read back to its waybill, package numbers too',
  run: async (kit, judge) => {
    const seen: string[] = [];
    for (const [package_count, weight] of [
      [1, 1_300],
      [2, 6_500],
    ] as const) {
      const one = await kit.accepted({ package_count, weight });
      if (one.answer.print_data === null)
        return kit.carrier.labelTemplate('76x130') === null
          ? { not_declared: 'no data for a drawing' }
          : { not_declared: 'the print component of the carrier draws it' };
      const ids = [one.answer.delivery_id, ...(one.answer.package_ids ?? [])];
      judge(new Set(ids).size === ids.length, `packages share a waybill: ${ids.join(', ')}`);
      seen.push(...(await readBack(kit, one, judge)));
    }
    return { seen: seen.join(', ') };
  },
};

export const labels = [label];
