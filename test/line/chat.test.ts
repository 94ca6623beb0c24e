import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Abilities, ConversationView } from '../../src/conversation-view.ts'
import { runChat } from '../../src/line/chat.ts'
import type { ScriptRound } from '../../src/replay/script.ts'
import { openAgent, round, says } from '../support/agent.ts'
import { capture } from '../support/host.ts'
import { text, user } from '../support/messages.ts'

const unused = () => Promise.reject(new Error('not expected'))

/** Holds a conversation with a scripted model in which these lines are typed. */
async function typed(rounds: readonly ScriptRound[], ...lines: readonly string[]) {
  const { engine } = openAgent({ rounds })
  const view: ConversationView = {
    engine,
    sessionId: 'abc',
    model: 'replay/script',
    mode: 'default',
    warnings: ['a damaged line'],
  }
  const abilities: Required<Abilities> = {
    compose: (words) => user(text(words)),
    complaint: () => undefined,
    branch: () => 'main',
    contextWindow: () => undefined,
    chooseModel: unused,
    readMode: () => undefined,
    setMode: async () => undefined,
    trustQuestion: () => undefined,
    answerTrust: unused,
    undo: async ({ redo, force }) => `undone: ${redo} ${force}`,
    newConversation: unused,
    openConversation: unused,
  }
  const [stdout, stderr] = [capture(true), capture(true)]
  const keyboard = new PassThrough()
  keyboard.write(lines.map((line) => `${line}\r`).join(''))
  const resumable = await runChat({
    keyboard,
    echo: new PassThrough().resume(),
    stdout,
    stderr,
    conversation: { view: () => view, abilities: () => abilities },
    signal: new AbortController().signal,
    onGone: () => undefined,
    watchInterrupt: () => () => undefined,
  })
  return { resumable, stdout: stdout.text(), stderr: stderr.text() }
}

const greeting = 'pipe: a damaged line\npipe replay/script · Ctrl+C stops, Ctrl+D leaves\n'

describe('a conversation line by line', () => {
  it('answers each line, and returns the session to resume', async () => {
    const rounds = [round(says('first')), round(says('second'))]
    expect(await typed(rounds, 'one', 'two', '/quit')).toEqual({
      resumable: 'abc',
      stdout: 'first\nsecond\n',
      stderr: greeting,
    })
  })

  it('obeys commands, and has nothing to resume without a message', async () => {
    expect(await typed([], '', '/model', '/redo force', '/exit')).toEqual({
      resumable: undefined,
      stdout: '',
      stderr: `${greeting}model: replay/script\nundone: true true\n`,
    })
  })

  it('continues after a command that fails', async () => {
    const { stderr } = await typed([], '/undoo', '/quit')
    expect(stderr).toBe(`${greeting}pipe: unknown command /undoo: did you mean /undo?\n`)
  })
})
