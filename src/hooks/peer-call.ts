import { isJsonObject, type JsonValue, textField } from '../json-value.ts'
import { resolvePath } from '../machine/path.ts'
import { withoutServerFrame } from '../memory/frames.ts'
import { omitUndefined } from '../omit-undefined.ts'
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

/** A call in the words that hooks know. */
export interface PeerCall {
  readonly name: string
  /** The arguments, with an absolute path. */
  readonly input: JsonValue
}

/** Says a call as hooks know it. */
export function peerCall(tool: ToolFacts, args: JsonValue, places: Places): PeerCall {
  const { name, arguments: own } = tool.hookCall?.(args) ?? { name: peerName(tool), arguments: args }
  const input = inWords(own, peerWording(tool))
  if (!isJsonObject(input) || typeof input[pathField] !== 'string') return { name, input }
  return { name, input: { ...input, [pathField]: resolvePath(input[pathField], places) } }
}

/** The name that hooks know for the path of a file. */
const pathField = 'file_path'

/** Returns arguments that a hook gave under our own names. */
export function ownInput(tool: ToolFacts, input: JsonValue): JsonValue {
  const { names, values } = peerWording(tool)
  return inWords(input, {
    names: swapped(names),
    values: new Map([...values].map(([name, words]) => [names.get(name) ?? name, swapped(words)])),
  })
}

interface ResponseOptions {
  /** Output of the call, if it is a command. */
  readonly printed: string | undefined
  /** The arguments as hooks know them. */
  readonly input: JsonValue
  /** The tool is one of an MCP server, whose words come without the frame for models. Default: false. */
  readonly isOfServer?: boolean
}

/** Returns a result as hooks read it: the content, or for a command what it printed, and the file of the call. */
export function peerResponse(
  { content, isError }: ToolResult,
  { printed, input, isOfServer = false }: ResponseOptions,
): JsonValue {
  const filePath = textField(input, pathField)
  const outcome = { ...omitUndefined({ filePath }), is_error: isError, success: !isError }
  // A command writes its errors to the same stream.
  if (printed !== undefined)
    return { stdout: printed, stderr: '', interrupted: false, isImage: false, ...outcome }
  const texts = content.flatMap((block) =>
    block.type === 'text'
      ? [{ type: 'text', text: isOfServer ? withoutServerFrame(block.text) : block.text }]
      : [],
  )
  return { content: texts, ...outcome }
}

/** Other names for arguments, and other words for some of their values. */
interface Wording {
  readonly names: ReadonlyMap<string, string>
  /** The words of some fields, by the name before. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>
}

function peerWording({ hookArguments = {}, hookValues = {} }: ToolFacts): Wording {
  const values = Object.entries(hookValues).map(
    ([name, words]) => [name, new Map(Object.entries(words))] as const,
  )
  return { names: new Map(Object.entries(hookArguments)), values: new Map(values) }
}

function swapped(words: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...words].map(([one, other]) => [other, one]))
}

/** Says the fields of an object otherwise, and those of the objects in its lists. */
function inWords(value: JsonValue, wording: Wording): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => inWords(one, wording))
  const { names, values } = wording
  if (!isJsonObject(value) || names.size + values.size === 0) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => {
      const word = typeof entry === 'string' ? values.get(name)?.get(entry) : undefined
      return [names.get(name) ?? name, word ?? (Array.isArray(entry) ? inWords(entry, wording) : entry)]
    }),
  )
}
