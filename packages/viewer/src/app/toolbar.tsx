/** The tools over the picture. */
import { IconButton } from '../../../ui/src/controls.js';
import { theme } from '../../../ui/src/theme.js';
import { CommandButton } from './controls.js';
import { isPhone, leftOpen, rightOpen } from './layout.js';
import type { Viewer } from './viewer.js';

export function Toolbar({ viewer }: { readonly viewer: Viewer }) {
  const navigation = viewer.navigation.value;
  const tool = viewer.tool.value;
  const nothingChosen = viewer.selection.value.size === 0 && (viewer.review.value?.current.value ?? -1) < 0;
  return (
    <div class="toolbar" role="toolbar" aria-label="Tools">
      {!isPhone.value && <CommandButton viewer={viewer} name="left" icon="left" pressed={leftOpen.value} />}
      <h1 title={viewer.manifest.value.title}>{viewer.manifest.value.title}</h1>
      <fieldset class="tool-group" aria-label="Move">
        <CommandButton viewer={viewer} name="orbit" icon="orbit" pressed={navigation === 'orbit'} />
        <CommandButton viewer={viewer} name="walk" icon="walk" pressed={navigation === 'walk'} />
        <CommandButton viewer={viewer} name="fly" icon="fly" pressed={navigation === 'fly'} />
        <CommandButton viewer={viewer} name="fit" icon="fit" />
      </fieldset>
      <fieldset class="tool-group" aria-label="Look">
        <CommandButton
          viewer={viewer}
          name="section"
          icon="section"
          pressed={tool === 'section' || viewer.section.value.kind !== 'none'}
        />
        <CommandButton
          viewer={viewer}
          name="plan"
          icon="plan"
          pressed={tool === 'plan' || viewer.plan.value !== undefined}
        />
        <CommandButton viewer={viewer} name="measure" icon="measure" pressed={tool === 'measure'} />
      </fieldset>
      <fieldset class="tool-group" aria-label="Objects">
        <CommandButton viewer={viewer} name="move" icon="move" pressed={tool === 'move'} />
        <CommandButton viewer={viewer} name="hide" icon="hide" disabled={nothingChosen} />
        <CommandButton viewer={viewer} name="isolate" icon="isolate" disabled={nothingChosen} />
        <CommandButton viewer={viewer} name="ghost" icon="ghost" disabled={nothingChosen} />
        <CommandButton viewer={viewer} name="showAll" icon="show" disabled={!viewer.somethingHidden.value} />
      </fieldset>
      <span class="tool-space" />
      <fieldset class="tool-group" aria-label="Page">
        <IconButton
          icon="link"
          label="Copy a link to this view"
          onClick={() => void navigator.clipboard?.writeText(location.href)}
        />
        <CommandButton viewer={viewer} name="theme" icon="theme" pressed={theme.value !== 'system'} />
        <CommandButton viewer={viewer} name="help" icon="help" />
        {!isPhone.value && (
          <CommandButton viewer={viewer} name="right" icon="right" pressed={rightOpen.value} />
        )}
      </fieldset>
    </div>
  );
}
