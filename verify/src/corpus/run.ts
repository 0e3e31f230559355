/**
 * `npm run corpus -- [maker…]`: creates the corpus files and their manifest again. With LibreOffice
 * it checks that no cell of the product's exports is a formula. It needs LibreOffice, Gnumeric and
 * Python with openpyxl, XlsxWriter and xlwt (Debian: libreoffice-calc gnumeric python3-openpyxl
 * python3-xlsxwriter python3-xlwt). It also needs npm for the JavaScript libraries that write
 * files.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { formulasOfExports } from './inert.ts';
import { corpusFolder, makers, manifestFile, outcomeOf, readManifest } from './manifest.ts';
import type { Entry } from './manifest.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !makers.some((maker) => maker.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no maker ${unknown.join(', ')}. Makers: ${makers.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
await mkdir(corpusFolder, { recursive: true });
const before = await readManifest().catch(() => []);
const entries: Entry[] = [];
for (const { name, cases, program, make } of makers) {
  const isMade = wanted.length === 0 || wanted.includes(name);
  const made = isMade ? await program() : undefined;
  for (const { file, upload, what, expected, by } of cases) {
    const known = before.find((entry) => entry.file === file);
    if (!isMade && !known) continue;
    if (isMade) await writeFile(new URL(file, corpusFolder), await make(file));
    // The library that made the file, if the program can use several libraries.
    const made_by =
      made === undefined
        ? known!.made_by
        : by === undefined
          ? made
          : (made.split(', ').find((one) => one.startsWith(`${by} `)) ?? made);
    entries.push({
      file,
      ...(upload !== undefined && { upload }),
      what,
      made_by,
      ...outcomeOf(expected),
    });
  }
  if (isMade) console.log(`${name}: ${cases.length} files, ${made}`);
}
await writeFile(
  manifestFile,
  `[\n${entries.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]\n`,
);
console.log(`${entries.length} files in the manifest`);
if (wanted.length === 0 || wanted.includes('waystation')) {
  const formulas = await formulasOfExports();
  for (const formula of formulas) console.error(formula);
  if (formulas.length > 0) process.exit(1);
}
