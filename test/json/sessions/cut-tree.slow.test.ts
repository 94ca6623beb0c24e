import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { branchOf, parentsOf } from '../../../src/history/branch.ts'
import type { Message } from '../../../src/message.ts'
import { omitUndefined } from '../../../src/omit-undefined.ts'
import type { PendingQuestion } from '../../../src/session.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { countingIds } from '../../support/messages/ids.ts'
import {
  assistant,
  call,
  messageId,
  text,
  timestamp,
  toolResult,
  user,
} from '../../support/messages/messages.ts'
import { load, openStore, signal } from '../folder.ts'
import { sessionId } from '../session-id.ts'

const tree: readonly Message[] = [
  { ...user(text('Grüße')), id: messageId(1) },
  { ...assistant(text('],\n'), call('tc_1')), id: messageId(2) },
  { ...toolResult('tc_1', text('yes')), id: messageId(3) },
  { ...user(text('a number')), id: messageId(4), parentId: messageId(2) },
  { ...assistant(text('Seven.')), id: messageId(5) },
  { ...user(text('another')), id: messageId(6), parentId: messageId(3) },
]
const added = { ...user(text('after the accident')), id: messageId(7) }

const question: PendingQuestion = {
  callId: 'tc_1',
  interaction: {
    id: countingIds().interaction(),
    kind: 'select',
    purpose: 'generic',
    display: { title: 'Really?' },
  },
  subject: 'a'.repeat(64),
}

async function saved(): Promise<Buffer> {
  const folder = await folderWith()
  const session = { id: sessionId(), systemPrompt: '', createdAt: timestamp, cwd: '/home/ada' }
  const log = await openStore(folder).create(session, { signal })
  for (const message of tree) await log.append(message)
  await log.update({ head: messageId(5), pending: [question] })
  await log.close()
  return readFile(join(folder, 'session-id.json'))
}

/** Returns the path of the whole tree to a message. */
function pathTo(last: Message | undefined): readonly Message[] {
  return last === undefined ? [] : [...pathTo(parentsOf(tree).get(last)), last]
}

// Some thousand files are written, synced and read: minutes on a slow disk.
it('a tree with an open question, cut at any byte, keeps its whole messages and is repaired by the next', async () => {
  const bytes = await saved()
  const lines = bytes.toString('latin1').split('\n')
  const ends = lines.flatMap((line, i) =>
    line.startsWith('{"type"')
      ? lines
          .slice(0, i + 1)
          .join('\n')
          .replace(/,$/, '').length
      : [],
  )
  expect(ends).toHaveLength(tree.length)
  for (let size = bytes.indexOf('{"type"'); size <= bytes.length; size++) {
    const folder = await folderWith()
    await writeFile(join(folder, 'session-id.json'), bytes.subarray(0, size))
    const { log, loaded } = await openStore(folder).open(sessionId(), { signal })
    const { messages, head, pending } = loaded.session
    const whole = tree.slice(0, ends.filter((end) => end <= size).length)
    const last = whole.find(({ id }) => id === head) ?? whole.at(-1)
    const branch = branchOf(loaded.session)
    expect({ size, messages, branch }).toEqual({ size, messages: whole, branch: pathTo(last) })
    if (size >= bytes.length - 1) expect([head, pending]).toEqual([messageId(5), [question]])
    const next = { ...added, ...omitUndefined({ parentId: branch.at(-1)?.id }) }
    await log.append(next, { head: next.id })
    await log.close()
    const { session, damage } = await load(folder)
    expect({ size, damage, branch: branchOf(session) }).toEqual({
      size,
      damage: [],
      branch: [...branch, next],
    })
  }
}, 900_000)
