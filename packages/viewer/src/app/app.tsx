/** The whole page. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { kindStyle } from '../../../cli/src/wire/kind-style.js';
import type { ViewManifest } from '../../../cli/src/wire/view-manifest.js';
import { IconButton } from '../../../ui/src/controls.js';
import { linkAddress } from './address-link.js';
import { listenToKeys } from './commands.js';
import { ExchangeDialog } from './exchange-dialog.js';
import { HelpDialog } from './help-dialog.js';
import { isPhone, showsLeft, showsRight, showTab } from './layout.js';
import { MatrixDialog } from './matrix-dialog.js';
import { BottomSheet, LeftPanel, RightPanel } from './panels.js';
import { linkPicture } from './picture-link.js';
import { ReplayBar } from './replay-bar.js';
import { StatusLine } from './status-line.js';
import { ToolCard } from './tool-card.js';
import { Toolbar } from './toolbar.js';
import { Viewer } from './viewer.js';
import '../../../ui/src/style/tokens.css';
import '../../../ui/src/style/controls.css';
import '../../../ui/src/style/clashes.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/lists.css';
import './styles/replay.css';
// last: its rules for phones override the others
import './styles/layout.css';

const kinds = new CSSStyleSheet();
kinds.replaceSync(kindStyle());
document.adoptedStyleSheets.push(kinds);

export function App({ manifest }: { readonly manifest: ViewManifest }) {
  const viewer = useMemo(() => new Viewer(manifest), []);
  const stage = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.title = `${manifest.title} – impinge`;
    // the clashes by default, unless the address says otherwise
    if (manifest.report !== null) showTab('clashes');
    const ends = [linkAddress(viewer), listenToKeys(viewer), linkPicture(viewer, stage.current!)];
    const leave = (event: BeforeUnloadEvent) => {
      if (viewer.review.peek()?.keeper.state.peek().kind === 'failed') event.preventDefault();
    };
    addEventListener('beforeunload', leave);
    void viewer.load();
    return () => {
      for (const end of ends) end();
      removeEventListener('beforeunload', leave);
    };
  }, []);
  return (
    <div class="app">
      <Toolbar viewer={viewer} />
      {showsLeft.value && <LeftPanel viewer={viewer} />}
      <main class="stage" aria-label="Model">
        <div class="picture" ref={stage} />
        <ToolCard viewer={viewer} />
        <ReplayBar viewer={viewer} />
        {viewer.problem.value !== '' && (
          <div class="problem" role="alert">
            <span>{viewer.problem.value}</span>
            <IconButton
              icon="close"
              label="Close this message"
              onClick={() => {
                viewer.problem.value = '';
              }}
            />
          </div>
        )}
      </main>
      {showsRight.value && <RightPanel viewer={viewer} />}
      {isPhone.value && <BottomSheet viewer={viewer} />}
      <StatusLine viewer={viewer} />
      <Dialogs viewer={viewer} />
    </div>
  );
}

function Dialogs({ viewer }: { readonly viewer: Viewer }) {
  const review = viewer.review.value;
  switch (viewer.dialog.value) {
    case 'help':
      return <HelpDialog viewer={viewer} />;
    case 'matrix':
      return review ? <MatrixDialog viewer={viewer} review={review} /> : null;
    case 'exchange':
      return review ? <ExchangeDialog viewer={viewer} review={review} /> : null;
    case 'none':
      return null;
  }
}
