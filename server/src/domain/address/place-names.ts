/** A search tree of the present and former names of all places, character by character. */
import type { Division } from '@waystation/contract/parcels/division.ts';
import { aliasIndex } from '@waystation/contract/parcels/division-match.ts';
import type { AliasKind } from '@waystation/contract/parcels/division-names.ts';
import type { FormerDivision } from '@waystation/contract/parcels/former-divisions.ts';
import { present } from '@waystation/contract/base/present.ts';
import { divisions, formerDivisions } from './divisions.ts';

export interface Hit {
  division: Division;
  kind: AliasKind;
  text: string;
}

/** Economic zones that people write instead of their city, with the code of that city: 陕西省西咸新区. */
const newAreas: Readonly<Record<string, string>> = {
  西咸新区: '610100',
  雄安新区: '130600',
  郑东新区: '410100',
  天府新区: '510100',
  湘江新区: '430100',
  江北新区: '320100',
  滇中新区: '530100',
  福州新区: '350100',
  长春新区: '220100',
  哈尔滨新区: '230100',
  舟山群岛新区: '330900',
  横琴新区: '440400',
  横琴粤澳深度合作区: '440400',
};

/**
 * A node of the tree of all names; each step from node to node is one character. A search therefore
 * reads no more characters than the longest match has.
 */
interface Node {
  next: Map<string, Node>;
  hits: readonly Hit[];
  former: readonly FormerDivision[];
  /** The city of an economic zone or similar area that is not an official division. */
  area?: Division;
}
const newNode = (): Node => ({ next: new Map(), hits: [], former: [] });
const root = newNode();

const planted = (text: string): Node => {
  let node = root;
  for (const character of text) {
    const next = node.next.get(character) ?? newNode();
    node.next.set(character, next);
    node = next;
  }
  return node;
};
for (const [text, hits] of aliasIndex(divisions)) planted(text).hits = hits;
for (const [text, former] of formerDivisions.byText) planted(text).former = former;
for (const [text, code] of Object.entries(newAreas))
  planted(text).area = present(divisions.byCode.get(code));

type Names = Omit<Node, 'next'> & { end: number };

/** The names that begin at the position `at`, with the positions of their ends, longest first. */
export const namesAt = (text: string, at: number): Names[] => {
  const found: Names[] = [];
  let node = root.next.get(text[at]!);
  for (let end = at + 1; node; end += 1) {
    if (node.hits.length + node.former.length || node.area) found.unshift({ ...node, end });
    node = node.next.get(text[end]!);
  }
  return found;
};

/** True if any division name begins with this character. */
export const beginsName = (character: string): boolean => root.next.has(character);
