import { isAbsolute, resolve } from 'node:path'
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import { oneLine } from '../characters/one-line.ts'
import { firstText } from '../frontend/words/call-target.ts'
import type { Interaction } from '../interaction.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { ContentBlock } from '../message.ts'
import { printable } from '../terminal/printable.ts'
import { visible } from '../terminal/visible.ts'
import type { ToolFacts } from '../tool.ts'
import { diffContent, diffLocations } from './diff-content.ts'

/** Characters of a call's result that an editor gets. The model may have had more. */
const longestText = 20_000

/** Describes the calls of one conversation to an editor, by what their tools state of themselves. */
export class CallWords {
  readonly #cwd: string
  readonly #factsOf: (name: string) => ToolFacts | undefined

  /** `cwd`: the absolute folder of the conversation. */
  constructor(cwd: string, factsOf: (name: string) => ToolFacts | undefined) {
    this.#cwd = cwd
    this.#factsOf = factsOf
  }

  /** Describes a call before it runs. */
  describe(
    name: string,
    args: JsonValue,
  ): Required<Pick<ToolCall, 'title' | 'kind' | 'locations' | 'rawInput'>> {
    const facts = this.#factsOf(name)
    const paths = facts?.paths?.(args) ?? []
    const command = this.command(name, args)
    const words = command ?? printable(facts?.title?.(args, (path) => path) ?? `${name} ${firstText(args)}`)
    return {
      title: oneLine(words, 200),
      kind: kindOf(facts, args),
      locations: paths.map(({ path }): ToolCallLocation => ({ path: this.#absolute(path) })),
      rawInput: args,
    }
  }

  /** Shows the outcome of a call: its change to a file, or its result. */
  result(
    content: readonly ContentBlock[],
    details: JsonValue | undefined,
  ): Pick<ToolCall, 'content' | 'locations'> {
    const changed = changeIn(details)
    if (changed === undefined) return { content: content.flatMap(shown) }
    const path = this.#absolute(changed.path)
    return { content: diffContent(path, changed.diff), locations: diffLocations(path, changed.diff) }
  }

  /** The command that a call runs, with all its characters visible; `undefined` if it runs none. */
  command(name: string, args: JsonValue): string | undefined {
    const line = this.#factsOf(name)?.command?.(args)?.line
    return line === undefined ? undefined : visible(line)
  }

  /** Shows what a question about a call is about: the command, the change to a file, or else the arguments. */
  preview(
    name: string,
    args: JsonValue,
    { content, contentKind }: Interaction['display'],
  ): ToolCallContent[] {
    const command = this.command(name, args)
    if (command !== undefined) return [fenced(command)]
    if (contentKind === 'json') return [fenced(visible(JSON.stringify(content, null, 2)))]
    const path = this.#factsOf(name)?.paths?.(args).at(-1)?.path
    const isDiff = contentKind === 'diff' && typeof content === 'string' && path !== undefined
    return isDiff ? diffContent(this.#absolute(path), content) : []
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.#cwd, path)
  }
}

function kindOf(facts: ToolFacts | undefined, args: JsonValue): ToolKind {
  if (facts?.kind === 'edit' && facts.paths?.(args).some(({ from }) => from !== undefined) === true)
    return 'move'
  return facts?.kind ?? 'other'
}

function changeIn(
  details: JsonValue | undefined,
): { readonly path: string; readonly diff: string } | undefined {
  if (!isJsonObject(details)) return undefined
  const { path, diff } = details
  return typeof path === 'string' && typeof diff === 'string' ? { path, diff } : undefined
}

function shown(block: ContentBlock): readonly ToolCallContent[] {
  if (block.type === 'text')
    return [{ type: 'content', content: { type: 'text', text: cut(printable(block.text)) } }]
  if (block.type === 'image')
    return [{ type: 'content', content: { type: 'image', data: block.data, mimeType: block.mimeType } }]
  return []
}

/** Editors read text as Markdown, which could hide a part of a command. */
function fenced(text: string): ToolCallContent {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return { type: 'content', content: { type: 'text', text: `${fence}\n${text}\n${fence}` } }
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}\n… (cut for the editor)`
}
