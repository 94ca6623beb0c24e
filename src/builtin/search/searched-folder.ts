import { splitGlob } from '../../globs/search-glob.ts'
import { type JsonValue, textField } from '../../json-value.ts'

/** Returns the folder that a search walks. Default: the project. The glob in the argument `globField` may lead out of `path`. */
export function searchedFolder(args: JsonValue, globField: string): string {
  const path = textField(args, 'path')
  const glob = textField(args, globField)
  return glob === undefined ? (path ?? '.') : splitGlob(glob, path).root
}
