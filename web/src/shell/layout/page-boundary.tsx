import { Component } from 'react';
import type { ReactNode } from 'react';

interface Props {
  children: ReactNode;
  renderError: (error: unknown) => ReactNode;
}

/**
 * Keeps an error in one page from affecting other pages. It is a class because React has no other
 * way to catch errors of children.
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
