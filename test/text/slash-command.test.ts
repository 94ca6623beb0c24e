import { describe, expect, it } from 'vitest'
import type { Abilities } from '../../src/conversation-view.ts'
import { listSlashCommands, readSlashCommand } from '../../src/text/slash-command.ts'
import { text, user } from '../support/messages.ts'
import { thrown } from '../support/thrown.ts'

const least: Abilities = {
  compose: (words) => user(text(words)),
  complaint: () => undefined,
  branch: () => undefined,
  readMode: (word) => (word === 'plan' ? 'plan' : undefined),
}
const abilities: Abilities = {
  ...least,
  undo: async () => '',
  setMode: async () => undefined,
  recall: async () => '',
}

const read = (line: string) => readSlashCommand(line, abilities)

describe('a slash command', () => {
  it.each([
    ['/help', { type: 'help' }],
    ['/exit', { type: 'quit' }],
    ['/mode', { type: 'mode', mode: undefined }],
    ['/mode plan', { type: 'mode', mode: 'plan' }],
    ['/recall  flaky  test ', { type: 'recall', words: 'flaky  test' }],
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
    ['/mode fast', 'no mode fast: choose default, accept-edits, plan, auto, bypass'],
    ['/recall', '/recall needs words, as in /recall flaky test'],
    ['/undo all', 'the only argument is force, not all'],
    ['/help\nme', '/help takes one line'],
  ])('%j is refused with a hint', async (line, message) =>
    expect(await thrown(() => read(line))).toMatchObject({ code: 'usage', message }),
  )

  it('is listed only if the front end has its ability', () => {
    const usages = (able: Abilities) => listSlashCommands(able).map(([usage]) => usage)
    expect(usages(least)).toEqual(['/help', '/compact [keep …]', '/context', '/quit, /exit'])
    expect(usages(abilities)).toEqual([
      ...['/help', '/mode [MODE]', '/compact [keep …]', '/context', '/undo [force]'],
      ...['/redo [force]', '/recall WORDS', '/quit, /exit'],
    ])
  })
})
