import { describe, expect, it } from 'vitest'
import { options, ownersOf } from '../../../../src/cli/cli-options.ts'
import { actionNames } from '../../../../src/cli/commands/cli-command.ts'
import { commands } from '../../../../src/cli/commands/command-table.ts'
import { splitLine } from '../../../../src/cli/commands/completion/split-line.ts'
import { wantedAt } from '../../../../src/cli/commands/completion/wanted-values.ts'
import type { Option } from '../../../../src/cli/option.ts'

const table: readonly Option[] = options

/** Returns what can stand at the end of a line behind `pipe`: its values, or their kind. */
function at(line: string): readonly string[] | string {
  const words = splitLine(line)
  const wanted = wantedAt({ before: words.slice(0, -1), current: words.at(-1) ?? '' }, commands)
  if (wanted.type === 'choices') return wanted.choices.map(({ value }) => wanted.prefix + value)
  return wanted.prefix + (wanted.type === 'values' ? wanted.source : wanted.type)
}

describe('what can stand at the cursor', () => {
  it('is every command as the first word, and every action behind its command', () => {
    expect(at('')).toEqual(Object.keys(commands))
    for (const [name, command] of Object.entries(commands)) {
      const names = actionNames(command)
      if (names.length > 0) expect(at(`${name} `)).toEqual(names)
    }
  })

  it('is every flag of a run, and every flag of a command behind it', () => {
    expect(at('-')).toEqual(table.filter((one) => ownersOf(one).length === 0).map(({ name }) => `--${name}`))
    for (const option of table)
      for (const name of ownersOf(option))
        if (name in commands)
          expect([name, at(`${name} --`)]).toEqual([name, expect.arrayContaining([`--${option.name}`])])
  })

  it.each([
    ['-m ', 'models'],
    ['--model=x', '--model=models'],
    ['--fallback-model a/b,c', 'a/b,models'],
    ['-qm ', 'models'],
    ['--effort ', ['off', 'minimal', 'low', 'medium', 'high', 'xhigh']],
    ['--thinking=', ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'].map((one) => `--thinking=${one}`)],
    ['-r ', 'sessions'],
    ['-r abc ', expect.arrayContaining(['sessions'])],
    ['-r -', expect.arrayContaining(['--model'])],
    ['--agent ', 'agents'],
    ['-f ', 'files'],
    ['-C ', 'folders'],
    ['--max-turns ', 'nothing'],
    ['-o ', ['text', 'json', 'stream-json', 'pipe']],
    ['sessions show ', 'sessions'],
    ['sessions export x ', 'files'],
    ['sessions delete a b ', 'sessions'],
    ['sessions show --', expect.not.arrayContaining(['--keep', '--model'])],
    ['sessions prune --', expect.arrayContaining(['--keep', '--help', '--json'])],
    ['-m a/b sessions show ', 'sessions'],
    ['task show ', 'tasks'],
    ['task -f ', expect.arrayContaining(['log'])],
    ['auth set ', 'providers'],
    ['agents show ', 'agents'],
    ['help ', expect.arrayContaining(['sessions', 'exit-codes'])],
    ['"why is it" ', 'files'],
    ['fix ', 'files'],
    ['fix @src', '@files'],
    ['-p ', 'files'],
    ['-- ', 'files'],
    ['-- sessions ', 'files'],
  ])('behind pipe %s', (line, expected) => {
    expect(at(line)).toEqual(expected)
  })
})

describe('a line of bash', () => {
  it.each([
    ['pipe ', ['pipe', '']],
    ['  pipe -m a', ['pipe', '-m', 'a']],
    ['pipe "a b" \'c "d', ['pipe', 'a b', 'c "d']],
    ['pipe a\\ b"c\\"d"', ['pipe', 'a bc"d']],
    ['pipe a\\', ['pipe', 'a']],
  ])('%j is split into words', (line, words) => {
    expect(splitLine(line)).toEqual(words)
  })
})
