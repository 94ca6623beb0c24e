import { idleSelector, unwanted } from './printable.ts'

const act = new RegExp(`${unwanted}|${idleSelector}`, 'gu')

/**
 * Serialises a value as JSON that is safe to write to a terminal. Escapes characters that would act, hide or reorder text, so that a
 * program reads the same value.
 */
export function printableJson(value: object): string {
  return JSON.stringify(value).replace(act, escapes)
}

function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    const unit = character.charCodeAt(i).toString(16)
    return `\\u${unit.padStart(4, '0')}`
  }).join('')
}
