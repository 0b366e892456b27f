/** The way from a clash to the whole model around it. */
import { Copy } from '../controls.js';

/** The folder of this page where it was opened from disk, as a shell takes it. */
function folder(): string {
  if (location.protocol !== 'file:') return 'impinge-report';
  const path = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, '');
  // /C:/reports
  const local = path.replace(/^\/([A-Za-z]:)/, '$1') || '/';
  return /^[\w./:~-]+$/.test(local) ? local : `"${local.replace(/["\\$`]/g, '\\$&')}"`;
}

/** A link where the viewer is beside this page; else the command that shows the clash. */
export function ViewerLink({ id }: { readonly id: string }) {
  // said by whoever serves this page beside the viewer
  const { viewer } = document.documentElement.dataset;
  if (viewer === undefined)
    return <Copy text={`impinge view ${folder()} --clash ${id}`} label="this command" />;
  return <a href={`${viewer}#clash=${encodeURIComponent(id)}`}>Show it in the whole model</a>;
}
