/** The part of address-parse 1.2.19 that this benchmark uses; the package contains no types. */
declare module 'address-parse' {
  interface ParsedAddress {
    name: string;
    mobile: string;
    phone: string;
    province: string;
    city: string;
    area: string;
    details: string;
  }
  /**
   * The module is CommonJS converted from an ES module, so that its default export is inside
   * another default export.
   */
  const module: { default: { parse(text: string): ParsedAddress[] } };
  export default module;
}
