import { oneLine } from '../../characters/one-line.ts'
import { type JsonValue, textField } from '../../json-value.ts'
import type { CleanText } from './listed-tool.ts'

/** A resource as its server lists it. */
export interface ListedResource {
  readonly uri: string
  /** A line with its name, and what it is about. */
  readonly about: string
}

/** A family of resources, whose URIs have places for words. */
export interface ListedTemplate {
  /** Such as `repo://{owner}/{name}`. */
  readonly template: string
  readonly about: string
}

/** Longest URI, and longest line about it. */
const longest = { uri: 2_000, about: 200 }

/** Reads a resource; none for one that has no usable URI. */
export function readListedResource(value: JsonValue, clean: CleanText): readonly ListedResource[] {
  const uri = textField(value, 'uri')
  return isUsable(uri, clean) ? [{ uri, about: describe(value, clean) }] : []
}

/** Reads a template; none for one that is not usable. */
export function readListedTemplate(value: JsonValue, clean: CleanText): readonly ListedTemplate[] {
  const template = textField(value, 'uriTemplate')
  return isUsable(template, clean) ? [{ template, about: describe(value, clean) }] : []
}

/** Whether a text has the form of a URI, in visible characters. */
function isUsable(uri: string | undefined, clean: CleanText): uri is string {
  return (
    uri !== undefined &&
    uri.length <= longest.uri &&
    /^[a-z][a-z\d+.-]*:[!-~\u00a1-\uffff]+$/i.test(uri) &&
    clean(uri) === uri
  )
}

function describe(value: JsonValue, clean: CleanText): string {
  const texts = [textField(value, 'title') ?? textField(value, 'name'), textField(value, 'description')]
  const given = texts
    .filter((text) => text !== undefined && text !== '')
    .map((text = '') => text.slice(0, 1_000))
  return oneLine(clean(given.join(': ')), longest.about)
}
