import { readdirSync, statSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** Entries of a folder that others may access, with their modes. Skips the contents of git's private folders. */
function open(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.flatMap((name) => {
    if (/\.git\//.test(name)) return []
    const { mode } = statSync(join(folder, name))
    return (mode & 0o077) === 0 ? [] : [`${name} ${(mode & 0o777).toString(8)}`]
  })
}

it('SESS-335: for any umask, only the owner can access saved files, and temporary names cannot be guessed', async () => {
  const { shell, server, home } = await openWorld()
  const [config, state] = [join(dirname(home), 'config'), join(dirname(home), 'state')]
  await mkdir(config)
  await rename(home, join(config, 'pipe'))
  await shell(`chmod -R go= ${config}`)
  const env = { PIPE_HOME: '', XDG_CONFIG_HOME: config, XDG_STATE_HOME: state }
  const temporary = 'find "$TMPDIR" -mindepth 1 -printf "%m %P\\n" | sort'
  const names: string[] = []
  for (const flags of ['-s one --trust', '-c']) {
    server.reply(
      use(['bash', { command: 'seq 100000; touch mine' }], ['bash', { command: temporary }]),
      say('Done.'),
    )
    expectRun(await shell(`umask 000; pipe ${flags} --yolo go`, { env }), {
      stdout: 'Done.\n',
      stderr: expect.any(String),
    })
    const [request] = server.requests.slice(-1)
    const listed = request === undefined ? '' : lastText(request.body)
    expect(listed).toMatch(/^tool: (600 \S+\n)+(700 \S+\n?)+$/)
    names.push(...(/(?<=^700 )[^/\s]+$/m.exec(listed) ?? []))
  }
  const unguessable = expect.stringMatching(/^pipe-[0-9a-f-]{36}$/)
  expect([names, new Set(names).size]).toEqual([[unguessable, unguessable], 2])
  for (const command of ['trust', 'auth set fake <<< sk-1', 'undo', 'sessions']) {
    const run = await shell(`umask 000; pipe ${command}`, { env })
    expectRun(run, { stdout: expect.any(String), stderr: expect.any(String) })
  }
  expect(readdirSync(state, { recursive: true }).length).toBeGreaterThan(10)
  expect([open(state), open(config)]).toEqual([[], []])
})
