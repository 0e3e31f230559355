import { build, isBuilt } from './build.mjs';
import { install, isInstalled, linkWorkspaces } from './install.mjs';
import { findNode } from './node.mjs';
import { whilePreparing } from './prepare-lock.mjs';

/**
 * Prepares the repository to run: the packages of the lock file (with `tests` also those that only
 * checks and tests need), Node 26, and with `web` the built web. Does only what is missing. Returns
 * the path of Node 26.
 */
export const makeReady = async (root, { web, tests = true }) => {
  linkWorkspaces(root);
  const installed = () => isInstalled(root, { tests });
  const built = () => !web || isBuilt(root);
  if (!installed() || !built())
    await whilePreparing(root, async (also) => {
      // Checked again, because another start may have installed or built while this one waited.
      if (!installed()) await install(root, { tests }, also);
      if (!built()) await build(root, findNode(root), also);
    });
  return findNode(root);
};
