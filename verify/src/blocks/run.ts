/**
 * `npm run verify -- blocks --seed n --blocks 1000`: makes pasted blocks of people who are written
 * in different ways. The server reads the blocks, and the result is compared with the correct one.
 * Fails if a person is read wrongly without a warning, or if more than 2 % are read wrongly with a
 * warning.
 */
import { parseArgs } from 'node:util';
import { comparedBlocks } from './compare.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, blocks: { type: 'string', default: '1000' } },
});
const { blocks, people, right, doubted, wrongDoubted, wrongSilent } = comparedBlocks(
  values.seed,
  Number(values.blocks),
);
const share = (count: number): string => `${count} (${((100 * count) / people).toFixed(2)} %)`;
for (const { block, want, found, text } of [...wrongSilent, ...wrongDoubted].slice(0, 10))
  console.log(
    `block ${block}\n${text}\n  right: ${JSON.stringify(want)}\n  read:  ${JSON.stringify(found)}\n`,
  );
console.log(
  `seed ${values.seed}: ${blocks} blocks, ${people} people, ${share(right)} right, of these ${share(doubted)} in doubt`,
);
console.log(
  `wrong without a doubt ${share(wrongSilent.length)}, wrong with one ${share(wrongDoubted.length)}`,
);
process.exit(wrongSilent.length > 0 || wrongDoubted.length > people / 50 ? 1 : 0);
