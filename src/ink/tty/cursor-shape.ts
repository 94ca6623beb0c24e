import type { Screen } from '../state.ts'

/** A bar where text is written, a block on a character; absent: as the terminal has it. */
export type CursorForm = 'bar' | 'block' | undefined

const forms = { bar: '\u001b[6 q', block: '\u001b[2 q', usual: '\u001b[0 q' }

/** Returns the form that shows the mode of vim keys. */
export function shapeOf({ prompt: { vim }, hasCursorShapes }: Screen): CursorForm {
  if (vim === undefined || !hasCursorShapes) return undefined
  return vim.mode === 'insert' ? 'bar' : 'block'
}

export interface CursorShapeOptions {
  readonly shape: () => CursorForm
  readonly write: (bytes: string) => void
}

/** The form of the terminal's cursor (DECSCUSR), which follows the mode of the prompt, and is given back. */
export class CursorShape {
  readonly #options: CursorShapeOptions
  #form: CursorForm

  constructor(options: CursorShapeOptions) {
    this.#options = options
  }

  /** Returns the bytes that set the form of now, after another program may have changed it. */
  readonly take = (): string => {
    this.#form = this.#options.shape()
    return this.#form === undefined ? '' : forms[this.#form]
  }

  /** Returns the bytes that give the terminal its own form back. */
  readonly give = (): string => {
    const isChanged = this.#form !== undefined
    this.#form = undefined
    return isChanged ? forms.usual : ''
  }

  /** Writes the form where it is another one. */
  readonly show = (): void => {
    const form = this.#options.shape()
    if (form === this.#form) return
    this.#form = form
    this.#options.write(forms[form ?? 'usual'])
  }
}
