import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

/**
 * Gives Base UI the nonce of this response for the style elements that it makes. It surrounds each
 * overlay, so that shell and pages open without it.
 */
export const ComponentLibrary = ({ children }: { children: ReactNode }) => (
  <CSPProvider {...(nonce && { nonce })}>{children}</CSPProvider>
);
