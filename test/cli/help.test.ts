import { describe, expect, it } from 'vitest'
import { options, ownersOf } from '../../src/cli/cli-options.ts'
import { spellAction } from '../../src/cli/commands/cli-command.ts'
import { commands } from '../../src/cli/commands/command-table.ts'
import { helpOn as helpOnTopic } from '../../src/cli/help.ts'
import type { Option } from '../../src/cli/option.ts'
import { exitCodes } from '../../src/error.ts'
import { signalExitCodes } from '../../src/frontend/ending-signal.ts'

const table: readonly Option[] = options
const helpOn = (topic: readonly string[]) => helpOnTopic(topic, commands)

function flagLines(help: string, { name, short, value, optional }: Option): readonly string[] {
  const begin = short === undefined ? '    ' : `-${short}, `
  const argument = value === undefined ? '' : argumentOf(value, optional)
  return help.split('\n').filter((line) => line.startsWith(`  ${begin}--${name}${argument} `))
}

function argumentOf(value: string, optional: Option['optional']): string {
  if (optional === 'inline') return `[=${value}]`
  return optional === undefined ? ` ${value}` : ` [${value}]`
}

describe('the help', () => {
  it.each(table.filter(({ hasNoEffect }) => hasNoEffect !== true))(
    'has a line for --$name, or its command’s help has',
    (option) => {
      const lines = flagLines(helpOn(ownersOf(option).slice(0, 1)), option)
      expect([lines.length, lines[0]?.endsWith(`  ${option.help}`)]).toEqual([1, true])
    },
  )

  it('names every command', () => {
    for (const [name, command] of Object.entries(commands))
      expect(helpOn([])).toMatch(new RegExp(`^  pipe ${name} +${escaped(command.about)}`, 'm'))
  })

  it.each(Object.entries(commands))(
    'on %s has its actions, flags, an example and exit codes',
    (name, command) => {
      const help = helpOn([name])
      for (const action of command.actions) {
        const form = `pipe ${name} ${spellAction(action)}`.trimEnd()
        expect(help).toMatch(
          new RegExp(`^  ${escaped(form)} +${escaped(action.help)}( \\(default\\))?$`, 'm'),
        )
        if (action.name !== undefined) expect(helpOn([name, action.name])).toBe(help)
      }
      for (const option of table.filter((one) => command.flags.some((flag) => flag === one.name)))
        expect(flagLines(help, option)).toHaveLength(1)
      expect(help).toContain(`\nExample\n  ${command.example}\n`)
      expect(help).toMatch(/\nExit codes\n {4}0 {2}done\n/)
    },
  )

  it('begins with a description of pipe and contains only text lines', () => {
    expect(helpOn([])).toMatch(/^pipe: a coding agent for the terminal\n\nUsage\n/)
    for (const topic of [[], ...Object.keys(commands).map((name) => [name])])
      expect(helpOn(topic).replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})

describe('the list of exit codes', () => {
  it('explains every exit code once, in order', () => {
    const listed = helpOn(['exit-codes'])
      .trimEnd()
      .split('\n')
      .map((line) => Number(/^ {0,2}(\d+) {2}\S/.exec(line)?.[1]))
    const used = [0, ...Object.values(exitCodes), ...Object.values(signalExitCodes)]
    expect(listed).toEqual([...new Set(used)].sort((a, b) => a - b))
  })
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
