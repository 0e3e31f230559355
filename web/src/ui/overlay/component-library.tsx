import { CSPProvider } from '@base-ui/react/csp-provider';
import type { ReactNode } from 'react';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;

/** What Base UI needs above its components: the nonce of this answer, for the style elements it makes. Around every overlay, so that shell and pages open without it. */
export const ComponentLibrary = ({ children }: { children: ReactNode }) => <CSPProvider {...(nonce && { nonce })}>{children}</CSPProvider>;
