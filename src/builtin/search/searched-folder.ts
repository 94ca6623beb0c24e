import { splitGlob } from '../../globs/search-glob.ts'
import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { ToolPath } from '../../tool.ts'

/** Returns the folder that a search walks. Default: the project. The glob in the argument `globField` may lead out of `path`. */
export function searchedFolder(args: JsonValue, globField: string): string {
  const path = textField(args, 'path')
  const glob = textField(args, globField)
  return glob === undefined ? (path ?? '.') : splitGlob(glob, path).root
}

/** Lists the folder that a search reads. None if `path` is no text, so that the tool refuses the call. */
export function searchedPaths(args: JsonValue, globField: string): readonly ToolPath[] {
  const isNamed = isJsonObject(args) && args['path'] !== undefined && args['path'] !== null
  if (isNamed && textField(args, 'path') === undefined) return []
  return [{ path: searchedFolder(args, globField), access: 'read' }]
}
