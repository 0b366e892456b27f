/** The card of the open tool, over the picture. */
import { IconButton } from '../../../ui/src/controls.js';
import { TOOLS } from '../tools/tools.js';
import type { Viewer } from './viewer.js';

export function ToolCard({ viewer }: { readonly viewer: Viewer }) {
  const name = viewer.tool.value;
  if (name === 'none') return null;
  const { title } = TOOLS[name];
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label="Close (Escape)" onClick={() => viewer.toggleTool('none')} />
      </header>
      {viewer.tools[name].card()}
    </section>
  );
}
