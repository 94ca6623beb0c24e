import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/command-table.ts'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

describe('a command', () => {
  it.each(Object.keys(commands))('%s prints its help and does nothing else', async (name) => {
    const { pipe, server } = await openWorld()
    const asked =
      name === 'help'
        ? [['help']]
        : [
            [name, 'x', '--help'],
            ['help', name],
            // All commands read the short flag, and the flag alone, by the same table.
            ...(name === 'task'
              ? [
                  [name, '-h'],
                  [name, '--help'],
                ]
              : []),
          ]
    const [first, ...others] = await Promise.all(asked.map((args) => pipe(args)))
    expect(first?.stdout).toMatch(name === 'help' ? /^pipe: a coding agent/ : new RegExp(`^pipe ${name}: `))
    // `pipe help task` also explains the term.
    for (const run of others) {
      expectRun(run, { stdout: expect.any(String) })
      expect(run.stdout.slice(0, first?.stdout.length)).toBe(first?.stdout)
    }
    expect(server.requests).toEqual([])
  })
})

describe('the listing of a command', () => {
  it('is a JSON document even if it is empty', async () => {
    const { pipe } = await openWorld()
    const env = { FAKE_BASE_URL: 'http://127.0.0.1:1' }
    for (const [args, expected] of [
      [['sessions', '--json'], { sessions: [] }],
      [['undo', '--list', '--json'], { turns: [] }],
      [['task', '--json'], { tasks: [] }],
      [['race', 'list', '--json'], { results: [] }],
      [['trust', 'list', '--json'], { folders: [] }],
      [['audit', 'list', '--json'], { logs: [] }],
      [['models', 'no such model', '--json'], { models: [] }],
      [['auth', 'list', '--json'], { stored: [] }],
    ] as const)
      expect(JSON.parse((await pipe(args, { env })).stdout)).toEqual(expected)
  })
})

describe('a session name', () => {
  it('works for -s, -r, --fork, sessions show and audit show', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('One.'), say('Other.'), say('Two.'), say('Three.'))
    await pipe(['-s', 'work', 'begin'])
    await pipe(['-s', 'other', 'begin too'])
    expectRun(await pipe(['-r', 'work', 'go on']), { stdout: 'Two.\n' })
    expectRun(await pipe(['--fork', 'work', 'go on']), { stdout: 'Three.\n' })
    expect((await pipe(['sessions', 'show', 'work'])).stdout).toContain('Two.')
    expect((await pipe(['audit', 'show', 'work'])).stdout).toContain('Two.')
    const said = server.requests.slice(2).map(({ body }) => JSON.stringify(body).includes('work go on'))
    expect(said).toEqual([false, false])
    expect(await sessions()).toHaveLength(3)
  })

  it('that is mistyped is refused with a suggestion, and nothing is sent to the model', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('One.'))
    await pipe(['-s', 'work', 'begin'])
    const run = await pipe(['-r', 'wrok', 'go on'])
    expect([run.code, run.stdout]).toEqual([42, ''])
    expect(run.stderr).toContain('no session is called wrok; did you mean -r work?')
    expect(server.requests).toHaveLength(1)
  })
})
