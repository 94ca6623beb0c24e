import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../src/actor.ts'
import { executorConformance } from '../../../src/conformance/suites.ts'
import { PipeError } from '../../../src/error.ts'
import { createDiskStore } from '../../../src/files/writing/disk-store.ts'
import { checkpointed, keepingFiles } from '../../../src/git/checkpoints/checkpointed.ts'
import type { Checkpoint, Checkpoints } from '../../../src/history/checkpoint.ts'
import type { ArtifactStore } from '../../../src/machine/artifact.ts'
import { textContent } from '../../../src/message.ts'
import { conforms } from '../../support/conforms.ts'
import { brief, calls, openAgent, play, round, says } from '../../support/conversations/agent.ts'
import { breaks, gives, scriptedTools, waits } from '../../support/conversations/scripted-tools.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { text, user } from '../../support/messages/messages.ts'

/** Checkpoints that save nothing and log their calls. */
function noted(journal: string[], saved?: Checkpoint): Checkpoints {
  return {
    begin: (message) => void journal.push(`begin ${textContent(message)}`),
    save: async ({ keepsFiles }) => {
      journal.push(keepsFiles === true ? 'save for files' : 'save')
      return saved
    },
    keep: async (path) => void journal.push(`keep ${path}`),
    end: async () => {
      journal.push('end')
      return saved
    },
  }
}

/** A conversation that logs tool calls and checkpoints in one journal. */
function open(rounds: Parameters<typeof openAgent>[0], saved?: Checkpoint) {
  const journal: string[] = []
  const checkpoints = noted(journal, saved)
  const tools = scriptedTools(
    {
      read: gives('text', { readOnly: true }),
      write: gives('written'),
      broken: breaks(new PipeError('tool', 'no bash here')),
    },
    journal,
  )
  const agent = openAgent({ executor: checkpointed(tools, checkpoints), checkpoints, ...rounds })
  return { agent, journal }
}

describe('a turn with checkpoints', () => {
  it('saves before each call that may change files, and once it is over', async () => {
    const { agent, journal } = open({
      rounds: [
        round(calls('tc_1', 'read'), calls('tc_2', 'write'), calls('tc_3', 'nope')),
        round(calls('tc_4', 'write')),
        round(says('Done.')),
      ],
    })
    await play(agent, { message: user(text('go')) })
    expect(journal).toEqual([
      'begin go',
      ...['run read', 'end read'],
      ...['save', 'run write', 'end write'],
      ...['save', 'run write', 'end write'],
      'end',
    ])
  })

  it('saves nothing before a command that the guard knows to only read', async () => {
    const journal: string[] = []
    const tools = scriptedTools({ bash: gives('ran') }, journal)
    const executor = checkpointed(tools, noted(journal))
    const signal = new AbortController().signal
    const actor: Actor = { id: 'agent_pipe', kind: 'agent', displayName: 'pipe', capabilities: [] }
    const context = { callId: 'tc_1', signal, actor }
    for await (const _ of executor.execute('bash', {}, { ...context, changesNothing: true }))
      expect.unreachable()
    for await (const _ of executor.execute('bash', {}, context)) expect.unreachable()
    expect(journal).toEqual(['run bash', 'end bash', 'save', 'run bash', 'end bash'])
  })

  it('emits checkpoints where they happen: inside the call, and after the turn without delaying it', async () => {
    const { agent } = open(
      { rounds: [round(calls('tc_1', 'write')), round(says('Done.'))] },
      { id: 'abc', notes: ['n'] },
    )
    const { events } = await play(agent)
    const shown = events.map(brief).filter((line) => /^(tool_start|tool_end|checkpoint|turn)/.test(line))
    expect(shown).toEqual([
      'turn_start',
      'tool_start tc_1',
      'checkpoint',
      'tool_end tc_1',
      'turn_end end_turn',
      'checkpoint',
    ])
    expect(events.find(({ type }) => type === 'checkpoint')).toMatchObject({ id: 'abc', notes: ['n'] })
  })

  it('keeps what a file was before it is written', async () => {
    const journal: string[] = []
    const path = join(await folderWith({}), 'a.txt')
    const files = createDiskStore()
    const watched: ArtifactStore = {
      ...files,
      writeFile: async (...args) => {
        await files.writeFile(...args)
        journal.push(`write ${args[0]}`)
      },
    }
    const signal = new AbortController().signal
    await keepingFiles(watched, noted(journal)).writeFile(path, Buffer.from('a'), { signal })
    expect([journal, readFileSync(path, 'utf8')]).toEqual([[`keep ${path}`, `write ${path}`], 'a'])
  })

  it('ends the checkpoints also if the turn fails or is stopped', async () => {
    const failed = open({ rounds: [round(calls('tc_1', 'broken'))] })
    const { turn } = await play(failed.agent)
    expect([turn.error?.message, failed.journal.at(-1)]).toEqual(['no bash here', 'end'])
    const stopped = open({ rounds: [round(calls('tc_1', 'write'))] })
    const stop = new AbortController()
    const { turn: aborted } = await play(stopped.agent, {
      signal: stop.signal,
      see: ({ type }) => void (type === 'checkpoint' || type === 'tool_start' ? stop.abort() : undefined),
    })
    expect([aborted.stopReason, stopped.journal.at(-1)]).toEqual(['aborted', 'end'])
  })
})

conforms(
  'an executor with checkpoints',
  executorConformance(async () => ({
    executor: checkpointed(
      scriptedTools({
        read: gives('text', { readOnly: true }),
        bash: gives('ran'),
        wait: waits(new Promise(() => undefined), { before: 'waiting', text: 'never' }),
      }),
      noted([]),
    ),
    good: { name: 'bash', arguments: {} },
    bad: { name: 'bash', arguments: [] },
    endless: { name: 'wait', arguments: {} },
  })),
)
