/** Orders Chinese characters by their reading. */
const byReading = new Intl.Collator('zh-u-co-pinyin');

/**
 * The letters that begin a reading, and the first character of each in that order. No reading
 * begins with i, u or v.
 */
const letters = 'abcdefghjklmnopqrstwxyz';
const firsts = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨他屲夕丫帀'];

const initialOf = (character: string): string => {
  if (/[a-z\d]/i.test(character)) return character.toLowerCase();
  if (!/\p{Script=Han}/u.test(character)) return '';
  const at = firsts.findLastIndex((first) => byReading.compare(character, first) >= 0);
  return letters[at] ?? '';
};

/**
 * The first letter of each character’s usual reading, `sjpj` of 手机配件; letters and digits stay,
 * other characters are left out.
 */
export const pinyinInitials = (text: string): string => [...text].map(initialOf).join('');
