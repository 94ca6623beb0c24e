import { readFile, writeFile } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { toLog } from '../../../../src/audit.ts'
import { type AuditFileOptions, openAuditLog } from '../../../../src/cli/library/audit/open-audit-file.ts'
import { auditLogConformance } from '../../../../src/conformance/audit-log.ts'
import { conforms } from '../../../support/conforms.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { assistant, call, text, toolResult, user } from '../../../support/messages/messages.ts'
import { thrown } from '../../../support/thrown.ts'

const actor = 'agent_mine'

function opened(options: AuditFileOptions) {
  const log = openAuditLog({ cwd: '/work', env: {}, ...options })
  onTestFinished(() => log.close())
  return log
}

async function all<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

conforms(
  'a log of the library keeps the promises of audit logs: it',
  auditLogConformance(async () => {
    const options = { cwd: '/work', env: {}, folder: await folderWith(), session: 'mine' }
    const reading = openAuditLog(options)
    return {
      log: openAuditLog(options),
      reopen: async () => openAuditLog(options),
      read: async () =>
        (await all(reading.entries())).map(({ actor, audit }) => ({ decision: 'feedback', actor, audit })),
    }
  }),
)

it('keeps each message in the form of the log, and gives it back in order', async () => {
  const log = opened({ folder: await folderWith(), session: 'mine' })
  const said = [user(text('Read it.')), assistant(text('I will.'), call('c1')), toolResult('c1', text('ok'))]
  for (const message of said.flatMap(toLog))
    log.append({ decision: 'feedback', actor, message, audit: { why: 'test' } })
  const entries = await all(log.entries())
  expect(entries.map(({ message }) => message?.['type'])).toEqual([
    'user',
    'assistant_text',
    'assistant_action',
    'tool_result',
  ])
  expect(entries[0]).toMatchObject({ actor, decision: 'feedback', audit: { why: 'test' } })
  expect(await log.verify()).toEqual({ lines: 5, head: log.head })
})

it('finds the line that somebody altered, and that the end is missing', async () => {
  const log = opened({ folder: await folderWith(), session: 'mine' })
  for (const n of [1, 2, 3]) log.append({ decision: 'feedback', actor, audit: { n } })
  const { head } = await log.verify()
  const whole = await readFile(log.path, 'utf8')
  await writeFile(log.path, whole.replace('"n":2', '"n":7'))
  expect(await log.verify()).toMatchObject({ lines: 2, fault: { line: 3 } })
  await writeFile(log.path, whole.split('\n').slice(0, -2).join('\n').concat('\n'))
  expect((await log.verify()).fault).toBeUndefined()
  expect((await log.verify({ head })).fault?.reason).toContain('lines were cut off')
})

it('keeps secrets out', async () => {
  const log = opened({ folder: await folderWith(), session: 'mine', secrets: ['open sesame'] })
  log.append({ decision: 'feedback', actor, audit: { said: 'open sesame, please' } })
  const [entry] = await all(log.entries())
  expect(entry?.audit).toEqual({ said: '[redacted], please' })
})

it('has one writer at a time, and goes on where another one ended', async () => {
  const folder = await folderWith()
  const [one, two] = [opened({ folder, session: 'mine' }), opened({ folder, session: 'mine' })]
  one.append({ decision: 'feedback', actor, audit: { n: 1 } })
  await one.sync()
  expect(await all(two.entries())).toHaveLength(1)
  two.append({ decision: 'feedback', actor, audit: { n: 2 } })
  expect(await thrown(() => two.sync())).toMatchObject({ code: 'conflict' })
  await one.close()
  expect(await two.verify()).toMatchObject({ lines: 3, head: two.head })
})

it('names a new log itself, in the folder of the user', async () => {
  const log = opened({ env: { PIPE_HOME: await folderWith() } })
  expect(await thrown(() => all(log.entries()))).toMatchObject({ code: 'not_found' })
  log.append({ decision: 'feedback', actor, audit: {} })
  expect(await all(log.entries())).toHaveLength(1)
  expect(log.path).toContain(`/audit/${log.session}.jsonl`)
  expect(await thrown(() => opened({ session: 'a/b' }))).toMatchObject({ code: 'input' })
})
