import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { progress, UserError } from './say.mjs';
import { runTask } from './tasks.mjs';

/**
 * Debian's package of the headless browser. It has the engine of the full browser, but needs only a
 * little over half of its processor time.
 */
const headless = { package: 'chromium-headless-shell', place: '/usr/bin/chromium-headless-shell' };

const places = [
  headless.place,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const byHand =
  'install Chromium (on Debian: apt-get install chromium-headless-shell fonts-noto-cjk), or name one that is there with CHROMIUM=/path/to/chromium';

const isDebian = () => {
  try {
    return (
      /^ID(_LIKE)?=.*\bdebian\b/m.test(readFileSync('/etc/os-release', 'utf8')) &&
      existsSync('/usr/bin/apt-get')
    );
  } catch {
    return false;
  }
};

/**
 * True if pictures can show Chinese: if the font file of Debian's package exists, or if fontconfig
 * lists a Chinese font.
 */
const hasChineseFont = () =>
  existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc') ||
  Boolean(spawnSync('fc-list', [':lang=zh-cn', 'file'], { encoding: 'utf8' }).stdout?.trim());

const aptGet = async (words) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return runTask(
    'apt-get',
    ['-q', '-y', '-o', 'Dpkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=120', ...words],
    { cwd: '/', env },
  );
};

const installPackages = async (packages) => {
  const shown = progress(`Installing ${packages.join(' and ')} for the browser tests`);
  let result = await aptGet(['install', '--no-install-recommends', ...packages]);
  // A new machine has no package lists, and an old machine has lists of package versions that were
  // removed.
  if (result.code !== 0 && (await aptGet(['update'])).code === 0)
    result = await aptGet(['install', '--no-install-recommends', ...packages]);
  if (result.code === 0) return shown.done(`Installed ${packages.join(' and ')}`);
  shown.end();
  const last =
    result.output
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('E:'))
      .at(-1) ?? `exit code ${result.code}`;
  throw new UserError(
    `apt-get could not install ${packages.join(' and ')} for the browser tests (${last}): ${byHand}.`,
  );
};

/**
 * The browser installed on this machine, if there is one. With WAYSTATION_VISIBLE=1 the headless
 * browser is ignored, because it cannot show a window.
 */
const found = () =>
  places.find(
    (place) =>
      existsSync(place) && (place !== headless.place || process.env.WAYSTATION_VISIBLE !== '1'),
  );

/**
 * Installs the headless browser, or the complete browser if Debian has no package of the headless
 * one yet.
 */
const installBrowser = (fonts) =>
  installPackages([headless.package, ...fonts]).catch(() =>
    installPackages(['chromium', ...fonts]),
  );

/**
 * The browser for the tests: CHROMIUM, or else the browser of the machine. If there is none and the
 * user is root, Debian's package is installed together with a Chinese font for the pictures.
 * Otherwise a UserError is thrown.
 */
export const findChromium = async () => {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new UserError(`CHROMIUM names ${named}, which does not exist: ${byHand}.`);
  }
  const mayInstall = process.getuid?.() === 0 && isDebian();
  const fonts = hasChineseFont() ? [] : ['fonts-noto-cjk'];
  if (mayInstall && !found()) await installBrowser(fonts);
  else if (mayInstall && fonts.length > 0) await installPackages(fonts);
  const chromium = found();
  if (!chromium)
    throw new UserError(`The browser tests need Chromium, and there is none here: ${byHand}.`);
  return chromium;
};
