import { doubtfulBelow } from '@waystation/contract/parcels/address.ts';
import { pastedPeople } from '@waystation/server/testing/pasted-people.ts';
import { chanceOf } from '#chance.ts';
import type { Block, Person } from './block.ts';
import { blockOf } from './block.ts';

export interface WrongPerson {
  block: number;
  want: Person;
  /** The person that was read; null if no person with this phone number was read. */
  found: Person | null;
  text: string;
}

export interface Figures {
  blocks: number;
  people: number;
  right: number;
  /** The number of people who were read correctly but have a warning for the user. */
  doubted: number;
  wrongDoubted: WrongPerson[];
  wrongSilent: WrongPerson[];
}

const parts = ['name', 'province', 'city', 'county', 'address'] as const;
const plain = (text: string): string => text.replace(/\s+/g, '');

/**
 * Adds the result of one block to the figures. A read person is compared with the person who has
 * the same phone number, because each number is unique in a block.
 */
const addBlock = (figures: Figures, { text, people }: Block, block: number): void => {
  const read = pastedPeople(text);
  // If more people were read than the block contains, the additional person was made from another
  // person's text.
  const isMore = read.length > people.length;
  for (const want of people) {
    const found = read.find(({ phone }) => phone === want.phone);
    const isRight =
      found !== undefined &&
      !isMore &&
      parts.every((part) => plain(found[part]) === plain(want[part]));
    const isDoubted =
      found === undefined || Object.values(found.confidence).some((value) => value < doubtfulBelow);
    figures.people += 1;
    if (isRight) {
      figures.right += 1;
      if (isDoubted) figures.doubted += 1;
    } else
      (isDoubted && found !== undefined ? figures.wrongDoubted : figures.wrongSilent).push({
        block,
        want,
        found: found
          ? ({
              ...Object.fromEntries(parts.map((part) => [part, found[part]])),
              phone: found.phone,
            } as Person)
          : null,
        text,
      });
  }
};

/** Reads the given number of random blocks. The blocks depend only on the seed. */
export const comparedBlocks = (seed: string, blocks: number): Figures => {
  const figures: Figures = {
    blocks,
    people: 0,
    right: 0,
    doubted: 0,
    wrongDoubted: [],
    wrongSilent: [],
  };
  for (let block = 0; block < blocks; block += 1)
    addBlock(figures, blockOf(chanceOf(`${seed}/${block}`)), block);
  return figures;
};
