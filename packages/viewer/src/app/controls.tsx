/** Controls that use the viewer, and dialogs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { IconButton } from '../../../ui/src/controls.js';
import type { IconName } from '../../../ui/src/icons.js';
import { COMMANDS, type CommandName, tip } from './commands.js';
import type { Viewer } from './viewer.js';

interface CommandButtonProps {
  readonly viewer: Viewer;
  readonly name: CommandName;
  readonly icon: IconName;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

/** A button for a keyboard command. */
export function CommandButton({ viewer, name, ...rest }: CommandButtonProps) {
  const command = COMMANDS[name];
  return <IconButton {...rest} label={tip(command)} onClick={() => command.run(viewer)} />;
}

interface ModalProps {
  readonly viewer: Viewer;
  readonly title: string;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** Traps the focus, closes with Escape, and restores the focus. */
export function Modal({ viewer, title, children, ...rest }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => viewer.open('none');
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const element = dialog.current!;
    element.showModal();
    element.addEventListener('close', close);
    return () => {
      // the close event is asynchronous; another dialog may be open by then
      element.removeEventListener('close', close);
      // close first: elements outside cannot get the focus while it is open
      element.close();
      before?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={rest.class}
      aria-label={title}
      onKeyDown={(event) => keepFocus(event, dialog.current!, close)}
      onClick={(event) => {
        // a click on the backdrop
        if (event.target === dialog.current) dialog.current!.close();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <IconButton icon="close" label="Close (Escape)" onClick={() => dialog.current!.close()} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Cycles the focus and closes on Escape, since browsers do not always do so. */
function keepFocus(event: KeyboardEvent, dialog: HTMLDialogElement, onClose: () => void): void {
  if (event.key === 'Escape') {
    event.preventDefault();
    onClose();
  }
  if (event.key !== 'Tab') return;
  const all = [
    ...dialog.querySelectorAll<HTMLElement>('button:not(:disabled), input, select, textarea, a[href]'),
  ];
  const [from, to] = event.shiftKey ? [all[0], all[all.length - 1]] : [all[all.length - 1], all[0]];
  if (document.activeElement !== from) return;
  event.preventDefault();
  to.focus();
}
