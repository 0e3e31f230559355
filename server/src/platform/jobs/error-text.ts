/** The number of characters of the longest error text that people see. */
const longest = 300;

const secretName = String.raw`[\w-]*(?:authorization|passw(?:or)?d|secret|token|sign(?:ature)?|key)`;

/**
 * Returns the error of a background job in the form that users see: its first lines, without
 * secrets. Passwords in addresses, authentication headers, keys and tokens are removed. Numbers as
 * long as a phone number are removed too, even if spaces or dashes divide them.
 */
export const shownError = (error: string): string =>
  error
    .slice(0, 8 * longest)
    .normalize('NFKC')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/(\/\/[^\s:/@]*:)\S+@/g, '$1***@')
    .replaceAll(/\b(Basic|Bearer|Digest)\s+[^\s"',;]+/gi, '$1 ***')
    .replaceAll(
      new RegExp(String.raw`(${secretName}["']?\s*[:=]\s*)(["'])[^"']*\2`, 'gi'),
      '$1$2***$2',
    )
    .replaceAll(
      new RegExp(
        String.raw`(${secretName}["']?\s*[:=]\s*)(?!["']|(?:Basic|Bearer|Digest) )[^\s"',;&}]+`,
        'gi',
      ),
      '$1***',
    )
    .replaceAll(/[A-Za-z\d+/_-]{24,}={0,2}/g, (word) => (/\d/.test(word) ? '***' : word))
    .replaceAll(/\+?\d(?:[^\d\s:]?\d){6,}|\+?\d(?:[ -]{0,3}\d){6,}/g, (digits) =>
      /^\d{1,3}(?:\.\d{1,3}){3}$/.test(digits) ? digits : '***',
    )
    .slice(0, longest);
