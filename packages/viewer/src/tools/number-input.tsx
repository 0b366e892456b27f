/** A number field. */
import { useSignal } from '@preact/signals';

interface NumberInputProps {
  readonly label: string;
  readonly value: number;
  readonly step: number;
  readonly digits: number;
  readonly range: readonly [least: number, most: number];
  onChange(value: number): void;
}

/** Keeps the text being typed even if the value changes meanwhile; values out of range are marked and ignored. */
export function NumberInput({ label, value, step, digits, range, onChange }: NumberInputProps) {
  const wrong = useSignal(false);
  const typing = useSignal<string | undefined>(undefined);
  return (
    <input
      type="number"
      step={step}
      aria-label={label}
      value={typing.value ?? Number(value.toFixed(digits))}
      aria-invalid={wrong.value}
      onInput={(event) => {
        typing.value = event.currentTarget.value;
      }}
      onChange={(event) => {
        const typed = event.currentTarget.valueAsNumber;
        wrong.value = !(typed >= range[0] && typed <= range[1]);
        if (wrong.value) return;
        typing.value = undefined;
        onChange(typed);
      }}
    />
  );
}
