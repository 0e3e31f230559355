import { Component } from 'react';
import type { ReactNode } from 'react';

interface Props {
  children: ReactNode;
  renderError: (error: unknown) => ReactNode;
}

/**
 * Isolates errors of a page from the others. A class, because React has error boundaries in no
 * other form.
 */
export class PageBoundary extends Component<Props, { error: unknown; failed: boolean }> {
  override state = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true };
  }

  override render() {
    return this.state.failed ? this.props.renderError(this.state.error) : this.props.children;
  }
}
