/** Texts by key. A group of texts may contain further groups. */
export interface TextTree {
  readonly [key: string]: string | TextTree;
}

export type TextParams = Readonly<Record<string, string | number>>;

const hole = /\{(\w+)\}/g;

const textAt = (texts: TextTree, key: string): string | undefined => {
  let found: string | TextTree | undefined = texts;
  for (const name of key.split('.')) found = typeof found === 'object' ? found[name] : undefined;
  return typeof found === 'string' ? found : undefined;
};

/** The text for a count of one, and the text for any other count. */
interface Forms {
  one: string;
  other: string;
}

/** If a key has no text, the key itself is shown, so that people notice the missing text. */
const formsOf = (texts: TextTree, key: string): Forms => {
  const other = textAt(texts, `${key}_other`) ?? textAt(texts, key) ?? key;
  return { one: textAt(texts, `${key}_one`) ?? other, other };
};

/**
 * Makes the function that returns the text of a key in one language, with each `{name}` replaced.
 * The parameter `count` chooses between `key_one` and `key_other`, and may be formatted as "1,204".
 * Each key is looked up only once, because a list uses a few keys hundreds of times.
 */
export const translator = (
  texts: TextTree,
  locale: string,
): ((key: string, params?: TextParams) => string) => {
  const known = new Map<string, Forms>();
  let plurals: Intl.PluralRules | undefined;
  const isOne = (count: string | number | undefined): boolean =>
    count !== undefined &&
    (plurals ??= new Intl.PluralRules(locale)).select(Number(String(count).replaceAll(',', ''))) ===
      'one';
  return (key, params) => {
    const forms = known.get(key) ?? formsOf(texts, key);
    known.set(key, forms);
    if (params === undefined) return forms.other;
    const words = forms.one !== forms.other && isOne(params['count']) ? forms.one : forms.other;
    return words.replace(hole, (_, name: string) => String(params[name] ?? ''));
  };
};
