import type { ReactElement } from 'react'

interface RowChoiceProps {
  readonly label: string
  readonly chosen: string
  readonly options: readonly (readonly [value: string, label: string])[]
  onChoose(value: string): void
}

/** A row of buttons of which one is chosen. */
export function RowChoice({ label, chosen, options, onChoose }: RowChoiceProps): ReactElement {
  return (
    <fieldset className="choice">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([value, name]) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
