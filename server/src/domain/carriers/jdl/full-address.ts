/** Names that stand for "no city of its own" in the official divisions, and are no part of an address. */
const artefacts = new Set(['市辖区', '县', '省直辖县级行政区划', '自治区直辖县级行政区划']);

/**
 * Province + city + county + address as one text, saying nothing twice: a municipality stands once, and what the address itself
 * repeats of the divisions before it is taken off ("北京市", "市辖区", "朝阳区", "北京市朝阳区示例路1号" → "北京市朝阳区示例路1号").
 * Only whole names are taken off, so 朝阳路 in 朝阳区 stays.
 */
export const fullAddress = (province: string, city: string, county: string, address: string): string => {
  const divisions: string[] = [];
  for (const name of [province, city, county].map((part) => part.trim()))
    if (name !== '' && !artefacts.has(name) && !divisions.includes(name)) divisions.push(name);
  let rest = address.trim();
  // A municipality is written twice by some: 北京市北京市朝阳区.
  for (const name of divisions) while (rest.startsWith(name)) rest = rest.slice(name.length).trimStart();
  return divisions.join('') + rest;
};
