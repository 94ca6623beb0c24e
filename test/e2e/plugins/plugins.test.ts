import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { lastText, outlineRequest, say, use } from '../../support/models/replies.ts'
import { repositoryWith } from '../../support/plugins/repository.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { addDemo, demo, recordOf, rootVariable, skillFile } from './plugin-setup.ts'

const whole = [
  /^the plugin demo from \S+$/,
  /^6 files, [\d.]+ (?:bytes|kB)$/,
  /^It may do this, outside the sandbox where it runs programs:$/,
  /^ {2}MCP server plugin:demo:real: \S*node \S+real-server\.js$/,
  /^ {2}hook SessionStart: echo "hooked \$CLAUDE_PLUGIN_ROOT"$/,
  /^ {2}skill demo:greet: does greet$/,
  /^ {2}command \/demo:git:commit: Commits\.$/,
  /^ {2}agent demo:helper: Helps\. \(tools: read\)$/,
  /^ {2}note: no effect here: language servers$/,
]

/** The texts of each request so far, in one. */
const requests = ({ server }: World) => server.requests.map(({ body }) => outlineRequest(body).join('\n'))

const installed = (world: World) => {
  const files = join(world.home, 'plugins', 'files')
  const [name = ''] = readdirSync(files).filter((one) => !one.endsWith('.json'))
  return join(files, name)
}

describe('pipe plugin add', () => {
  it('shows all that a plugin may do, and adds nothing where nobody can be asked', async () => {
    const world = await openWorld()
    const run = await world.pipe(['plugin', 'add', await folderWith(demo)])
    expect([run.code, run.stdout]).toEqual([2, ''])
    const lines = run.stderr.trimEnd().split('\n')
    expect(lines.pop()).toContain('nobody can be asked here, so nothing was changed')
    expect(lines).toEqual(whole.map((line) => expect.stringMatching(line)))
    expect(existsSync(recordOf(world))).toBe(false)
    expect(readdirSync(join(world.home, 'plugins'))).toEqual([])
  })

  it.runIf(hasTerminal)('asks on a terminal, and no is no', async () => {
    const world = await openWorld()
    const folder = await folderWith(demo)
    const screen = await openTerminal(
      world,
      `pipe plugin add ${folder}; echo code $?; pipe plugin add ${folder}; echo code $?`,
    )
    await screen.until(/Add the plugin demo\? \[y\/N\]/)
    await screen.line('')
    await screen.until(/nothing was changed\s+code 55[\s\S]*\[y\/N\]/)
    expect(existsSync(recordOf(world))).toBe(false)
    await screen.line('y')
    await screen.until(/added: demo\s+code 0/)
  })

  it('shows what its skills and commands run and allow, and what of that an update changes', async () => {
    const world = await openWorld()
    const skill = (...lines: readonly string[]) =>
      ['---', 'name: ship', 'description: Ships', ...lines, '---', 'Ship it', ''].join('\n')
    const folder = await folderWith({
      'plugin.json': '{"name": "ops"}',
      'skills/ship/SKILL.md': `${skill('allowed-tools: Bash(git push:*), Read', 'model: opus')}!\`git log\`\n`,
      'skills/watch/SKILL.md': skillFile('watch', 'Watch').replace(
        '\n---\n',
        '\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: touch stopped\n---\n',
      ),
      'commands/tidy.md': '---\ndescription: Tidies\nagent: explore\n---\n```!\nrm -rf old\ntouch new\n```\n',
    })
    expect((await world.pipe(['plugin', 'add', folder, '--yes'])).code).toBe(0)
    const { stdout } = await world.pipe(['plugin', 'show', 'ops'])
    expect(stdout).toContain(
      'skill ops:ship: Ships (when called: runs git log; allows Bash(git push:*), Read; model opus)\n',
    )
    expect(stdout).toContain(
      'skill ops:watch: does watch (when called: hooks at Stop; hook Stop touch stopped)\n',
    )
    expect(stdout).toContain(
      'command /ops:tidy: Tidies (when called: runs rm -rf old\\x0atouch new; work of the agent explore)\n',
    )
    await writeFile(join(folder, 'skills/ship/SKILL.md'), skill('allowed-tools: Bash'))
    const asked = await world.pipe(['plugin', 'update', 'ops'])
    expect(asked.stderr).toContain('+ skill ops:ship: Ships (when called: allows Bash)\n')
  })

  it('refuses a second plugin of a name, and a place that is none', async () => {
    const world = await openWorld()
    const folder = await addDemo(world)
    expectRun(await world.pipe(['plugin', 'add', folder, '--yes']), {
      code: 42,
      stdout: '',
      stderr: complaint('there is already a plugin demo'),
    })
    for (const place of ['./none', '/none', 'ext::sh -c x', '--upload-pack=x', 'demo@nowhere'])
      expect((await world.pipe(['plugin', 'add', '--yes', '--', place])).code).not.toBe(0)
  })

  it('takes a repository at a tag, and a changed repository changes nothing', async () => {
    const world = await openWorld()
    const repository = await repositoryWith(demo)
    repository.git('tag', 'v1')
    repository.commit({ 'skills/greet/SKILL.md': skillFile('other', 'Evil') })
    const run = await world.pipe(['plugin', 'add', `${repository.url}#v1`, '--yes'])
    expectRun(run, { stdout: 'added: demo\n', stderr: expect.stringContaining('skill demo:greet') })
    expect((await world.pipe(['skills', 'list'])).stdout).toContain('demo:greet')
  })
})

describe('what a plugin brings', () => {
  it('is listed with its source', async () => {
    const world = await openWorld()
    await addDemo(world)
    const listed = async (...words: readonly string[]) => (await world.pipe([...words, '--json'])).stdout
    expect(JSON.parse(await listed('skills', 'list'))).toMatchObject({
      skills: [{ name: 'demo:greet', source: 'plugin' }],
    })
    expect(JSON.parse(await listed('hooks', 'list'))).toMatchObject({
      hooks: [{ event: 'SessionStart', origin: 'plugin', approved: true }],
    })
    expect(JSON.parse(await listed('mcp', 'list'))).toMatchObject({
      servers: [{ name: 'plugin:demo:real', source: 'plugin', approved: true }],
    })
    expect(JSON.parse(await listed('agents')).agents).toContainEqual(
      expect.objectContaining({ name: 'demo:helper', source: 'plugin' }),
    )
    expect(JSON.parse(await listed('plugin', 'list'))).toMatchObject({
      plugins: [{ name: 'demo', version: '1.0.0', enabled: true }],
    })
    expect((await world.pipe(['doctor'])).stdout).toMatch(/✓ plugins +demo\n/)
  })

  it('works in a run: hooks, commands by both names, skills and agents', async () => {
    const world = await openWorld()
    await addDemo(world)
    world.server.reply(say('1'), say('2'), say('3'), say('4'))
    for (const words of [
      ['/demo:git:commit all'],
      ['/git:commit all'],
      ['/demo:greet Ann'],
      ['--agent', 'helper', 'go'],
    ])
      expectRun(await world.pipe(words), { stdout: expect.stringMatching(/^\d\n$/) })
    const [first = '', second = '', third = '', fourth = ''] = requests(world)
    const root = installed(world)
    expect(first).toContain(`hooked ${root}`)
    expect(first).toContain(
      `- demo:greet: does greet (${JSON.stringify(join(root, 'skills/greet/SKILL.md'))}; ${rootVariable} is "${root}")`,
    )
    expect([first, second].map((text) => text.includes('\nCommit all'))).toEqual([true, true])
    expect(third).toContain(`Run ${root}/greet.sh Ann`)
    expect(fourth).toContain('You help.')
  })

  it('has skills that an agent can begin with', async () => {
    const world = await openWorld()
    await addDemo(world, {
      'agents/greeter.md': '---\nname: greeter\ndescription: b\nskills: [demo:greet]\n---\nYou greet.',
    })
    world.server.reply(say('Hi.'))
    expectRun(await world.pipe(['--agent', 'greeter', 'go']), { stdout: 'Hi.\n' })
    expect(requests(world)[0]).toContain(`Run ${installed(world)}/greet.sh`)
  })

  it('has agents whose hooks know its folder', async () => {
    const world = await openWorld()
    const hooks = {
      UserPromptSubmit: [{ hooks: [{ type: 'command', command: `echo "at ${rootVariable}."` }] }],
    }
    await addDemo(world, {
      'agents/hooked.md': `---\nname: hooked\ndescription: b\nhooks: ${JSON.stringify(hooks)}\n---\nBe it.`,
    })
    world.server.reply(say('Hi.'))
    expectRun(await world.pipe(['--agent', 'hooked', 'go']), { stdout: 'Hi.\n' })
    expect(requests(world)[0]).toContain(`at ${installed(world)}.`)
  })

  it('has servers whose tools have the name of the plugin in front', async () => {
    const world = await openWorld()
    await addDemo(world)
    const sum = use(['mcp__plugin_demo_real__get_sum', { a: 2, b: 3 }])
    world.server.reply(use(['find_tools', { query: 'add numbers' }]), sum, say('Five.'))
    expectRun(await world.pipe(['--allowed-tools=mcp__plugin_demo_real', 'add']), { stdout: 'Five.\n' })
    expect(requests(world)[2]).toContain('the sum is 5')
  })

  it('is read by the model without a question, and no more than that', async () => {
    const world = await openWorld()
    await addDemo(world)
    const root = installed(world)
    world.server.reply(
      use(['read', { path: join(root, 'agents/helper.md') }]),
      use(['write', { path: join(root, 'x.md'), content: 'x' }]),
      say('Done.'),
    )
    await world.pipe(['-q', '--permission-mode', 'accept-edits', 'go'])
    const [read, write] = world.server.requests.slice(1).map(({ body }) => lastText(body))
    expect([read, write]).toEqual([
      expect.stringContaining('You help.'),
      expect.stringContaining('Permission denied'),
    ])
  })

  it('is off with a setting, with disable, and gone with remove', async () => {
    const world = await openWorld()
    await addDemo(world)
    const skills = async () => (await world.pipe(['skills', 'list'])).stdout.includes('demo:greet')
    expect(await skills()).toBe(true)
    await world.configure({ plugins: false })
    expect(await skills()).toBe(false)
    await world.configure({})
    expectRun(await world.pipe(['plugin', 'disable', 'demo']), { stdout: 'off: demo\n' })
    expect(await skills()).toBe(false)
    expectRun(await world.pipe(['plugin', 'enable', 'demo']), { stdout: 'on: demo\n' })
    expect(await skills()).toBe(true)
    expectRun(await world.pipe(['plugin', 'remove', 'demo']), { stdout: 'removed: demo\n' })
    expect(await skills()).toBe(false)
    expect(readdirSync(join(world.home, 'plugins', 'files'))).toEqual([])
  })
})

describe('a plugin whose files change on disk', () => {
  it('is off and named until it is approved again', async () => {
    const world = await openWorld()
    await addDemo(world)
    writeFileSync(
      join(installed(world), 'hooks/hooks.json'),
      '{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo new"}]}]}}',
    )
    world.server.reply(say('1'), say('2'))
    expectRun(await world.pipe(['go']), {
      stdout: '1\n',
      stderr: complaint('the plugin demo is off: its files have changed since you approved them'),
    })
    expect(requests(world)[0]).not.toContain('demo:greet')
    expect((await world.pipe(['plugin', 'list'])).stdout).toContain('off: changed')
    const refused = await world.pipe(['plugin', 'enable', 'demo'])
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('hook SessionStart: echo new')
    expectRun(await world.pipe(['plugin', 'enable', 'demo', '--yes']), {
      stdout: 'on: demo\n',
      stderr: expect.any(String),
    })
    await world.pipe(['go'])
    expect(requests(world)[1]).toMatch(/\nnew\n[\s\S]*|hooks add this:\nnew/)
  })
})

describe('pipe plugin update', () => {
  it('shows what would change, asks, and swaps', async () => {
    const world = await openWorld()
    const folder = await addDemo(world)
    expectRun(await world.pipe(['plugin', 'update', 'demo']), { stdout: 'up to date: demo\n' })
    writeFileSync(join(folder, '.mcp.json'), '{"evil":{"command":"curl","args":["example.org"]}}')
    writeFileSync(join(folder, 'new.md'), 'x')
    await rm(join(folder, 'agents'), { recursive: true })
    const before = readFileSync(recordOf(world), 'utf8')
    const asked = await world.pipe(['plugin', 'update'])
    expect([asked.code, asked.stdout]).toEqual([2, ''])
    const lines = asked.stderr.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        '  + MCP server plugin:demo:evil: curl example.org',
        '  - agent demo:helper: Helps. (tools: read)',
        '  ~ .mcp.json',
        '  + new.md',
        '  - agents/helper.md',
      ]),
    )
    expect(asked.stderr).not.toContain('demo:greet')
    expect(readFileSync(recordOf(world), 'utf8')).toBe(before)
    expectRun(await world.pipe(['plugin', 'update', '--yes']), {
      stdout: 'updated: demo\n',
      stderr: expect.any(String),
    })
    expect((await world.pipe(['mcp', 'list'])).stdout).toContain('plugin:demo:evil')
  })

  it('leaves the old one if it fails', async () => {
    const world = await openWorld()
    const folder = await addDemo(world)
    await rm(folder, { recursive: true })
    const run = await world.pipe(['plugin', 'update', 'demo', '--yes'])
    expect([run.code, run.stdout]).toEqual([52, ''])
    expect((await world.pipe(['skills', 'list'])).stdout).toContain('demo:greet')
  })
})

describe('a marketplace', () => {
  const list = (...plugins: readonly object[]) =>
    JSON.stringify({ name: 'market', owner: { name: 'A' }, plugins })

  it('offers plugins inside of it and in other repositories, at the commit that it names', async () => {
    const world = await openWorld()
    const other = await repositoryWith({ 'p/skills/far/SKILL.md': skillFile('far', 'Far') })
    const sha = other.git('rev-parse', 'HEAD')
    other.commit({ 'p/skills/far/SKILL.md': skillFile('evil', 'Evil') })
    const far = { source: 'git-subdir', url: other.url, path: 'p', ref: 'main', sha }
    const market = await repositoryWith({
      '.claude-plugin/marketplace.json': list(
        { name: 'near', source: './plugins/near', description: 'Is near.' },
        { name: 'far', source: far },
        { name: 'wrong', source: { ...far, sha: 'a'.repeat(40) } },
      ),
      'plugins/near/skills/near/SKILL.md': skillFile('near', 'Near'),
    })
    expectRun(await world.pipe(['plugin', 'marketplace', 'add', market.url, '--json']), {
      code: 2,
      stdout: '',
      stderr: complaint(/pipe plugin marketplace add prints text, not json/),
    })
    expectRun(await world.pipe(['plugin', 'marketplace', 'add', market.url]), {
      stdout: 'added: the marketplace market with 3 plugins\n',
    })
    expect((await world.pipe(['plugin', 'marketplace', 'list', 'market'])).stdout).toContain(
      'near@market   Is near.',
    )
    for (const name of ['near', 'far'])
      expectRun(await world.pipe(['plugin', 'add', `${name}@market`, '--yes']), {
        stdout: `added: ${name}\n`,
        stderr: expect.stringContaining(`skill ${name}:${name}`),
      })
    const wrong = await world.pipe(['plugin', 'add', 'wrong@market', '--yes'])
    expect([wrong.code, wrong.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('has no commit aaa'),
    ])
    // What the marketplace changes later counts only after an update that the user said yes to.
    market.commit({ 'plugins/near/skills/near/SKILL.md': skillFile('near', 'Changed') })
    expect((await world.pipe(['skills', 'show', 'near:near'])).stdout).toContain('Near')
    const asked = await world.pipe(['plugin', 'update', 'near'])
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('  ~ skills/near/SKILL.md')])
    expect((await world.pipe(['skills', 'show', 'near:near'])).stdout).toContain('Near')
    await world.pipe(['plugin', 'update', 'near', '--yes'])
    expect((await world.pipe(['skills', 'show', 'near:near'])).stdout).toContain('Changed')
    expectRun(await world.pipe(['plugin', 'marketplace', 'remove', 'market']), {
      stdout: 'removed: the marketplace market; its plugins stay\n',
    })
    expect((await world.pipe(['skills', 'list'])).stdout).toContain('near:near')
  })
})

describe('a project', () => {
  it('turns on no plugin: what it asks for is only named', async () => {
    const world = await openWorld()
    await world.put('.git/HEAD', 'ref: refs/heads/main\n')
    await world.put(
      '.claude/settings.json',
      JSON.stringify({ enabledPlugins: { 'x@y': true, 'no@y': false }, extraKnownMarketplaces: { y: {} } }),
    )
    await world.put('.pipe/config.json', '{"plugins": true}')
    const run = await world.pipe(['plugin', 'list', '--trust'])
    expect(run.stderr).toContain('asks for x@y, the marketplace y: only you can add plugins')
    world.server.reply(say('Hi.'))
    await world.pipe(['--trust', 'go'])
    expect(existsSync(join(world.home, 'plugins'))).toBe(false)
  })
})

it('a broken record costs the plugins alone', async () => {
  const world = await openWorld()
  await addDemo(world)
  writeFileSync(recordOf(world), '{')
  world.server.reply(say('Hi.'))
  expectRun(await world.pipe(['go']), { stdout: 'Hi.\n', stderr: complaint('no plugins are used') })
  expect((await world.pipe(['plugin', 'list'])).code).toBe(52)
})

it('an approval stands in the audit log of trust before the plugin counts', async () => {
  const world = await openWorld()
  const folder = await addDemo(world)
  const shown = await world.pipe(['audit', 'show', 'trust', '--json'])
  expect(JSON.parse(shown.stdout)).toMatchObject({
    entries: [
      {
        decision: 'trust_granted',
        audit: { plugin: 'demo', from: folder, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ],
  })
})
