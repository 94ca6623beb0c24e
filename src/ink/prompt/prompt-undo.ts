import { snapped } from './borders.ts'
import type { Prompt } from './prompt.ts'

/** Undoes the newest change. */
export function undo(prompt: Prompt): Prompt {
  const { done, undone } = prompt.changes
  const change = done.at(-1)
  if (change === undefined) return prompt
  const { at, removed, added, cursor } = change
  return {
    ...prompt,
    text: splice(prompt.text, at, at + added.length, removed),
    pastes: change.pastes?.before ?? prompt.pastes,
    cursor,
    changes: { done: done.slice(0, -1), undone: [...undone, change] },
    last: undefined,
  }
}

/** Makes the change again that was undone last. */
export function redo(prompt: Prompt): Prompt {
  const { done, undone } = prompt.changes
  const change = undone.at(-1)
  if (change === undefined) return prompt
  const { at, removed, added } = change
  const text = splice(prompt.text, at, at + removed.length, added)
  const pastes = change.pastes?.after ?? prompt.pastes
  return {
    ...prompt,
    text,
    pastes,
    cursor: snapped({ text, pastes }, at + added.length),
    changes: { done: [...done, change], undone: undone.slice(0, -1) },
    last: undefined,
  }
}

function splice(text: string, start: number, end: number, added: string): string {
  return text.slice(0, start) + added + text.slice(end)
}
