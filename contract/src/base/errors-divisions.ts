/**
 * Errors for a province, city or county that does not match. They are included in `errors` in
 * errors.ts.
 */
export const divisionErrors = {
  division_province_required: {
    status: 422,
    zh: '请填写省、市、区县',
    en: 'Enter province, city and county',
  },
  division_province_unknown: {
    status: 422,
    zh: '无名为“{name}”的省份',
    en: 'There is no province “{name}”',
  },
  division_city_required: {
    status: 422,
    zh: '请填写{place}的城市',
    en: 'Enter the city in {place}',
  },
  division_city_unknown: {
    status: 422,
    zh: '无名为“{name}”的城市',
    en: 'There is no city “{name}”',
  },
  division_city_elsewhere: {
    status: 422,
    zh: '“{name}”不在{place}，而在 {candidates}',
    en: '“{name}” is not in {place} but in {candidates}',
  },
  division_city_ambiguous: {
    status: 422,
    zh: '“{name}”可能在 {candidates}，请选择',
    en: '“{name}” may be in {candidates}; choose one',
  },
  division_county_required: {
    status: 422,
    zh: '请填写{place}的区县',
    en: 'Enter the county in {place}',
  },
  division_county_unknown: {
    status: 422,
    zh: '无名为“{name}”的区县',
    en: 'There is no county “{name}”',
  },
  division_county_elsewhere: {
    status: 422,
    zh: '“{name}”不在{place}，而在 {candidates}',
    en: '“{name}” is not in {place} but in {candidates}',
  },
  division_county_ambiguous: {
    status: 422,
    zh: '“{name}”可能在 {candidates}，请选择',
    en: '“{name}” may be in {candidates}; choose one',
  },
  division_city_former: {
    status: 422,
    zh: '“{name}”是旧名，现为 {candidates}，请选择',
    en: '“{name}” is a former name, today {candidates}; choose one',
  },
  division_county_former: {
    status: 422,
    zh: '“{name}”是旧名，现为 {candidates}，请选择',
    en: '“{name}” is a former name, today {candidates}; choose one',
  },
} as const satisfies Record<string, { status: number; zh: string; en: string }>;
