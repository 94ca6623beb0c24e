import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { request, user } from '../driving/driving-setup.ts'
import { addDemo, demo, recordOf, rootVariable, skillFile } from './plugin-setup.ts'

const toolsIn = ({ server }: World) =>
  server.requests.map(({ body }) => (body.tools ?? []).map((tool) => tool.function.name))
const textIn = ({ server }: World, index = 0) => {
  const body = server.requests[index]?.body
  return body === undefined ? '' : outlineRequest(body).join('\n')
}

const find = use(['find_tools', { query: 'add numbers' }])
const note = complaint('no effect here: language servers')

describe('--plugin-dir', () => {
  it.each([[[]], [['--bare']], [['--setting-sources', '']]])(
    'brings all parts of a folder for one run, with %j',
    async (flags) => {
      const world = await openWorld()
      const folder = await folderWith(demo)
      world.server.reply(find, use(['mcp__plugin_demo_real__get_sum', { a: 1, b: 2 }]), say('Done.'))
      const run = ['--plugin-dir', folder, ...flags, '--allowed-tools=mcp__plugin_demo_real']
      expectRun(await world.pipe([...run, '/demo:git:commit all']), { stdout: 'Done.\n', stderr: note })
      expect(textIn(world)).toContain('Commit all')
      expect(textIn(world)).toContain('demo:greet')
      expect(textIn(world)).toContain(`hooked ${folder}`)
      expect(textIn(world, 2)).toContain('the sum is 3')
      expect(existsSync(recordOf(world))).toBe(false)

      world.server.reply(say('Helped.'))
      expectRun(await world.pipe([...run, '--agent', 'demo:helper', 'help me']), {
        stdout: 'Helped.\n',
        stderr: note,
      })
      expect(textIn(world, 3)).toContain('You help.')
    },
  )

  it('fills in its folder in what its skills and commands allow, and in hooks of those', async () => {
    const world = await openWorld()
    const fields = (name: string) => [
      ...['---', `name: ${name}`, 'description: works', `allowed-tools: Bash(sh ${rootVariable}/make.sh:*)`],
      ...['hooks:', '  Stop:', '    - hooks:', '        - type: command'],
      `          command: touch ${rootVariable}/${name}`,
      ...['---', `!\`sh ${rootVariable}/make.sh ${name}.made\``],
    ]
    const folder = await folderWith({
      'plugin.json': '{"name": "ops"}',
      'make.sh': 'touch "$1"',
      'skills/ship/SKILL.md': fields('ship').join('\n'),
      'commands/tidy.md': fields('tidy').join('\n'),
    })
    world.server.reply(say('Done.'), say('Done.'))
    for (const name of ['ship', 'tidy'])
      expectRun(await world.pipe(['--plugin-dir', folder, `/ops:${name}`]), { stdout: 'Done.\n', stderr: '' })
    expect((await world.shell('ls')).stdout).toBe('ship.made\ntidy.made\n')
    for (const name of ['ship', 'tidy']) expect(existsSync(join(folder, name))).toBe(true)
  })

  it('ends with its run, and stands before an added plugin of its name', async () => {
    const world = await openWorld()
    await addDemo(world)
    const folder = await folderWith({
      ...demo,
      'skills/greet/SKILL.md': skillFile('greet', 'Wave $ARGUMENTS'),
    })
    world.server.reply(say('One.'), say('Two.'))
    await world.pipe(['--plugin-dir', folder, '/demo:greet you'])
    await world.pipe(['/demo:greet you'])
    expect([0, 1].map((index) => textIn(world, index).includes('Wave you'))).toEqual([true, false])
  })

  it('leaves out its servers as --plugin-dir-no-mcp, and beside --strict-mcp-config', async () => {
    const world = await openWorld()
    const folder = await folderWith(demo)
    world.server.reply(say('One.'), say('Two.'))
    await world.pipe(['--plugin-dir-no-mcp', folder, 'hi'])
    await world.pipe(['--plugin-dir', folder, '--strict-mcp-config', 'hi'])
    expect(toolsIn(world).map((names) => names.includes('find_tools'))).toEqual([false, false])
    expect(textIn(world)).toContain('demo:greet')
  })

  it.each([
    ['./none', 42, /--plugin-dir \.\/none: there is no such folder/],
    ['broken', 52, /--plugin-dir broken: .*plugin\.json/],
  ])('says why %s is none', async (folder, code, message) => {
    const { pipe, put, server } = await openWorld()
    await put('broken/.claude-plugin/plugin.json', '{"name":')
    expectRun(await pipe(['--plugin-dir', folder, 'hi']), { code, stdout: '', stderr: complaint(message) })
    expect(server.requests).toEqual([])
  })

  it('has the same meaning in the first line of a program', async () => {
    const world = await openWorld()
    const folder = await folderWith(demo)
    world.server.reply(say('Done.'))
    const plugins = [{ type: 'local', path: folder, skipMcpDiscovery: true }]
    const input = [request('i', 'initialize', { plugins }), user('/demo:greet you')]
    const run = await world.pipe(
      ['--input-format', 'stream-json', '-o', 'stream-json', '--protocol', 'claude', '--await-initialize'],
      { input: input.map((line) => `${JSON.stringify(line)}\n`).join('') },
    )
    expect(run.stdout).toContain('"plugins_applied":true')
    expect(run.stdout).toContain(`"plugins":[{"name":"demo","path":${JSON.stringify(folder)}}]`)
    expect(textIn(world)).toContain(join(folder, 'greet.sh you'))
    expect(toolsIn(world)[0]).not.toContain('find_tools')
  })
})
