import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { present } from '@waystation/contract/base/present.ts';

/**
 * A file of server/sql: functions, triggers, policies and grants of one subject, written so
 * that applying it again changes nothing.
 */
export interface SqlFile {
  name: string;
  text: string;
}

/**
 * All files of server/sql, in the order in which they are applied. A program whose edition is lower
 * than the database's leaves the database's SQL unchanged.
 */
export interface SqlSet {
  edition: number;
  files: SqlFile[];
}

/** The content of server/sql/edition.json, which `npm run generate` writes. */
export interface Edition {
  edition: number;
  /** The hash of all files, in the order of `files`. */
  hash: string;
  files: string[];
  /** The signature of each function, with its parameters and result, by the function's name. */
  functions: Record<string, string>;
}

const readEdition = (folder: string): Edition =>
  JSON.parse(readFileSync(join(folder, 'edition.json'), 'utf8')) as Edition;

export const readSqlSet = (folder: string): SqlSet => {
  const { edition, files } = readEdition(folder);
  return {
    edition,
    files: files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })),
  };
};

/**
 * Returns the functions that a SQL text defines: the signature, with parameters and result, by the
 * function's name.
 */
export const signaturesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [
      ...text.matchAll(
        /^create or replace function (\w+)(\([\s\S]*?\)\s+returns\s+[\s\S]*?)\s+language\s/gm,
      ),
    ].map(([, name, signature]) => [name!, present(signature).replaceAll(/\s+/g, ' ')]),
  );

/**
 * The tables whose policies, triggers or settings a text changes, and which it therefore locks
 * against readers and writers.
 */
export const tablesOf = (text: string): string[] => {
  const statements =
    /^(?:alter table (\w+)|(?:drop|create) policy (?:if exists )?\w+ on (\w+)|drop trigger (?:if exists )?\w+ on (\w+)|create (?:or replace |constraint )?trigger \w+ (?:before|after) [^;]*? on (\w+))/gm;
  return [
    ...new Set([...text.matchAll(statements)].map((found) => found.slice(1).find(Boolean)!)),
  ].toSorted();
};

export const changedSignature = (name: string): string =>
  `the function ${name} has another signature than before: give the changed function a new name, and drop the old one a release later (docs/add-a-resource.md, "The SQL")`;

/**
 * Returns the required content of `edition.json` for the files in `folder`. If a file has changed,
 * it is the next edition. Throws a sentence if a file breaks a rule of server/sql.
 */
export const editionOf = (folder: string): Edition => {
  const before = readEdition(folder);
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const files = [
    ...before.files.filter((name) => names.includes(name)),
    ...names.filter((name) => !before.files.includes(name)).toSorted(),
  ];
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const functions = signaturesOf(text);
  for (const [name, signature] of Object.entries(functions))
    if (before.functions[name] !== undefined && before.functions[name] !== signature)
      throw new Error(changedSignature(name));
  for (const [, name] of text.matchAll(/^drop function (?:if exists )?(\w+)/gm))
    if (functions[name!] !== undefined) throw new Error(changedSignature(name!));
  for (const name of Object.keys(before.functions))
    if (
      functions[name] === undefined &&
      !new RegExp(`^drop function if exists ${name}\\(`, 'm').test(text)
    )
      throw new Error(
        `the function ${name} is gone from server/sql: databases keep it unless a file says "drop function if exists ${name}(…);"`,
      );
  const hash = createHash('sha256').update(files.join('\n')).update(text).digest('hex');
  return hash === before.hash ? before : { edition: before.edition + 1, hash, files, functions };
};

export const editionText = (edition: Edition): string => `${JSON.stringify(edition, null, 2)}\n`;
