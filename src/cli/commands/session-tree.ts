import { branchOf, parentsOf } from '../../branch.ts'
import { describeCall } from '../../line/tool-line.ts'
import { type Message, spokenText, toolCalls } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { RunContext } from '../run-context.ts'
import { loadNamed } from './stored-session.ts'

/** Characters of a message that are shown. */
const width = 60

/** Shows the messages of a session as a tree, without tool results. `pipe --fork ID@MESSAGE` continues at any of them. */
export async function showTree(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const session = await loadNamed(id, context)
  const nodes = treeOf(session.messages, new Set(branchOf(session)))
  if (flags.format === 'json') {
    const messages = nodes.map(({ message, parent, isCurrent }) => ({
      id: message.id,
      ...omitUndefined({ parent_id: parent?.id }),
      type: message.type,
      text: lineOf(message),
      current: isCurrent,
    }))
    host.stdout.write(`${printableJson({ id: session.id, messages })}\n`)
    return
  }
  for (const { message, depth, isCurrent } of nodes) {
    const said = message.type === 'user' ? `> ${lineOf(message)}` : `  ${lineOf(message)}`
    const line = `${message.id.slice(0, 8)}  ${isCurrent ? '●' : '○'} ${'  '.repeat(depth)}${said}`
    host.stdout.write(`${printable(line).trimEnd()}\n`)
  }
}

interface Node {
  readonly message: Message
  readonly parent: Message | undefined
  /** Counts the branchings above it that it is not the first child of. */
  readonly depth: number
  readonly isCurrent: boolean
}

/** Lists all messages except results, each below the one it follows. Indents all but the first of several that follow one message. */
function treeOf(messages: readonly Message[], current: ReadonlySet<Message>): readonly Node[] {
  const parents = parentsOf(messages)
  const shownParent = (message: Message): Message | undefined => {
    const parent = parents.get(message)
    return parent?.type === 'tool_result' ? shownParent(parent) : parent
  }
  const children = new Map<Message | undefined, Message[]>()
  for (const message of messages.filter(({ type }) => type !== 'tool_result')) {
    const parent = shownParent(message)
    children.set(parent, [...(children.get(parent) ?? []), message])
  }
  const nodes: Node[] = []
  const left: Omit<Node, 'isCurrent'>[] = below(undefined, 0)
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    nodes.push({ ...next, isCurrent: current.has(next.message) })
    left.push(...below(next.message, next.depth))
  }
  return nodes

  /** Returns the messages that follow one, the last first. */
  function below(parent: Message | undefined, depth: number): Omit<Node, 'isCurrent'>[] {
    const found = children.get(parent) ?? []
    const placed = found.map((message, i) => ({ message, parent, depth: i === 0 ? depth : depth + 1 }))
    return placed.reverse()
  }
}

function lineOf(message: Message): string {
  const said = spokenText(message)
  const calls = toolCalls(message).map(({ name, arguments: args }) => `• ${describeCall(name, args)}`)
  const text = [said, ...calls].join(' ').replace(/\s+/g, ' ').trim()
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}
