import { describe, expect, it } from 'vitest'
import { options, ownersOf } from '../../src/cli/cli-options.ts'
import { spellAction } from '../../src/cli/commands/cli-command.ts'
import { commands } from '../../src/cli/commands/command-table.ts'
import { helpOn as helpOnTopic } from '../../src/cli/help.ts'
import { helpFor, type Option } from '../../src/cli/option.ts'
import type { Subcommand } from '../../src/cli/subcommands.ts'
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
      const [owner] = ownersOf(option)
      const lines = flagLines(helpOn(owner === undefined ? [] : [owner]), option)
      expect(lines.map((line) => line.endsWith(helpFor(option, owner)))).toEqual([true])
    },
  )

  const names = Object.keys(commands)
  const spoken = [[], ...names.map((name) => [name])].flatMap((topic) =>
    table.flatMap((option) =>
      flagLines(helpOn(topic), option).map((line) => ({ option, topic: topic.join(), line })),
    ),
  )

  it('says of a flag one thing wherever it means one thing', () => {
    const texts = new Map<string, Set<string>>()
    for (const { option, topic, line } of spoken) {
      if (option.varies === true || option.helpIn?.[topic as Subcommand] !== undefined) continue
      const [, text = ''] = /^.{6}--\S.*? {2,}(?:[a-z-]+(?:, [a-z-]+)*: )?(\S.*)$/.exec(line) ?? []
      texts.set(option.name, (texts.get(option.name) ?? new Set()).add(text))
    }
    const unequal = [...texts].filter(([, said]) => said.size > 1)
    expect(unequal).toEqual([])
  })

  it('says of a flag nothing about other commands', () => {
    const actionsOf = (topic: string) => new Map(Object.entries(commands)).get(topic)?.actions ?? []
    const others = (topic: string) =>
      names.filter((name) => !actionsOf(topic).some((action) => action.name === name)).join('|')
    const foreign = spoken.filter(({ topic, line }) =>
      new RegExp(`(?:; |  )(?:in commands|${others(topic)})(?: \\w+)?: `).test(line),
    )
    expect(foreign.map(({ line }) => line)).toEqual([])
  })

  it.each(table.filter(({ helpIn }) => helpIn !== undefined))(
    'explains --$name apart only in commands that take it',
    (option) => {
      const taking = names.filter((name) => flagLines(helpOn([name]), option).length > 0)
      expect(Object.keys(option.helpIn ?? {}).filter((name) => !taking.includes(name))).toEqual([])
    },
  )

  it.each(Object.entries(commands))(
    'on %s says what each action does, with a verb first',
    (_, { actions }) => {
      const verbs = /^(?:[a-z]+)\b/
      const nouns = /^(?:the|a|an|all|one|its|what|where|each|of|is|[a-z]+s)\b/
      for (const { help } of actions) {
        expect(help).toMatch(verbs)
        expect(help).not.toMatch(nouns)
      }
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
