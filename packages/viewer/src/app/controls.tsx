/** Small controls that many panels use. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { COMMANDS, type CommandName, tip } from './commands.js';
import { Icon, type IconName } from './icons.js';
import type { Viewer } from './viewer.js';

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly class?: string;
  /** In rows, of which there are many: keys act on the row instead. */
  readonly inRow?: boolean;
}

export function IconButton({ icon, label, onClick, pressed, disabled, inRow, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${rest.class ?? ''}`}
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      disabled={disabled}
      tabIndex={inRow ? -1 : undefined}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

interface CommandButtonProps {
  readonly viewer: Viewer;
  readonly name: CommandName;
  readonly icon: IconName;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
}

/** A button for what a key does, too. */
export function CommandButton({ viewer, name, ...rest }: CommandButtonProps) {
  const command = COMMANDS[name];
  return <IconButton {...rest} label={tip(command)} onClick={() => command.run(viewer)} />;
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** One of a few, side by side. */
export function Segments<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="segments" aria-label={label}>
      {(Object.keys(options) as T[]).map((option) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {options[option]}
        </button>
      ))}
    </fieldset>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  /** Values and what is shown for them. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
  readonly id?: string;
}

export function Select({ label, value, options, onChange, id }: SelectProps) {
  return (
    <select
      id={id}
      aria-label={label}
      title={label}
      value={value}
      class={value === '' ? '' : 'chosen'}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface SearchProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
}

export function SearchField({ id, label, value, onInput }: SearchProps) {
  return (
    <div class="search">
      <Icon name="search" />
      <input
        id={id}
        type="search"
        value={value}
        placeholder={label}
        aria-label={label}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly class?: string;
}

/** Traps the focus, closes with Escape, and gives the focus back. */
export function Modal({ title, onClose, children, ...rest }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const whenClosed = useRef(onClose);
  whenClosed.current = onClose;
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const element = dialog.current!;
    element.showModal();
    const closed = () => whenClosed.current();
    element.addEventListener('close', closed);
    return () => {
      // the event of this closing comes later, when another dialog may be open
      element.removeEventListener('close', closed);
      // nothing outside can have the focus while it is open
      element.close();
      before?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={rest.class}
      aria-label={title}
      onKeyDown={(event) => keepFocus(event, dialog.current!, onClose)}
      onClick={(event) => {
        // beside it
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

/** Tab goes round inside, and Escape closes: browsers let go of the focus, and of Escape, now and then. */
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

/** A text whose end differs from that of its neighbours: what does not fit is left out in the middle. */
export function EndedText({ text, tail = 9 }: { readonly text: string; readonly tail?: number }) {
  if (text.length < 2 * tail) return <span class="ended">{text}</span>;
  // not between the halves of a pair
  const at = text.length - tail - (/[\udc00-\udfff]/.test(text[text.length - tail]) ? 1 : 0);
  return (
    <span class="ended" title={text}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}

/** Something to copy; says so when it is done. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={button}
      type="button"
      class="copy"
      title={`Copy ${label}`}
      onClick={() => {
        navigator.clipboard?.writeText(text).then(
          () => {
            button.current?.classList.add('copied');
            setTimeout(() => button.current?.classList.remove('copied'), 1200);
          },
          () => getSelection()?.selectAllChildren(button.current!),
        );
      }}
    >
      {text}
    </button>
  );
}
