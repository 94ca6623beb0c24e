import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { isOneFile, openWorld, program, type World } from '../../support/programs/world.ts'

/** Copies the program alone into a folder that it may not write to. */
async function alone(world: World) {
  const folder = join(world.temp, 'alone')
  await mkdir(folder)
  await copyFile(program, join(folder, 'pipe'))
  await chmod(folder, 0o555)
  return { folder, path: join(folder, 'pipe') }
}

/** A module that reports that it was loaded. */
const spy = "require('node:fs').writeFileSync('loaded', __filename)"

describe('the program', () => {
  it.skipIf(!isOneFile)(
    'in one file runs a command without Node, and writes nothing beside itself',
    async () => {
      const world = await openWorld()
      const { folder, path } = await alone(world)
      world.server.reply(use(['bash', { command: 'echo ran; command -v node' }]), say('Done.'))
      const run = await world.shell(`PATH=/bin-of-nobody:$(dirname $(command -v bash)) ${path} --yolo go`)
      expectRun(run, { stdout: 'Done.\n' })
      expect(await readdir(folder)).toEqual(['pipe'])
    },
  )

  it('loads nothing from the project that it starts in', async () => {
    const world = await openWorld()
    for (const name of ['@vscode/ripgrep', 'pg-native', 'kerberos', 'react', 'debug', 'ws']) {
      await world.put(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
      await world.put(`node_modules/${name}/index.js`, spy)
    }
    await world.put('preload.js', spy)
    await world.put('bunfig.toml', 'preload = ["./preload.js"]\n')
    await world.put('.env', 'PIPE_MODEL=fake/other\nPIPE_HOME=/nowhere\n')
    await world.put('tsconfig.json', '{"compilerOptions": {"paths": {"*": ["./preload.js"]}}}')
    world.server.reply(use(['grep', { pattern: 'spied' }], ['bash', { command: 'echo hi' }]), say('Done.'))
    expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
    expect(await readdir(world.cwd)).not.toContain('loaded')
    expect(world.server.requests.map(({ body }) => body)).toMatchObject([
      { model: 'model-1' },
      { model: 'model-1' },
    ])
  })
})
