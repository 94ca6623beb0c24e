import type { DOMElement } from 'ink'
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react'
import type { CursorPlace } from '../tty/cursor.ts'

interface CaretTarget {
  readonly box: RefObject<DOMElement | null>
  /** The place among the rows of the box. */
  readonly place: CursorPlace
}

/** Knows where the terminal's cursor stands: at a place in a box, wherever Ink has laid it out. */
export class Caret {
  #target: CaretTarget | undefined

  /** Sets where the cursor stands. Returns a function that ends it. */
  stand(target: CaretTarget): () => void {
    this.#target = target
    return () => {
      if (this.#target === target) this.#target = undefined
    }
  }

  /** Returns the place among all live rows; `undefined` if the cursor stands nowhere. */
  place(): CursorPlace | undefined {
    if (this.#target === undefined) return undefined
    const { box, place } = this.#target
    let { row, column } = place
    for (let node = box.current ?? undefined; node !== undefined; node = node.parentNode) {
      row += node.yogaNode?.getComputedTop() ?? 0
      column += node.yogaNode?.getComputedLeft() ?? 0
    }
    return { row, column }
  }
}

export const CaretContext = createContext(new Caret())

/** Has the cursor stand at a place in the box that the returned ref is given to. */
export function useCaret(place: CursorPlace | undefined): RefObject<DOMElement | null> {
  const caret = useContext(CaretContext)
  const box = useRef<DOMElement | null>(null)
  useLayoutEffect(() => (place === undefined ? undefined : caret.stand({ box, place })))
  return box
}
