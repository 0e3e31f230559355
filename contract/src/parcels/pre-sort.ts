/** The name of a carrier's station without the asterisk that labels print before it. */
export const stationName = (name: string): string => name.trim().replace(/^\*/, '');

/**
 * The carrier's sorting result (`pre_sort_result`) as one line: the carrier's first and last
 * station, and the road area. Empty if there is no result.
 */
export const preSortText = (result: unknown): string => {
  if (typeof result !== 'object' || result === null) return '';
  const words = result as Readonly<Record<string, unknown>>;
  const text = (name: string): string =>
    typeof words[name] === 'string' ? stationName(words[name]) : '';
  const stations = [
    text('start_station_name') || text('start_station_no'),
    text('end_station_name') || text('end_station_no'),
  ]
    .filter(Boolean)
    .join(' → ');
  return [stations, text('end_road_area')].filter(Boolean).join(' · ');
};

/**
 * The carrier's answer about two addresses before an order: it serves them, never serves them, or
 * does not serve them for a while. `refused`: it refused for another or an unknown reason.
 * `unknown`: it was not asked, or gave no answer.
 */
export const coverageResults = [
  'reachable',
  'out_of_area',
  'suspended',
  'refused',
  'unknown',
] as const;
export type CoverageResult = (typeof coverageResults)[number];
