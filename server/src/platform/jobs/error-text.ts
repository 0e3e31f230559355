/** The longest error text that is shown. */
const longest = 300;

/**
 * The error of a job as people may see it: its first lines without addresses' passwords, keys,
 * tokens and numbers as long as a phone's.
 */
export const shownError = (error: string): string =>
  error
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 4 * longest)
    .replaceAll(/(\/\/[^\s:/@]*:)[^\s@/]+@/g, '$1***@')
    .replaceAll(
      /([\w-]*(?:authorization|passw(?:or)?d|secret|token|sign(?:ature)?|[_-]key))(["']?\s*[:=]\s*["']?)(?:Bearer\s+)?[^\s"',;&}]+/gi,
      '$1$2***',
    )
    .replaceAll(/[A-Za-z\d+/_-]{24,}={0,2}/g, (word) => (/\d/.test(word) ? '***' : word))
    .replaceAll(/\+?\d(?:[ -]?\d){6,}/g, '***')
    .slice(0, longest);
