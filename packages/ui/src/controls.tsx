/** Small controls shared by all pages. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon, type IconName } from './icons.js';

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly class?: string;
  /** In rows of a list: not a tab stop, since keys act on the row. */
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

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** A choice of one, side by side. */
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
  /** Values and their labels. */
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

/** Text that is shortened in the middle, because the ends of names differ. */
export function EndedText({ text, tail = 9 }: { readonly text: string; readonly tail?: number }) {
  if (text.length < 2 * tail) return <span class="ended">{text}</span>;
  // do not split a surrogate pair
  const at = text.length - tail - (/[\udc00-\udfff]/.test(text[text.length - tail]) ? 1 : 0);
  return (
    <span class="ended" title={text}>
      <span>{text.slice(0, at)}</span>
      <span>{text.slice(at)}</span>
    </span>
  );
}

/** A button that copies its text and confirms it. */
export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <button
      ref={button}
      type="button"
      class="copy"
      title={`Copy ${label}`}
      onClick={() => {
        // without a clipboard, select the text for the user to copy
        const select = () => getSelection()?.selectAllChildren(button.current!);
        if (!navigator.clipboard) return select();
        return navigator.clipboard.writeText(text).then(() => {
          button.current?.classList.add('copied');
          setTimeout(() => button.current?.classList.remove('copied'), 1200);
        }, select);
      }}
    >
      {text}
    </button>
  );
}

interface CheckBoxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ComponentChildren;
}

export function CheckBox({ checked, onChange, children }: CheckBoxProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {children}
    </label>
  );
}

interface ChipsProps {
  readonly label: string;
  readonly options: readonly string[];
  /** Label of an option; the option itself by default. */
  readonly textOf?: (option: string) => string;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** A choice of any number. */
export function Chips({ label, options, textOf = (option) => option, chosen, onChange }: ChipsProps) {
  return (
    <fieldset class="chips" aria-label={label}>
      <span class="chips-label">{label}</span>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          class="chip"
          aria-pressed={chosen.includes(option)}
          onClick={() => onChange(toggled(chosen, option))}
        >
          {textOf(option)}
        </button>
      ))}
    </fieldset>
  );
}

/** Adds `one`, or removes it if present. */
export function toggled<T>(list: readonly T[], one: T): T[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
