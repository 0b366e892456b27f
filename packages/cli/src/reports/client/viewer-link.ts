/** The way from a clash to the whole model around it. Runs in the reader's browser. */
import type { PageTools } from './page-tools.js';

export type ViewerLink = ReturnType<typeof viewerLink>;

export function viewerLink({ make, copyButton }: PageTools) {
  // said by whoever serves this page beside the viewer
  const { viewer } = document.documentElement.dataset;

  /** The folder of this page where it was opened from disk, as a shell takes it. */
  function folder(): string {
    if (location.protocol !== 'file:') return 'impinge-report';
    const path = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, '');
    // /C:/reports
    const local = path.replace(/^\/([A-Za-z]:)/, '$1') || '/';
    return /^[\w./:~-]+$/.test(local) ? local : `"${local.replace(/["\\$`]/g, '\\$&')}"`;
  }

  /** A link where the viewer is beside this page; else the command that shows the clash. */
  return (id: string): HTMLElement =>
    viewer === undefined
      ? copyButton(`impinge view ${folder()} --clash ${id}`, 'Copy this command')
      : make('a', { href: `${viewer}#clash=${encodeURIComponent(id)}` }, 'Show it in the whole model');
}
