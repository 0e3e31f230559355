/** Placeholders for "no city of its own" in the official divisions, which are no part of an address. */
const artefacts = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划']);

/**
 * Province + city + county + address as one text without repeats: a municipality appears once, and divisions that the address repeats
 * are removed ("北京市", "市辖区", "朝阳区", "北京市朝阳区示例路1号" → "北京市朝阳区示例路1号").
 * Only whole names are removed, so 朝阳路 in 朝阳区 stays.
 */
export const fullAddress = (province: string, city: string, county: string, address: string): string => {
  const divisions: string[] = [];
  for (const name of [province, city, county].map((part) => part.trim()))
    if (name !== '' && !artefacts.has(name) && !divisions.includes(name)) divisions.push(name);
  let rest = address.trim();
  // Some users write a municipality twice: 北京市北京市朝阳区.
  for (const name of divisions) while (rest.startsWith(name)) rest = rest.slice(name.length).trimStart();
  return divisions.join('') + rest;
};
