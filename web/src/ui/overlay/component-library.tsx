import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

/**
 * Gives Base UI the CSP nonce of this response for the style elements that it creates. Each overlay
 * is inside this component, so that the shell and the pages do not load Base UI.
 */
export const ComponentLibrary = ({ children }: { children: ReactNode }) => (
  <CSPProvider {...(nonce && { nonce })}>{children}</CSPProvider>
);
