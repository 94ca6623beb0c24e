import { treeMessageLine } from '../../../frontend/words/tree-message-line.ts'
import { branchTreeOf } from '../../../history/branch-tree.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { isTreeMessage, lineOf } from '../../run/message-tree.ts'
import type { RunContext } from '../../run-context.ts'
import { loadNamed } from './stored-session.ts'

/** Shows the messages of a session as a tree, without tool results. `pipe --fork ID@MESSAGE` continues at any of them. */
export async function showTree(id: string, context: RunContext): Promise<void> {
  const { host, flags } = context
  const session = await loadNamed(id, context)
  const nodes = branchTreeOf(session, isTreeMessage)
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
    const role = message.type === 'user' ? 'user' : 'assistant'
    const line = treeMessageLine({ isCurrent, depth, role, text: lineOf(message) })
    host.stdout.write(`${printable(`${message.id.slice(0, 8)}  ${line}`).trimEnd()}\n`)
  }
}
