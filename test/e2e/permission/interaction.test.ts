import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

type Fields = Readonly<Record<string, unknown>>

/** A world whose model reads a file and then asks to edit it. */
async function openEditing(): Promise<World> {
  const world = await openWorld()
  await world.put('a.txt', 'one\ntwo\n')
  world.server.reply(
    use(['read', { path: 'a.txt' }]),
    use(['edit', { path: 'a.txt', old_text: 'two', new_text: 'TWO' }]),
    say('So be it.'),
  )
  return world
}

/** The events of these types that the run wrote to its file `events`. */
async function eventsOf({ cwd }: World, ...types: readonly string[]): Promise<readonly Fields[]> {
  const lines = (await readFile(join(cwd, 'events'), 'utf8')).trimEnd().split('\n')
  const events = lines.map((line): Fields => JSON.parse(line))
  return events.filter(({ type }) => types.some((one) => one === type))
}

/** The entries of the audit log from the first with this decision on, without the model's text. */
async function entriesFrom({ pipe }: World, first: string): Promise<readonly Fields[]> {
  const { stdout } = await pipe(['audit', 'export', '--json'])
  const { entries }: { readonly entries: readonly Fields[] } = JSON.parse(stdout)
  const from = entries.findIndex(({ decision }) => decision === first)
  return entries.slice(from).filter(({ decision }) => decision !== 'assistant_text')
}

const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n'
const events = 'pipe -o stream-json "change it" > events'

describe.skipIf(!hasTerminal)('a question', () => {
  it('shows an edit as a diff; a refusal with a comment becomes an event, an audit entry and a tool result', async () => {
    const world = await openEditing()
    const terminal = await openTerminal(world, events)
    await terminal.until(/Edit a\.txt\?[\s\S]* {4}-two\n {4}\+TWO\n[\s\S]*\n>$/)
    await terminal.line('keep it small')
    await terminal.until(/ended 0$/)
    const [requested, responded, ended] = (
      await eventsOf(world, 'interaction_requested', 'interaction_responded', 'tool_end')
    ).slice(1)
    const interaction_id = expect.stringMatching(/^ui_[\w-]{12}$/)
    expect(requested).toMatchObject({
      interaction: {
        id: interaction_id,
        kind: 'select',
        purpose: 'confirm_risky_action',
        display: {
          title: 'Edit a.txt?',
          content: diff,
          content_kind: 'diff',
        },
        options: [
          { id: 'allow', label: 'Yes, once', style: 'primary' },
          { id: 'allow_session' },
          { id: 'allow_always' },
          { id: 'allow_all' },
          { id: 'deny', label: 'No', style: 'danger', is_default: true },
        ],
      },
      call_id: 'call_0',
    })
    const answer = { selected_option_id: 'deny', comment: 'keep it small' }
    expect(responded).toMatchObject({
      response: { interaction_id, answered_by: 'user_local', ...answer },
    })
    expect(ended).toMatchObject({ is_error: true, details: { permission: 'denied' } })
    const call = { type: 'assistant_action', tool_name: 'edit' }
    expect((await entriesFrom(world, 'permission_asked')).slice(0, 4)).toMatchObject([
      {
        decision: 'permission_asked',
        message: call,
        audit: { actor: 'agent_pipe', kind: 'select', purpose: 'confirm_risky_action', interaction_id },
      },
      { decision: 'question_answered', message: call, audit: { actor: 'user_local', ...answer } },
      {
        decision: 'permission_denied',
        message: call,
        audit: { actor: 'user_local', by: 'person', judged: 'ask', ...answer },
      },
      { decision: 'tool_not_executed', message: { type: 'tool_error' } },
    ])
    const told = world.server.requests.map(({ body }) => lastText(body)).at(-1)
    expect(told).toBe(
      'tool: Permission denied: the user said no: keep it small. The call was not carried out.',
    )
    expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  it.each([
    ['the user presses Ctrl+D', 'C-d', /ended 0$/, 'user_local', 'permission_denied'],
    ['the run is interrupted', 'C-c', /ended 130$/, 'agent_pipe', 'tool_not_executed'],
  ])(
    'is cancelled when %s, and writes an event and an audit entry',
    async (_, key, end, answeredBy, next) => {
      const world = await openEditing()
      const terminal = await openTerminal(world, events)
      await terminal.until(/Edit a\.txt\?[\s\S]*\n>$/)
      await terminal.key(key)
      await terminal.until(end)
      expect(await eventsOf(world, 'interaction_responded')).toMatchObject([
        { response: { answered_by: answeredBy, cancelled: true } },
      ])
      const [, cancelled, after] = await entriesFrom(world, 'permission_asked')
      expect(cancelled).toMatchObject({
        decision: 'question_cancelled',
        audit: { actor: answeredBy, cancelled: true },
      })
      expect(after).toMatchObject({ decision: next })
      expect(await readFile(join(world.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
    },
  )
})

describe.skipIf(!hasTerminal)('input typed before a question', () => {
  it('does not answer it, whether a whole line or a part of one', async () => {
    const world = await openWorld()
    const gate = deferred()
    const call = { type: 'tool_call', name: 'bash', arguments: { command: 'touch made' } } as const
    world.server.reply(async (_, response) => {
      await gate.promise
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(replyEvents([call]).join(''))
    }, say('Done.'))
    const terminal = await openTerminal(world, events)
    await terminal.line('1')
    await terminal.key('1')
    await terminal.until(/^1\n1$/)
    gate.resolve()
    await terminal.until(/Run this command\?[\s\S]*\n>$/)
    await terminal.line('')
    await terminal.until(/ended 0$/)
    expect((await world.shell('ls')).stdout).toBe('events\n')
  })
})

describe.skipIf(!hasTerminal)('a permission that the user grants', () => {
  const touch = (name: string) => use(['bash', { command: `touch ${name}` }])

  it.each([
    ['what the question shows', '2', 'allow_session', { by: 'person' }],
    ['every command, after a second yes', '4\ny', 'allow_all', { by: 'rule', rule: 'bash' }],
  ])('covers %s, and lasts until the process ends', async (_, answer, option, second) => {
    const world = await openWorld()
    world.server.reply(touch('a'), touch('a'), touch('b'), say('Done.'))
    const terminal = await openTerminal(world, events)
    await terminal.until(/Run this command\?[\s\S]*\n>$/)
    const [first = '', ...more] = answer.split('\n')
    await terminal.line(first)
    for (const line of more) {
      await terminal.until(/Allow every command this session\? \[y\/N\]$/)
      await terminal.line(line)
    }
    if (more.length === 0) {
      await terminal.until(/touch b\n[\s\S]*\n>$/)
      await terminal.line('1')
    }
    await terminal.until(/ended 0$/)
    const granted = (await entriesFrom(world, 'permission_granted'))
      .filter(({ decision }) => decision === 'permission_granted')
      .map(({ audit }) => audit)
    expect(granted).toMatchObject([
      { by: 'person', selected_option_id: option },
      { by: 'rule', source: 'session' },
      second,
    ])
    world.server.reply(touch('a'), say('Done.'))
    const later = await world.pipe(['-q', '--json', 'again'])
    expect(JSON.parse(later.stdout).permission_denials).toHaveLength(1)
  })

  it('is saved as the rule shown if it is for always, and applies in the next run', async () => {
    const world = await openWorld()
    world.server.reply(touch('a'), say('Done.'))
    const terminal = await openTerminal(world, events)
    await terminal.until(/3 Yes, always: Bash\(touch a\) \(saved in \S+config\.json\)[\s\S]*\n>$/)
    await terminal.line('3')
    await terminal.until(/ended 0$/)
    expect(await eventsOf(world, 'rules_saved')).toMatchObject([{ rules: ['Bash(touch a)'] }])
    world.server.reply(touch('a'), say('Done.'))
    const later = await world.pipe(['-q', '--json', 'again'])
    expect(JSON.parse(later.stdout).permission_denials).toEqual([])
    const [granted] = await entriesFrom(world, 'permission_granted')
    expect(granted).toMatchObject({ audit: { by: 'rule', source: 'user', rule: 'Bash(touch a)' } })
  })
})
