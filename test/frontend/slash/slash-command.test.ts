import { describe, expect, it } from 'vitest'
import type { FrontendApi } from '../../../src/frontend/conversation-view.ts'
import { listSlashCommands, readSlashCommand } from '../../../src/frontend/slash/slash-command.ts'
import type { ThinkingLevel } from '../../../src/provider.ts'
import { text, user } from '../../support/messages/messages.ts'
import { thrown } from '../../support/thrown.ts'

const least: FrontendApi = {
  compose: (words) => user(text(words)),
  complaint: () => undefined,
  branch: () => undefined,
  readMode: (word) => (word === 'plan' ? 'plan' : undefined),
}
const api: FrontendApi = {
  ...least,
  undo: async () => '',
  setMode: async () => undefined,
  recall: async () => '',
  shellCommands: ['memory', 'plugin'],
  remember: async () => '',
  contextUse: () => ({ model: 'a/b', tokens: 0, isCounted: false, parts: [], autoCompact: true }),
}

const read = (line: string) => readSlashCommand(line, api)

describe('a slash command', () => {
  it.each([
    ['/help', { type: 'help' }],
    ['/exit', { type: 'quit' }],
    ['/mode', { type: 'mode', mode: undefined }],
    ['/mode plan', { type: 'mode', mode: 'plan' }],
    ['/recall  flaky  test ', { type: 'recall', words: 'flaky  test' }],
    ['/remember use  pnpm ', { type: 'remember', text: 'use  pnpm', scope: 'project' }],
    ['/remember --user use pnpm', { type: 'remember', text: 'use pnpm', scope: 'user' }],
    ['/remember --users are shy', { type: 'remember', text: '--users are shy', scope: 'project' }],
    ['/undo', { type: 'undo', redo: false, force: false }],
    ['/redo  force ', { type: 'undo', redo: true, force: true }],
    ['/compact', { type: 'compact', keep: undefined }],
    ['/compact keep', { type: 'compact', keep: undefined }],
    ['/compact keep all names ', { type: 'compact', keep: 'all names' }],
    ['/compact keeping in mind x', { type: 'compact', keep: 'keeping in mind x' }],
  ])('%s is read with its argument', (line, command) => expect(read(line)).toEqual(command))

  it.each(['explain /help', ' /help', '/etc/hosts is odd', '/a.b'])('%j is a message', (line) =>
    expect(read(line)).toBeUndefined(),
  )

  it.each([
    ['/hlep', 'unknown command /hlep: did you mean /help?'],
    ['/model x', 'unknown command /model: did you mean /mode?'],
    ['/tmp/undo', 'unknown command /tmp/undo: did you mean /undo?'],
    ['/memory list', 'unknown command /memory: run pipe memory in a shell'],
    ['/plugins', 'unknown command /plugins: run pipe plugin in a shell'],
    ['/mode fast', 'no mode fast: choose ask, accept-edits, plan, auto, bypass'],
    ['/recall', '/recall needs words, as in /recall flaky test'],
    ['/remember', '/remember needs a text, as in /remember tests need a database'],
    ['/remember --user', '/remember needs a text, as in /remember tests need a database'],
    ['/undo all', 'the only argument is force, not all'],
    ['/help\nme', '/help takes one line'],
  ])('%j is refused with a hint', async (line, message) =>
    expect(await thrown(() => read(line))).toMatchObject({ code: 'usage', message }),
  )

  it('may be a prompt that the user has written', () => {
    const prompts = () => [
      { name: 'fix', description: 'fix an issue', text: 'Fix $ARGUMENTS. $ARGUMENTS!', source: 'yours' },
      { name: 'tidy', description: 'tidy up', text: 'Tidy up.', source: 'of this project' },
      { name: 'help', description: 'hidden', text: 'x', source: 'yours' },
    ]
    const own = { ...least, prompts }
    const text = (line: string) => readSlashCommand(line, own)
    expect(['/fix $& 7', '/tidy', '/tidy src\nand test', '/help'].map(text)).toEqual([
      { type: 'prompt', text: 'Fix $& 7. $& 7!' },
      { type: 'prompt', text: 'Tidy up.' },
      { type: 'prompt', text: 'Tidy up.\n\nsrc\nand test' },
      { type: 'help' },
    ])
    expect(listSlashCommands(own).slice(-2)).toEqual([
      ['/fix', 'fix an issue (yours)'],
      ['/tidy', 'tidy up (of this project)'],
    ])
  })

  it.each([
    ['/move a "b c"', 'Move a to b c.'],
    ['/move a', 'Move a to .'],
    ['/move', 'Move $1 to $2.'],
    ['/git:pay it', 'Pay $5, or $1.50.\n\nit'],
    ['/skill:mend it', '/skill:mend it'],
    ['/mend', '/skill:mend'],
    ['/skill:help', '/skill:help'],
  ])('%s puts its words in their places', (line, sent) => {
    const skill = { description: 'x', source: 'a skill of yours', text: '/skill:mend $ARGUMENTS' }
    const prompts = () => [
      { name: 'move', description: 'x', text: 'Move $1 to $2.', source: 'yours', hint: 'FROM, TO' },
      { name: 'git:pay', description: 'x', text: 'Pay $5, or $1.50.', source: 'yours' },
      { ...skill, name: 'mend', alias: 'skill:mend' },
      { ...skill, name: 'help', alias: 'skill:help', text: '/skill:help $ARGUMENTS' },
    ]
    const own = { ...least, prompts }
    expect(readSlashCommand(line, own)).toEqual({ type: 'prompt', text: sent })
    expect(
      listSlashCommands(own)
        .map(([usage]) => usage)
        .slice(-4),
    ).toEqual(['/move FROM, TO', '/git:pay', '/mend', '/skill:help'])
  })

  it('that calls a skill is a message where the prompts are not known', () => {
    expect(read('/skill:mend it')).toBeUndefined()
  })

  it('refuses a thinking level that the model does not have', async () => {
    const thinking = (levels: readonly ThinkingLevel[] | undefined) => ({
      ...least,
      thinking: { level: () => undefined, levels: () => levels, set: () => undefined },
    })
    const level = (levels?: readonly ThinkingLevel[]) => readSlashCommand('/thinking high', thinking(levels))
    expect([level(), level(['low', 'high'])]).toEqual([
      { type: 'thinking', level: 'high' },
      { type: 'thinking', level: 'high' },
    ])
    expect(await thrown(() => level(['off', 'low']))).toMatchObject({
      message: 'there is no thinking level high here: choose off, low',
    })
    expect(await thrown(() => level([]))).toMatchObject({
      message: 'there is no thinking level high here: this model has none',
    })
  })

  it('is listed only if the front end has its ability', () => {
    const usages = (able: FrontendApi) => listSlashCommands(able).map(([usage]) => usage)
    expect(usages(least)).toEqual([
      ...['/help', '/compact [keep …]', '/cost', '/diff [all]', '/init', '/quit, /exit'],
    ])
    expect(usages(api)).toEqual([
      ...['/help', '/mode [MODE]', '/compact [keep …]', '/context', '/cost', '/diff [all]'],
      ...['/undo [force]', '/redo [force]', '/recall WORDS', '/remember TEXT'],
      ...['/init', '/quit, /exit'],
    ])
  })
})
