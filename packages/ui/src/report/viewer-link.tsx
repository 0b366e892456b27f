/** The link from a clash to the viewer. */
import { Copy } from '../controls.js';

/** The folder of a page opened from disk, quoted for a shell. */
function folder(): string {
  if (location.protocol !== 'file:') return 'impinge-report';
  const path = decodeURIComponent(location.pathname).replace(/\/[^/]*$/, '');
  // file URLs of Windows: /C:/reports
  const local = path.replace(/^\/([A-Za-z]:)/, '$1') || '/';
  return /^[\w./:~-]+$/.test(local) ? local : `"${local.replace(/["\\$`]/g, '\\$&')}"`;
}

/** A link if the viewer is served beside this page, else the command that shows the clash. */
export function ViewerLink({ id }: { readonly id: string }) {
  // set by the server of the viewer
  const { viewer } = document.documentElement.dataset;
  if (viewer === undefined)
    return <Copy text={`impinge view ${folder()} --clash ${id}`} label="this command" />;
  return <a href={`${viewer}#clash=${encodeURIComponent(id)}`}>Show it in the whole model</a>;
}
