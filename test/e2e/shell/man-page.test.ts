import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type OptionName, options } from '../../../src/cli/cli-options.ts'
import { commands } from '../../../src/cli/commands/command-table.ts'
import { exitCodes } from '../../../src/error.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, root } from '../../support/programs/world.ts'

const hasGroff = spawnSync('groff', ['--version']).status === 0

describe('the manual page', () => {
  it('is the one that the program prints', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['help', '--man']), { stdout: readFileSync(join(root, 'man/pipe.1'), 'utf8') })
  })

  it.skipIf(!hasGroff)(
    'is without a warning of groff, and names every command, flag and exit code',
    async () => {
      const { shell } = await openWorld()
      const run = await shell('set -o pipefail; pipe help --man | groff -man -ww -Tutf8 -rLL=200n -P-cbou')
      expectRun(run, { stdout: expect.stringMatching(/^PIPE\(1\)/) })
      const names: readonly OptionName[] = options.map(({ name }) => name)
      const wanted = [
        ...names.map((name) => `--${name}`),
        ...Object.keys(commands).map((name) => `pipe ${name}`),
      ]
      expect(wanted.filter((words) => !run.stdout.includes(words))).toEqual([])
      const status = run.stdout.slice(run.stdout.indexOf('EXIT STATUS'))
      expect(Object.values(exitCodes).filter((code) => !new RegExp(`^ +${code} `, 'm').test(status))).toEqual(
        [],
      )
    },
  )
})
