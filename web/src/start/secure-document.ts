/**
 * This file must be imported first. It makes the page work under a strict content security policy.
 * Style elements of the component library get the nonce of the response. Only strings without
 * markup may become HTML (Trusted Types).
 */
interface PolicyFactory {
  createPolicy(name: string, rules: Record<string, (text: string) => string | null>): unknown;
}

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

if (nonce) {
  const create = document.createElement.bind(document);
  document.createElement = ((name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  }) as typeof document.createElement;
}

const { trustedTypes } = window as { trustedTypes?: PolicyFactory };
trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text.includes('<') ? null : text),
  createScript: () => null,
  createScriptURL: () => null,
});

export {};
