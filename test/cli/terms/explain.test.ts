import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/command-table.ts'
import { helpOn } from '../../../src/cli/help.ts'
import { explain } from '../../../src/cli/terms/explain.ts'
import { thrown } from '../../support/thrown.ts'

const help = (...topic: readonly string[]) => explain(topic, commands)

describe('pipe help', () => {
  it('explains a term', () => {
    expect(help('elf')).toMatch(
      /^Elf \(gnoma-domain-model\)\n\n {2}An agent that the call of another one started\. /,
    )
    expect(help('TaskView')).toContain(
      '  childTaskIds          TaskView.childTaskIds; child_task_ids on disk',
    )
    expect(help('waiting', 'message')).toMatch(/^waiting message \(Words of our own\)\n/)
  })

  it('explains a word that is a command and a term as both', () => {
    expect(help('task')).toBe(`${helpOn(['task'], commands)}\n${help('Task')}`)
    expect(help('Task')).toMatch(/^Task \(coauthor-domain-model\)\n/)
  })

  it('explains all other commands as --help does', () => {
    for (const topic of [[], ['exit-codes'], ['doctor'], ['task', 'list']])
      expect(help(...topic)).toBe(helpOn(topic, commands))
  })

  it('lists all terms', () => {
    const list = help('terms')
    for (const name of ['Elf', 'TaskView', 'AgentState', 'ConversationEntry', 'worktree'])
      expect(list).toContain(name)
    expect(list.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it.each([
    ['elv', 'elf'],
    ['taskveiw', 'TaskView'],
    ['stop_resaon', 'StopReason'],
    ['sesions', 'sessions'],
    ['exit-code', 'exit-codes'],
  ])('suggests the nearest topic for %s', async (word, close) => {
    expect(await thrown(() => help(word))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining(`not "${word}". Did you mean pipe help ${close}? `),
    })
  })

  it('suggests nothing for a word that is near none', async () => {
    expect(await thrown(() => help('refrigerator'))).toMatchObject({
      code: 'usage',
      message: expect.not.stringContaining('Did you mean'),
    })
  })
})
