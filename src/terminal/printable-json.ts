import { idleSelector, unwanted } from './printable.ts'

const act = new RegExp(`${unwanted}|${idleSelector}`, 'gu')

/**
 * A value as JSON that may be written to a terminal: what would act on it, or hide or reorder text, is escaped as JSON can, so that
 * a program reads the same value.
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
