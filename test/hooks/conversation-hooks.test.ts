import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConversationHooks } from '../../src/hooks/conversation-hooks.ts'
import { text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'
import { openRunner, unchanging } from './runner.ts'

const options = { signal: new AbortController().signal }

function onEvent(event: string, command: string): object {
  return { [event]: [{ hooks: [{ type: 'command', command }] }] }
}

async function open(hooks: object, isElf = false) {
  const { runner, commands, cwd } = await openRunner(hooks)
  const conversation = new ConversationHooks({
    hooks: runner,
    changes: unchanging(runner),
    began: 'startup',
    ...(isElf && { elf: { agent_id: 'agent_elf', agent_type: 'review' } }),
  })
  onTestFinished(async () => {
    await conversation.close()
    await commands.close()
  })
  const seen = async () => JSON.parse(await readFile(join(cwd, 'seen'), 'utf8'))
  return { conversation, seen }
}

describe('a prompt', () => {
  it('keeps its id and its words', async () => {
    const { conversation } = await open(onEvent('UserPromptSubmit', 'echo more'))
    const message = user(text('hello'))
    expect(await conversation.admit(message, options)).toEqual({
      ...message,
      content: [
        text('<hook_context>\nPrograms that the user set up add this:\nmore\n</hook_context>'),
        text('hello'),
      ],
      metadata: { context: '1' },
    })
  })

  it('that is refused leaves the words of the start to the next one', async () => {
    const { conversation } = await open({
      ...onEvent('SessionStart', 'echo from the start'),
      ...onEvent('UserPromptSubmit', 'grep -q secret && exit 2; exit 0'),
    })
    expect(await thrown(() => conversation.admit(user(text('secret')), options))).toMatchObject({
      code: 'permission',
    })
    const { content } = await conversation.admit(user(text('hello')), options)
    expect(content).toHaveLength(2)
    const again = user(text('again'))
    expect(await conversation.admit(again, options)).toEqual(again)
  })
})

describe('the end of a turn', () => {
  it('of an elf is an event of its own', async () => {
    const { conversation, seen } = await open(
      { ...onEvent('SubagentStop', 'cat >seen; echo more >&2; exit 2'), ...onEvent('Stop', 'exit 2') },
      true,
    )
    expect(await conversation.ending({ said: 'Done.', timesProlonged: 0 }, options)).toBe(
      'A hook of this run does not let the turn end yet:\nmore',
    )
    expect(await seen()).toMatchObject({
      hook_event_name: 'SubagentStop',
      last_assistant_message: 'Done.',
      agent_id: 'agent_elf',
      agent_type: 'review',
    })
  })

  it('is put off eight times, and no more', async () => {
    const { conversation, seen } = await open(onEvent('Stop', 'cat >seen; echo more >&2; exit 2'))
    expect(await conversation.ending({ said: '', timesProlonged: 7 }, options)).toContain('more')
    expect(await seen()).toMatchObject({ stop_hook_active: true })
    expect(conversation.takeNotices()).toEqual([])
    expect(await conversation.ending({ said: '', timesProlonged: 8 }, options)).toBeUndefined()
    expect(conversation.takeNotices()).toEqual([
      'a hook wants the turn to go on again; it ends, because it went on 8 times before',
    ])
  })

  it('is put off by text for the model, which is said once', async () => {
    const answer = (more: object) =>
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'check it' }, ...more })}'`
    const { conversation } = await open(
      onEvent('Stop', `${answer({ decision: 'block', reason: 'check it' })}`),
    )
    const expected = 'A hook of this run does not let the turn end yet:\ncheck it'
    expect(await conversation.ending({ said: '', timesProlonged: 0 }, options)).toBe(expected)
    const { conversation: other } = await open(onEvent('Stop', answer({})))
    expect(await other.ending({ said: '', timesProlonged: 0 }, options)).toBe(expected)
  })

  it('stands if one hook ends it and another puts it off', async () => {
    const stop = `echo '{"continue": false}'`
    const { conversation } = await open({
      Stop: [
        {
          hooks: [
            { type: 'command', command: 'exit 2' },
            { type: 'command', command: stop },
          ],
        },
      ],
    })
    expect(await conversation.ending({ said: '', timesProlonged: 0 }, options)).toBeUndefined()
  })
})

it('a summary can be refused', async () => {
  const { conversation, seen } = await open(onEvent('PreCompact', 'cat >seen; echo not now >&2; exit 2'))
  expect(await conversation.compacting({ trigger: 'manual', keep: 'numbers' }, options)).toBe('not now')
  expect(await seen()).toMatchObject({ trigger: 'manual', custom_instructions: 'numbers' })
})

describe('an elf', () => {
  it('begins with what hooks add, once, and has neither prompts nor an end of the session', async () => {
    const context = (text: string) =>
      `echo '{"hookSpecificOutput": {"hookEventName": "SubagentStart", "additionalContext": "${text}"}}'`
    const group = (matcher: string) => ({ matcher, hooks: [{ type: 'command', command: context(matcher) }] })
    const { conversation } = await open(
      { SubagentStart: [group('review'), group('explore')], ...onEvent('SessionEnd', 'touch ended') },
      true,
    )
    const { content } = await conversation.beginning(user(text('look')), options)
    expect(content).toEqual([
      text('<hook_context>\nPrograms that the user set up add this:\nreview\n</hook_context>'),
      text('look'),
    ])
    const next = user(text('again'))
    expect(await conversation.beginning(next, options)).toEqual(next)
  })
})

it('hooks hear of a summary', async () => {
  const { conversation, seen } = await open(onEvent('PostCompact', 'cat >seen'))
  await conversation.compacted({ trigger: 'auto', summary: 'All went well.' }, options)
  expect(await seen()).toMatchObject({ trigger: 'auto', compact_summary: 'All went well.' })
})

describe('a SessionStart hook after a summary', () => {
  const group = { matcher: 'compact', hooks: [{ type: 'command', command: 'cat >seen; echo the rules' }] }
  const start = { SessionStart: [group] }
  const context = '<hook_context>\nPrograms that the user set up add this:\nthe rules\n</hook_context>'
  const compacted = { summary: 'All went well.' }

  it('tells the model at once where its turn goes on, else with the next prompt', async () => {
    const { conversation, seen } = await open(start)
    expect(await conversation.compacted({ trigger: 'auto', ...compacted }, options)).toBe(context)
    expect(await seen()).toMatchObject({ hook_event_name: 'SessionStart', source: 'compact' })
    expect(await conversation.compacted({ trigger: 'manual', ...compacted }, options)).toBeUndefined()
    const { content } = await conversation.admit(user(text('hello')), options)
    expect(content).toEqual([text(context), text('hello')])
  })

  it('does not run for an elf, or where no summary was made', async () => {
    const elf = await open(start, true)
    expect(await elf.conversation.compacted({ trigger: 'auto', ...compacted }, options)).toBeUndefined()
    const { conversation } = await open(start)
    expect(await conversation.compacted({ trigger: 'auto', summary: '' }, options)).toBeUndefined()
  })
})
