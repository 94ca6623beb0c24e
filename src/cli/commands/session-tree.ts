import { branchOf, parentsOf } from '../../branch.ts'
import { describeCall } from '../../line/tool-line.ts'
import { contextLength, type Message, textContent, toolCalls } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { tell } from '../../terminal/output.ts'
import { printable } from '../../terminal/printable.ts'
import { printableJson } from '../../terminal/printable-json.ts'
import type { RunContext } from '../run-context.ts'
import { openSessions } from '../wiring/records.ts'
import { findSession } from '../wiring/session-choice.ts'

/** Characters of a message that are shown. */
const width = 60

/** Shows the messages of a session as a tree, without tool results. `pipe --fork ID@MESSAGE` takes up any of them. */
export async function showTree(id: string, { host, flags, signal }: RunContext): Promise<void> {
  const store = openSessions(host)
  const { session, damage } = await store.load(await findSession(id, { store, signal }), { signal })
  for (const { line, reason } of damage) tell(host, `line ${line}: ${reason} (skipped)`)
  const nodes = treeOf(session.messages, new Set(branchOf(session)))
  if (flags.format === 'json') {
    const messages = nodes.map(({ message, parent, isCurrent }) => ({
      id: message.id,
      ...omitUndefined({ parent_id: parent?.id }),
      type: message.type,
      text: summaryOf(message),
      current: isCurrent,
    }))
    host.stdout.write(`${printableJson({ id: session.id, messages })}\n`)
    return
  }
  for (const { message, depth, isCurrent } of nodes) {
    const said = message.type === 'user' ? `> ${summaryOf(message)}` : `  ${summaryOf(message)}`
    const line = `${message.id.slice(0, 8)}  ${isCurrent ? '●' : '○'} ${'  '.repeat(depth)}${said}`
    host.stdout.write(`${printable(line).trimEnd()}\n`)
  }
}

interface Node {
  readonly message: Message
  readonly parent: Message | undefined
  /** Branches that were begun before it on its way from the first message. */
  readonly depth: number
  readonly isCurrent: boolean
}

/** Lists the messages but results, each below the one it follows. Of several that follow one, all but the first are indented. */
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

  /** The messages that follow one, the last first. */
  function below(parent: Message | undefined, depth: number): Omit<Node, 'isCurrent'>[] {
    const found = children.get(parent) ?? []
    const placed = found.map((message, i) => ({ message, parent, depth: i === 0 ? depth : depth + 1 }))
    return placed.reverse()
  }
}

function summaryOf(message: Message): string {
  const said = textContent({ content: message.content.slice(contextLength(message)) })
  const calls = toolCalls(message).map(({ name, arguments: args }) => `• ${describeCall(name, args)}`)
  const text = [said, ...calls].join(' ').replace(/\s+/g, ' ').trim()
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}
