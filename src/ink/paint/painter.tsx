import { type Instance, render } from 'ink'
import { Component, type ReactNode } from 'react'
import type { Size } from '../state.ts'
import type { Reshaped } from '../tty/resizing.ts'
import { Caret, CaretContext } from './caret.ts'
import { FrameStream, type FrameStreamOptions } from './frame-stream.ts'

/**
 * Draws a tree of Ink components on the terminal: finished rows once, which scroll away, and live rows below them. All that Ink writes
 * goes through one stream.
 */
export class Painter {
  readonly #stream: FrameStream
  readonly #caret = new Caret()
  #ink: Instance | undefined
  #tree: ReactNode
  #app: ReactNode
  #error: { readonly error: unknown } | undefined

  constructor(options: FrameStreamOptions) {
    this.#stream = new FrameStream(options)
  }

  /** Draws a tree on a screen of this size, or what changed in it. Throws what its components throw. */
  paint(tree: ReactNode, size: Size): void {
    this.#stream.fit(size)
    if (this.#tree !== tree) {
      this.#tree = tree
      this.#app = (
        <Trap onError={this.#onError}>
          <CaretContext value={this.#caret}>{tree}</CaretContext>
        </Trap>
      )
    }
    this.#render()
    if (this.#error !== undefined) throw this.#error.error
    this.#stream.flush(this.#caret.place())
  }

  /** Notes a new size. Returns whether live rows have left the screen, if the terminal wraps those that are too wide for it. */
  noteResize(size: Size): boolean {
    return this.#stream.noteResize(size)
  }

  /** Erases the live rows after a resize, except for the first `kept` ones. Rather leaves rows behind than erase one above them. */
  erase(size: Size, kept: number, reshaped: Reshaped): void {
    this.#stream.erase(size, kept, reshaped)
  }

  /** Moves the cursor below the live rows, before a crash is reported there. Nothing may be painted afterwards. */
  lower(): void {
    this.#stream.lower()
  }

  /** Releases the terminal. The live rows stay. */
  close(): void {
    this.lower()
    this.#ink?.unmount()
    this.#ink = undefined
  }

  #render(): void {
    // No limit: the store has one. Rendering again also makes React draw at once what its components heard from the store.
    const options = { stdout: this.#stream.output, exitOnCtrlC: false, patchConsole: false, maxFps: 0 }
    if (this.#ink === undefined) this.#ink = render(this.#app, options)
    else this.#ink.rerender(this.#app)
  }

  readonly #onError = (error: unknown): void => {
    this.#error = { error }
  }
}

interface TrapProps {
  readonly onError: (error: unknown) => void
  readonly children: ReactNode
}

/** Reports what a component below throws. Ink would draw it in place of the screen and go on. */
class Trap extends Component<TrapProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError(error)
  }

  override render(): ReactNode {
    return this.state.hasFailed ? undefined : this.props.children
  }
}
