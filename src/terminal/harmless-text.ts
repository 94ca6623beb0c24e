import { withoutTags } from '../characters/tag-characters.ts'
import { printable } from './printable.ts'

/** Makes foreign text safe for a model and a terminal: removes what only a model would read, and what would act on a terminal. */
export function harmlessText(text: string): string {
  return printable(withoutTags(text))
}
