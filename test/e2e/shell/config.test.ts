import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

/** A world whose config.json has comments. */
async function commented(): Promise<World & { readonly file: string }> {
  const world = await openWorld()
  await world.configure('{\n  // mine\n  "model": "ollama/x", // the small one\n  "audit": "full",\n}\n')
  return { ...world, file: join(world.home, 'config.json') }
}

describe('pipe config', () => {
  it('sets and removes one setting, and keeps all else in the file', async () => {
    const { pipe, file } = await commented()
    expectRun(await pipe(['config', 'set', 'model', 'ollama/y']), {
      stdout: `model = "ollama/y" in ${file}\n`,
    })
    expectRun(await pipe(['config', 'set', 'models."ollama/y-2.5".images', 'true']), {
      stdout: `models."ollama/y-2.5".images = true in ${file}\n`,
    })
    expectRun(await pipe(['config', 'unset', 'audit']), { stdout: `removed audit from ${file}\n` })
    expectRun(await pipe(['config', 'unset', 'audit']), {
      code: 1,
      stdout: '',
      stderr: complaint('does not set audit'),
    })
    expect(await readFile(file, 'utf8')).toBe(
      '{\n  // mine\n  "model": "ollama/y", // the small one\n  "models": {\n    "ollama/y-2.5": {\n      "images": true\n    }\n  },\n}\n',
    )
    expectRun(await pipe(['config', 'get', 'models."ollama/y-2.5".images']), { stdout: 'true\n' })
  })

  it.each([
    [['fallback', '["a/b", "c/d"]'], '["a/b","c/d"]'],
    [['system_prompt', '42'], '42'],
    [['system_prompt', 'Be', 'brief.'], 'Be brief.'],
    [['memory.budget', '500'], '500'],
  ])('set %j is read as JSON or as text, as the setting needs', async ([key = '', ...words], stdout) => {
    const { pipe } = await openWorld()
    expect(await pipe(['config', 'set', key, ...words])).toMatchObject({ code: 0, stderr: '' })
    expectRun(await pipe(['config', 'get', key]), { stdout: `${stdout}\n` })
  })

  it.each([
    [['permissions.mode', 'wild'], 'permissions.mode: '],
    [['memory.budget', 'many'], 'memory.budget: '],
    [['modle', 'a/b'], 'there is no setting called modle; did you mean model?'],
    [['a..b', 'x'], '"a..b" is not the name of a setting'],
    [['model.x', 'y'], 'model'],
  ])('refuses set %j, and writes nothing', async (words, reason) => {
    const { pipe, home } = await openWorld()
    const before = await readFile(join(home, 'config.json'), 'utf8')
    expectRun(await pipe(['config', 'set', ...words]), { code: 2, stdout: '', stderr: complaint(reason) })
    expect(await readFile(join(home, 'config.json'), 'utf8')).toBe(before)
  })

  it('makes a file that gets a secret its owner’s alone', async () => {
    const { pipe, home } = await openWorld()
    const file = join(home, 'config.json')
    await chmod(file, 0o644)
    await pipe(['config', 'set', 'local', 'false'])
    expect(await modeOf(file)).toBe(0o644)
    const run = await pipe(['config', 'set', 'providers.fake.headers.x-team', 'opensesame'])
    expectRun(run, { stdout: `providers.fake.headers.x-team = "***" in ${file}\n` })
    expect(await modeOf(file)).toBe(0o600)
  })

  it('lists what is in force with its origin, and no secret', async () => {
    const { pipe, home, cwd, env, put, configure } = await openWorld()
    await configure({
      model: 'ollama/x',
      permissions: { deny: ['Read(.env)'] },
      providers: {
        mine: { base_url: 'http://127.0.0.1:1/v1', headers: { authorization: 'Bearer abcdefgh' } },
      },
    })
    await put('.pipe/config.json', '{"permissions": {"deny": ["Bash(rm:*)"]}, "prefer": "cost"}')
    const run = await pipe(['config', 'list'], { env: { ...env, PIPE_MODEL: 'ollama/z' } })
    const [own, project] = [join(home, 'config.json'), join(cwd, '.pipe/config.json')]
    expectRun(run, {
      stdout: [
        'model = "ollama/z"  (PIPE_MODEL)',
        `permissions.deny = ["Read(.env)","Bash(rm:*)"]  (${own}, ${project})`,
        `providers.mine.base_url = "http://127.0.0.1:1/v1"  (${own})`,
        `providers.mine.headers.authorization = "***"  (${own})`,
        `prefer = "cost"  (${project})`,
        '',
      ].join('\n'),
    })
    const { stdout } = await pipe(['config', 'list', '--json', '--scope', 'project'])
    expect(JSON.parse(stdout)).toEqual({
      settings: [
        { key: 'permissions.deny', value: ['Bash(rm:*)'], origins: [{ type: 'project', name: project }] },
        { key: 'prefer', value: 'cost', origins: [{ type: 'project', name: project }] },
      ],
    })
  })

  it('sets for a project only what a project may set', async () => {
    const { pipe, cwd, shell } = await openWorld()
    await shell('git init -q .')
    const file = join(cwd, '.pipe/config.local.json')
    expectRun(await pipe(['config', 'path', '--scope', 'local']), { stdout: `${file}\n` })
    expectRun(await pipe(['config', 'set', 'prefer', 'cost', '--scope', 'local']), {
      stdout: `prefer = "cost" in ${file}\n`,
    })
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ prefer: 'cost' })
    for (const [key, value, reason] of [
      ['providers.mine.base_url', 'http://127.0.0.1:1/v1', 'only your own settings'],
      ['permissions.mode', 'bypass', 'looser than your own'],
    ] as const)
      expectRun(await pipe(['config', 'set', key, value, '--scope', 'project']), {
        code: 2,
        stdout: '',
        stderr: complaint(reason),
      })
  })

  it('says what is not set by its exit code, and what is no setting', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['config', 'get', 'audit']), { code: 1, stdout: '' })
    for (const name of ['constructor', '__proto__', '"\\q"'])
      expectRun(await pipe(['config', 'get', name]), { code: 2, stdout: '', stderr: expect.any(String) })
    expectRun(await pipe(['config', 'get', 'audti']), {
      code: 2,
      stdout: '',
      stderr: complaint('did you mean audit?'),
    })
  })

  it('opens the file in the editor, and says what cannot be used then', async () => {
    const { pipe, env, home, temp } = await openWorld()
    const editor = join(temp, 'editor')
    await writeFile(editor, '#!/bin/sh\necho "{ broken" > "$1"\n', { mode: 0o755 })
    const edit = () => pipe(['config', 'edit'], { env: { ...env, EDITOR: editor } })
    expectRun(await edit(), { code: 52, stdout: '', stderr: complaint('config.json:1:3: not valid JSON') })
    // What the user wrote stays.
    expect(await readFile(join(home, 'config.json'), 'utf8')).toBe('{ broken\n')
    await writeFile(editor, `#!/bin/sh\necho '{ "audit": "off" }' > "$1"\n`)
    expectRun(await edit(), { stdout: '' })
    expectRun(await pipe(['config', 'get', 'audit']), { stdout: 'off\n' })
  })
})
