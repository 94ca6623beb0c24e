import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exitCodes } from '../../src/error.ts'
import { expectRun } from '../support/program.ts'
import { outlineRequest, say } from '../support/replies.ts'
import { openWorld, root } from '../support/world.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The text block between two markers of the README. */
function block(marker: string): string {
  const [, text = ''] =
    new RegExp(`<!-- ${marker} -->\n\`\`\`text\n([sS]*?)\`\`\`\n<!-- /${marker} -->`).exec(readme) ?? []
  return text
}

describe('the help', () => {
  it.each([['--help'], ['-h'], ['help'], ['--json', 'hi', '--help']])(
    '%s is what the README says',
    async (...args) => {
      const { pipe } = await openWorld()
      expectRun(await pipe(args), { stdout: block('help') })
    },
  )

  it.each([[['--help', 'exit-codes']], [['help', 'exit-codes']]])(
    '%j is what the README says',
    async (args) => {
      const { pipe } = await openWorld()
      expectRun(await pipe(args), { stdout: block('exit-codes') })
    },
  )

  it('names every exit code that an error has', async () => {
    const { pipe } = await openWorld()
    const { stdout } = await pipe(['--help', 'exit-codes'])
    const named = stdout.split('\n').map((line) => Number.parseInt(line, 10))
    expect(Object.values(exitCodes).filter((code) => !named.includes(code))).toEqual([])
  })

  it.each(['--version', '-V'])('%s is the version of the package', async (flag) => {
    const { pipe } = await openWorld()
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expectRun(await pipe([flag]), { stdout: `${version}\n` })
    expectRun(await pipe(['-q', flag]), { stdout: `${version}\n` })
  })
})

describe('a request', () => {
  it('spends at most 5,600 bytes on the system prompt and the tools', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('Hello.'))
    await pipe(['hi'])
    const [request] = server.requests
    const [system = ''] = request === undefined ? [] : outlineRequest(request.body)
    const tools = request?.body.tools ?? []
    expect(tools.map((tool) => tool.function.name).sort()).toEqual([
      'bash',
      'edit',
      'glob',
      'grep',
      'read',
      'write',
    ])
    const bytes = Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(tools))
    expect(bytes).toBeGreaterThan(2_000)
    expect(bytes).toBeLessThanOrEqual(5_600)
  })
})
