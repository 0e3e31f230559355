import { levels } from './ids.ts';
import { chapters } from './chapters.ts';
import type { Chapter, Evidence, Severity, Verdict } from './requirement.ts';

const states = ['held', 'not applicable', 'not held'] as const;
const severities: readonly Severity[] = ['high', 'medium', 'low'];

const verdictsOf = ({ verdicts }: Chapter): Verdict[] => Object.values(verdicts);
const isShownByTest = (verdict: Verdict): boolean =>
  verdict.state === 'held' && Object.values(verdict.evidence).some(({ length }) => length > 0);

const counts = (verdicts: readonly Verdict[]): number[] => [
  verdicts.length,
  ...states.map((state) => verdicts.filter((one) => one.state === state).length),
  verdicts.filter(isShownByTest).length,
];

const countLine = (chapter: Chapter): string => {
  const [all, kept, apart, missing, tested] = counts(verdictsOf(chapter));
  return `${chapter.id.padEnd(4)}${String(all).padStart(4)} requirements: ${kept} held (${tested} by a test), ${apart} not applicable, ${missing} not held · ${chapter.name}`;
};

/**
 * Returns the number of requirements for each verdict, by chapter and in total, as text for a
 * terminal.
 */
export const countLines = (): string[] => {
  const all: Chapter = {
    id: 'All',
    name: 'ASVS 5.0, levels 1 and 2',
    verdicts: Object.fromEntries(chapters.flatMap(({ verdicts }) => Object.entries(verdicts))),
  };
  return [...chapters, all].map(countLine);
};

const table = (titles: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [titles, titles.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/**
 * Returns a link to the file. A link in `verify/asvs.md` must be relative to the folder of that
 * page.
 */
const linkTo = (file: string): string => `[\`${file}\`](../${file})`;
const evidenceText = (evidence: Evidence): string =>
  Object.entries(evidence)
    .map(([file, titles]) => [linkTo(file), ...titles.map((title) => `“${title}”`)].join(' '))
    .join('; ');

const cellOf = (verdict: Verdict): string => {
  if (verdict.state === 'held')
    return [verdict.note, evidenceText(verdict.evidence)].filter((text) => text !== '').join(' ');
  return verdict.state === 'not held'
    ? `**${verdict.severity}** · ${verdict.reason}`
    : verdict.reason;
};

const sectionOf = (chapter: Chapter): string =>
  [
    `## ${chapter.id} ${chapter.name}`,
    table(
      ['requirement', 'level', 'in short', 'state', 'shown by, or why not'],
      Object.entries(chapter.verdicts).map(([id, verdict]) => [
        `v5.0.0-${id}`,
        levels.get(id) ?? 0,
        verdict.words,
        verdict.state,
        cellOf(verdict),
      ]),
    ),
  ].join('\n\n');

const openRows = (): string[][] =>
  severities.flatMap((severity) =>
    chapters.flatMap(({ verdicts }) =>
      Object.entries(verdicts).flatMap(([id, verdict]) =>
        verdict.state === 'not held' && verdict.severity === severity
          ? [[id, severity, verdict.words, verdict.reason]]
          : [],
      ),
    ),
  );

/** Returns the text of the page `verify/asvs.md`, including its table. */
export const pageText = (): string =>
  `${[
    '# OWASP ASVS 5.0, levels 1 and 2',
    'Made by `npm run generate` from `verify/src/asvs/`; `npm run verify -- asvs` prints the counts. Requirements of the [OWASP Application Security Verification Standard 5.0](https://github.com/OWASP/ASVS) are named in own words; their sentences are in the standard under these ids. The verdicts are the maintainers’ own, not those of an auditor. A file with a test’s title shows a requirement by that test; one without is code or a page.',
    '## Counts',
    table(
      ['chapter', 'all', 'held', 'not applicable', 'not held', 'held by a test'],
      [
        ...chapters.map((chapter) => [
          `${chapter.id} ${chapter.name}`,
          ...counts(verdictsOf(chapter)),
        ]),
        ['All', ...counts(chapters.flatMap(verdictsOf))],
      ],
    ),
    '## Not held',
    table(['requirement', 'severity', 'in short', 'what is missing'], openRows()),
    ...chapters.map(sectionOf),
  ].join('\n\n')}\n`;
