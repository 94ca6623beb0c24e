import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../../src/error.ts'
import { expectRun } from '../../support/programs/program.ts'
import { isOneFile, openWorld, root } from '../../support/programs/world.ts'

const page = readFileSync(join(root, 'docs/reference.md'), 'utf8')

/** Returns the text block between two markers of the manual. */
function block(marker: string): string {
  const [, text = ''] = page.split(`<!-- ${marker} -->\n\`\`\`text\n`)
  return text.slice(0, text.indexOf(`\`\`\`\n<!-- /${marker} -->`))
}

describe('the help', () => {
  it.each([['--help'], ['-h'], ['help'], ['--json', 'hi', '--help']])(
    '%s prints the text in the manual',
    async (...args) => {
      const { pipe } = await openWorld()
      expectRun(await pipe(args), { stdout: block('help') })
    },
  )

  it.each([[['--help', 'exit-codes']], [['help', 'exit-codes']]])(
    '%j prints the text in the manual',
    async (args) => {
      const { pipe } = await openWorld()
      expectRun(await pipe(args), { stdout: block('exit-codes') })
    },
  )

  it('explains a term of the domain, and refuses a word that is none', async () => {
    const { pipe } = await openWorld()
    const elf = await pipe(['help', 'ELF'])
    expectRun(elf, { stdout: expect.stringMatching(/^Elf \(gnoma-domain-model\)\n/) })
    expect(elf.stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expectRun(await pipe(['help', 'elf', '--help']), { stdout: elf.stdout })
    expectRun(await pipe(['help', 'task', 'state', 'machine']), {
      stdout: expect.stringContaining('in_progress → canceled'),
    })
    expectRun(await pipe(['help', 'elv']), {
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Did you mean pipe help elf?'),
    })
  })

  it.each(['licences', 'licenses'])('%s prints the licences of the packages inside', async (topic) => {
    const { pipe } = await openWorld()
    const { stdout } = await pipe(['help', topic])
    for (const inside of ['react', 'zod', '@anthropic-ai/sdk', '@vscode/tree-sitter-wasm', 'react-dom'])
      expect(stdout).toMatch(new RegExp(`^${inside} \\d[^ ]* \\((MIT|Apache-2.0)\\)$`, 'm'))
    expect(stdout).toContain('Permission is hereby granted, free of charge')
  })

  it('names the exit code of every error', async () => {
    const { pipe } = await openWorld()
    const { stdout } = await pipe(['--help', 'exit-codes'])
    const named = stdout.split('\n').map((line) => Number.parseInt(line, 10))
    expect(Object.values(exitCodes).filter((code) => !named.includes(code))).toEqual([])
  })

  it.each(['--version', '-V'])('%s prints the version of the package', async (flag) => {
    const { pipe } = await openWorld()
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const stdout = `${version}${isOneFile ? ' (one file)' : ''}\n`
    expectRun(await pipe([flag]), { stdout })
    expectRun(await pipe(['-q', flag]), { stdout })
  })
})
