import { describe, expect, it } from 'vitest'
import { exitCodeText, helpText } from '../../src/cli/help.ts'
import { options } from '../../src/cli/options.ts'
import { signalExitCodes } from '../../src/cli/signals.ts'
import { exitCodes } from '../../src/error.ts'

describe('the help', () => {
  it('has a line for every flag, with its value and what it does', () => {
    const lines = helpText().split('\n')
    for (const option of options) {
      const short = 'short' in option ? `-${option.short}, ` : '    '
      const value = !('value' in option)
        ? ''
        : 'optionalId' in option
          ? ` [${option.value}]`
          : ` ${option.value}`
      const found = lines.filter((line) => line.startsWith(`  ${short}--${option.name}${value} `))
      expect([option.name, found.length, found[0]?.endsWith(`  ${option.help}`)]).toEqual([
        option.name,
        1,
        true,
      ])
    }
  })

  it('begins with what pipe is and holds nothing but lines of text', () => {
    expect(helpText()).toMatch(/^pipe: a coding agent for the terminal\n\nUsage\n/)
    expect(helpText().replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
})

describe('the list of exit codes', () => {
  it('explains every code that a run can end with, once, in order', () => {
    const listed = exitCodeText()
      .trimEnd()
      .split('\n')
      .map((line) => Number(/^ {0,2}(\d+) {2}\S/.exec(line)?.[1]))
    const used = [0, ...Object.values(exitCodes), ...Object.values(signalExitCodes)]
    expect(listed).toEqual([...new Set(used)].sort((a, b) => a - b))
  })
})
