import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { editStation } from '@waystation/contract/network/station.ts';
import { placeOf } from '#domain/address/address.ts';
import type { StationRow } from '#domain/network/network.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { failFields } from '#platform/fail.ts';

type StationInput = Omit<ParsedOf<typeof editStation>, 'id' | 'version'>;
type Places = Pick<StationInput, 'province' | 'city' | 'county'>;

const parts = ['province', 'city', 'county'] as const;

/**
 * Returns the resulting place, with the input over the stored place. Null if no part of it is in
 * the input, or if all parts are empty.
 */
const newPlace = (values: Places, before: StationRow | null): [string, string, string] | null => {
  if (parts.every((part) => values[part] === undefined)) return null;
  const [province, city, county] = parts.map((part) => values[part] ?? before?.[part] ?? '') as [
    string,
    string,
    string,
  ];
  return province + city + county === '' ? null : [province, city, county];
};

/**
 * Returns the official names of province, city and county. `fieldProblems` has already refused
 * invalid places.
 */
export const storedPlace = (values: Places, before: StationRow | null): Places => {
  const wanted = newPlace(values, before);
  const place = wanted && placeOf(...wanted);
  return place && 'code' in place
    ? { province: place.province, city: place.city, county: place.county }
    : {};
};

/**
 * Fails with an error for every invalid field: an unknown place, a disabled scheme, an unknown
 * carrier account, or a balance check that is switched off without a reason.
 */
export const fieldProblems = async (
  work: Work,
  values: StationInput,
  before: StationRow | null,
): Promise<void> => {
  const problems: Record<string, Reason> = {};
  const wanted = newPlace(values, before);
  const place = wanted && placeOf(...wanted);
  if (place && 'problem' in place) problems[place.field] = place.problem;
  if (values.project_id != null && values.project_id !== before?.project_id) {
    const project = await work.tx
      .selectFrom('projects')
      .select(['name', 'status'])
      .where('id', '=', values.project_id)
      .executeTakeFirst();
    if (project?.status !== 1)
      problems['project_id'] = project
        ? { code: 'project_disabled', params: { name: project.name } }
        : { code: 'not_found' };
  }
  if (values.customer_code && values.customer_code !== before?.customer_code) {
    const { customer_code } = values;
    const { rows } = await sql`select 1 from merchants where customer_code = ${customer_code}
      and status = 1 limit 1`.execute(work.tx);
    if (!rows[0])
      problems['customer_code'] = { code: 'merchant_unknown', params: { customer_code } };
  }
  if (values.has_amount === 0 && before?.has_amount !== 0 && !values.reason)
    problems['reason'] = { code: 'required' };
  if (Object.keys(problems).length > 0) failFields(problems);
};
