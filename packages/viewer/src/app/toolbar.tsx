/** The toolbar above the picture. */
import { IconButton } from '../../../ui/src/controls.js';
import { theme } from '../../../ui/src/theme.js';
import type { ToolEntry } from '../tools/tool.js';
import { TOOL_NAMES, TOOLS } from '../tools/tools.js';
import { CommandButton } from './controls.js';
import { isPhone, leftOpen, rightOpen } from './layout.js';
import type { Viewer } from './viewer.js';

export function Toolbar({ viewer }: { readonly viewer: Viewer }) {
  const navigation = viewer.navigation.value;
  const toolButtons = (group: ToolEntry['group']) =>
    TOOL_NAMES.filter((name) => TOOLS[name].group === group).map((name) => (
      <CommandButton
        key={name}
        viewer={viewer}
        name={name}
        icon={TOOLS[name].icon}
        pressed={viewer.tool.value === name || viewer.tools[name].isOn === true}
      />
    ));
  const nothingChosen = viewer.selection.value.size === 0 && (viewer.review.value?.current.value ?? -1) < 0;
  return (
    <div class="toolbar" role="toolbar" aria-label="Tools">
      {!isPhone.value && <CommandButton viewer={viewer} name="left" icon="left" pressed={leftOpen.value} />}
      <h1 title={viewer.manifest.value.title}>{viewer.manifest.value.title}</h1>
      <fieldset class="tool-group" aria-label="Move">
        {(['orbit', 'walk', 'fly'] as const).map((name) => (
          <CommandButton key={name} viewer={viewer} name={name} icon={name} pressed={navigation === name} />
        ))}
        <CommandButton viewer={viewer} name="fit" icon="fit" />
      </fieldset>
      <fieldset class="tool-group" aria-label="Look">
        {toolButtons('Picture')}
      </fieldset>
      <fieldset class="tool-group" aria-label="Objects">
        {toolButtons('Objects')}
        {(['hide', 'isolate', 'ghost'] as const).map((name) => (
          <CommandButton key={name} viewer={viewer} name={name} icon={name} disabled={nothingChosen} />
        ))}
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
