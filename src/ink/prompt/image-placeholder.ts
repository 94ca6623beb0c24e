import type { ImageFile } from '../../frontend/conversation-view.ts'
import { mentionOf } from '../../frontend/mentions.ts'
import { formatBytes } from '../../frontend/words/amount.ts'
import { type Prompt, replaceText } from './prompt.ts'

/** The place of an image in a draft. */
export interface Place {
  readonly start: number
  readonly end: number
}

/**
 * Replaces a part of the draft with a placeholder of an image, such as `[image 1 · 48 kB]`, which stands for its mention. Returns `undefined`
 * if no mention can name it.
 */
export function insertImage(
  prompt: Prompt,
  { path, size }: ImageFile,
  { start, end }: Place,
): Prompt | undefined {
  const mention = mentionOf(path)
  if (mention === undefined) return undefined
  const { text, pastes } = prompt
  const known = pastes.find((one) => one.text === mention && one.placeholder.startsWith('[image '))
  const number = 1 + pastes.filter(({ placeholder }) => placeholder.startsWith('[image ')).length
  const placeholder = known?.placeholder ?? `[image ${number} · ${formatBytes(size)}]`
  // A mention stands apart from the words around it.
  const before = start === 0 || /\s$/.test(text.slice(0, start)) ? '' : ' '
  const isSpaced = text.startsWith(' ', end)
  return replaceText(prompt, {
    start,
    end: isSpaced ? end + 1 : end,
    added: `${before}${placeholder} `,
    pastes: known === undefined ? [...pastes, { placeholder, text: mention }] : pastes,
  })
}
