import { providers } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';

export interface ProductNames {
  provider: Provider;
  promise_id: string;
  promise_name: string;
  promise_name_en: string;
}
type Language = 'zh' | 'en';

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\s·]+/g, '')
    .toLowerCase();

const nameIn = ({ promise_name, promise_name_en }: ProductNames, language: Language): string =>
  language === 'en' && promise_name_en !== '' ? promise_name_en : promise_name;

/** The name of a product with the name of its carrier in front. */
const fullName = (product: ProductNames, language: Language): string =>
  `${providers[product.provider][language]} ${nameIn(product, language)}`;

/**
 * The products to which a text may refer, by code or name, with or without the carrier's name.
 * There are several if the text does not distinguish them. A text that is only a code identifies
 * one product, because a scheme contains each code once.
 */
export const productsCalled = <P extends ProductNames>(
  text: string,
  products: readonly P[],
): P[] => {
  const typed = plain(text);
  const coded = products.filter(({ promise_id }) => plain(promise_id) === typed);
  const named = products.filter((product) =>
    [
      product.promise_name,
      product.promise_name_en,
      fullName(product, 'zh'),
      fullName(product, 'en'),
    ].some((name) => plain(name) === typed),
  );
  return coded.length === 1 && named.every((product) => product === coded[0])
    ? coded
    : [...new Set([...coded, ...named])];
};

/**
 * A name that identifies only this product in a sheet: its plain name if unique, else the name with
 * the carrier, else the product code.
 */
export const distinctName = (
  product: ProductNames,
  products: readonly ProductNames[],
  language: Language,
): string => {
  const names = [nameIn(product, language), fullName(product, language)];
  return names.find((name) => productsCalled(name, products).length === 1) ?? product.promise_id;
};
