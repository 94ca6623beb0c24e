import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { type LogForm, systemContext } from '../../../src/audit.ts'
import { auditLineSchema } from '../../../src/json/audit/schema.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { messageId, timestamp } from '../../support/messages/messages.ts'
import { auditFile, entry, openAudit } from './audit.ts'

const id = messageId(1)
const call = { id, tool_id: 'tc_1', tool_name: 'bash' }
const forms: readonly LogForm[] = [
  { type: 'user', id, content: 'go' },
  { type: 'assistant_text', id, content: 'I will.' },
  { type: 'assistant_action', ...call, tool_args: { command: 'ls', more: [1, null] } },
  { type: 'tool_result', ...call, success: true, result: 'a.txt', executed_at: timestamp },
  { type: 'tool_error', ...call, success: false, error: 'no', executed_at: timestamp },
  systemContext('Be brief.'),
]

it('knows all fields of all lines of an audit log, in each form', async () => {
  const directory = await folderWith()
  const log = openAudit(directory)
  for (const message of forms) log.append({ ...entry(1), message })
  log.append({ ...entry(2), audit: { files: [{ path: 'a.txt', before: null }] } })
  await log.close()
  const lines = (await readFile(auditFile(directory), 'utf8')).trimEnd().split('\n')
  const values = lines.map((line): unknown => JSON.parse(line))
  expect(values.map((value) => auditLineSchema.parse(value))).toEqual(values)
  expect(values).toHaveLength(forms.length + 2)
})

it.each([
  ['decision', 'made_up'],
  ['hash', 'x'],
  ['message', { type: 'nobody' }],
])('refuses a line with another %s', async (field, value) => {
  const directory = await folderWith()
  const log = openAudit(directory)
  log.append(entry(1))
  await log.close()
  const [, line = ''] = (await readFile(auditFile(directory), 'utf8')).split('\n')
  expect(auditLineSchema.safeParse({ ...JSON.parse(line), [field]: value }).success).toBe(false)
})
