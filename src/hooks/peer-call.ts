import { isJsonObject, type JsonValue } from '../json-value.ts'
import { resolvePath } from '../machine/path.ts'
import type { Tool, ToolFacts, ToolResult } from '../tool.ts'

/** The name of a tool in the agent for which most hooks are written. */
export function peerName({ hookName, aliases = [], name }: ToolFacts): string {
  return hookName ?? aliases[0] ?? name
}

/** All names by which a matcher may mean a tool: that agent's, ours, and those of the tool whose rules cover it. */
export function namesOf(tool: ToolFacts, tools: readonly Tool[]): readonly string[] {
  const { name, aliases = [], disallowedWith } = tool
  const cover = tools.find((one) => one.name === disallowedWith)
  return [peerName(tool), name, ...aliases, ...(cover === undefined ? [] : namesOf(cover, []))]
}

interface Places {
  readonly cwd: string
  readonly home: string
}

/** Returns the arguments of a call under the names that hooks know, with an absolute path. */
export function peerInput(tool: ToolFacts, args: JsonValue, places: Places): JsonValue {
  const renamed = withNames(args, new Map(Object.entries(tool.hookArguments ?? {})))
  if (!isJsonObject(renamed) || typeof renamed[pathField] !== 'string') return renamed
  return { ...renamed, [pathField]: resolvePath(renamed[pathField], places) }
}

/** The name that hooks know for the path of a file. */
const pathField = 'file_path'

/** Returns arguments that a hook gave under our own names. */
export function ownInput({ hookArguments = {} }: ToolFacts, input: JsonValue): JsonValue {
  return withNames(input, new Map(Object.entries(hookArguments).map(([own, theirs]) => [theirs, own])))
}

/** Returns a result as hooks read it: the content, or for a command what it printed. */
export function peerResponse({ content, isError }: ToolResult, printed: string | undefined): JsonValue {
  const outcome = { is_error: isError, success: !isError }
  // A command writes its errors to the same stream.
  if (printed !== undefined)
    return { stdout: printed, stderr: '', interrupted: false, isImage: false, ...outcome }
  const texts = content.flatMap((block) =>
    block.type === 'text' ? [{ type: 'text', text: block.text }] : [],
  )
  return { content: texts, ...outcome }
}

/** Renames the fields of an object, and of those in its lists. */
function withNames(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => withNames(one, names))
  if (!isJsonObject(value) || names.size === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      names.get(name) ?? name,
      Array.isArray(entry) ? withNames(entry, names) : entry,
    ]),
  )
}
