import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

/** The text of a file with fields. */
function file(body: string, ...fields: readonly string[]): string {
  return ['---', 'description: a file', ...fields, '---', body, ''].join('\n')
}

/** Writes a file of the user's home. */
async function putOwn({ env }: World, path: string, content: string): Promise<string> {
  const full = join(env['HOME'] ?? '', path)
  await mkdir(dirname(full), { recursive: true })
  await writeFile(full, content)
  return full
}

/** Writes a command of the user. */
async function putCommand(world: World, name: string, content: string): Promise<void> {
  await putOwn(world, `.claude/skills/${name}/SKILL.md`, content.replace('---', `---\nname: ${name}`))
}

/** Returns the end of the user's side of a request. */
function said({ server }: World, at: number): string {
  const content = server.requests[at]?.body.messages.findLast(({ role }) => role === 'user')?.content
  return typeof content === 'string' ? content : (content ?? []).map((part) => JSON.stringify(part)).join('')
}

/** The texts of the user's messages in the session, as they typed them. */
async function typed(world: World): Promise<readonly unknown[]> {
  const [session] = await world.sessions()
  return (session?.messages ?? [])
    .filter(
      ({ type, metadata }) =>
        type === 'user' && (metadata as Record<string, string> | undefined)?.['called_text'] === undefined,
    )
    .map(({ content }) => content.at(-1)?.['text'])
}

describe('a command in the text of a skill', () => {
  it('runs as the rules say, and its output stands in its place', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'one\n!`touch made` $ARGUMENTS </skill>\n')
    await putCommand(
      world,
      'look',
      file('Lines:\n!`cat $1`\nAll of $ARGUMENTS\n```!\necho two\necho three\n```\nEnd.'),
    )
    world.server.reply(say('Seen.'))
    const flags = ['--allowed-tools', 'Bash(cat:*),Bash(echo:*)']
    expectRun(await world.pipe([...flags, '/look a.txt']), { stdout: 'Seen.\n', stderr: '' })
    const text = said(world, 0)
    expect(text.replaceAll(/output-[\w-]+/g, 'output-X')).toContain(
      [
        'Lines:',
        '<output-X of="cat a.txt">',
        'one',
        '!`touch made` $ARGUMENTS </skill>',
        '</output-X>',
        'All of a.txt',
        String.raw`<output-X of="echo two\necho three">`,
        'two',
        'three',
        '</output-X>',
        'End.',
      ].join('\n'),
    )
    expect(text).toContain('/skill:look a.txt')
    expect((await world.shell('ls')).stdout).toBe('a.txt\n')
    expect(await typed(world)).toEqual(['/skill:look a.txt'])
    const audit = await world.pipe(['audit', 'verify'])
    expect(audit.code).toBe(0)
  })

  it('has nothing in the place of a word that is missing, but keeps it in single quotes', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'one two\n')
    const line = (text: string) => `!\`${text}\``
    const lines = [line('cat a.txt $1'), line(`awk '{print $2}' a.txt`), line('echo "$1x" $2')]
    await putCommand(world, 'look', file(`${lines.join('\n')}\nFix $1.`))
    world.server.reply(say('Seen.'))
    const flags = ['--allowed-tools', 'Bash(awk:*)']
    expectRun(await world.pipe([...flags, '/look']), { stdout: 'Seen.\n', stderr: '' })
    expect(said(world, 0).replaceAll(/<[^>]*>\n?/g, '')).toContain('one two\ntwo\nx\nFix $1.\n')
  })

  it('is refused by a deny rule, and fails in its place, which is told', async () => {
    const world = await openWorld()
    await putCommand(world, 'look', file('!`cat secret`\n!`exit 3`\n!`touch made`\nGo on.'))
    world.server.reply(say('So be it.'))
    const run = await world.pipe([
      '--disallowed-tools',
      'Bash(cat:*)',
      '--allowed-tools',
      'Bash(exit:*)',
      '/look',
    ])
    expect(run).toMatchObject({ code: 0, stdout: 'So be it.\n' })
    expect(run.stderr).toContain('a command of /skill:look failed: cat secret')
    expect(run.stderr).toContain('a command of /skill:look failed: exit 3')
    const text = said(world, 0)
    expect(text).toMatch(/of="cat secret" failed="true">\nPermission denied: /)
    expect(text).toMatch(/of="exit 3" failed="true">\n[\s\S]*exit code 3/)
    expect(text).toMatch(/of="touch made" failed="true">\nPermission denied: .*nobody can be asked/)
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('in plan mode changes nothing', async () => {
    const world = await openWorld()
    await putCommand(world, 'look', file('!`touch made`', 'allowed-tools: Bash'))
    world.server.reply(say('So be it.'))
    await world.pipe(['--permission-mode', 'plan', '/look'])
    expect(said(world, 0)).toContain('plan mode only reads')
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('that needs a permission ends the run with --on-ask stop, and the message is kept', async () => {
    const world = await openWorld()
    await putCommand(world, 'look', file('!`touch made`\nGo on.'))
    const run = await world.pipe(['--on-ask', 'stop', '/look at it'])
    expect(run.code).toBe(45)
    expect(world.server.requests).toEqual([])
    expect(await typed(world)).toEqual(['/skill:look at it'])
    world.server.reply(say('Going on.'))
    await world.pipe(['-c', 'go on'])
    expect(said(world, 0)).toContain('not-run="interrupted"')
    expect(said(world, 0)).toContain('Go on.')
  })

  it.skipIf(!hasTerminal).each([
    ['a no', 0],
    ['Ctrl+C', 130],
    ['SIGTERM', 143],
  ])('is asked about, and the message is kept after %s', async (end, code) => {
    const world = await openWorld()
    await putCommand(world, 'look', file('!`touch made`\nGo on.'))
    world.server.reply(say('So be it.'))
    const terminal = await openTerminal(world, `sh -c 'echo $$ > pid; exec pipe "/look at it"'`)
    await terminal.until(/Run this command\?[\s\S]*touch made[\s\S]*>$/)
    if (end === 'a no') await terminal.line('5')
    else if (end === 'Ctrl+C') await terminal.key('C-c')
    else await world.shell('kill -TERM "$(cat pid)"')
    await terminal.until(new RegExp(`ended ${code}`))
    expect(await typed(world)).toEqual(['/skill:look at it'])
    expect((await world.shell('ls')).stdout).toBe('pid\n')
    expect(world.server.requests).toHaveLength(code === 0 ? 1 : 0)
  })
})

describe('what a file asks for besides', () => {
  const rule = 'allowed-tools: Bash(touch:*), Read'

  it('is allowed without a question until the turn ends', async () => {
    const world = await openWorld()
    await putCommand(world, 'work', file('Work.', rule))
    const touch = (name: string) => use(['bash', { command: `touch ${name}` }])
    world.server.reply(touch('one'), say('One.'), touch('two'), say('Two.'))
    await world.pipe(['/work'])
    await world.pipe(['-c', 'again'])
    expect((await world.shell('ls')).stdout).toBe('one\n')
  })

  it('allows what its variables name', async () => {
    const world = await openWorld()
    const places = { CLAUDE_SKILL_DIR: 'run.sh', CLAUDE_PROJECT_DIR: 'tool.sh' }
    const paths = Object.entries(places).map(([name, script]) => `\${${name}}/${script}`)
    await putOwn(world, '.claude/skills/work/run.sh', 'touch one')
    await world.put('tool.sh', 'touch two')
    const rules = paths.map((path) => `Bash(sh ${path}:*)`).join(' ')
    const lines = paths.map((path) => `!\`sh ${path}\``)
    const level = `\${CLAUDE_EFFORT}`
    await putCommand(world, 'work', file([...lines, `Think ${level}.`].join('\n'), `allowed-tools: ${rules}`))
    world.server.reply(say('Done.'), say('Done.'))
    expectRun(await world.pipe(['/work']), { stdout: 'Done.\n', stderr: '' })
    expect((await world.shell('ls')).stdout).toBe('one\ntool.sh\ntwo\n')
    expect(said(world, 0)).toContain('Think default.')
    await world.pipe(['--thinking', 'high', '/work'])
    expect(said(world, 1)).toContain('Think high.')
  })

  it('is not needed to name the level of thinking and the session', async () => {
    const world = await openWorld()
    const variables = `\${CLAUDE_EFFORT} in \${CLAUDE_SESSION_ID}`
    await putCommand(world, 'work', `Think ${variables}.`)
    world.server.reply(say('Done.'), say('Done.'))
    expectRun(await world.pipe(['/work']), { stdout: 'Done.\n', stderr: '' })
    const [session] = await world.sessions()
    expect(said(world, 0)).toContain(`Think default in ${session?.id}.`)
    await world.pipe(['--thinking', 'high', '-c', '/work'])
    expect(said(world, 1)).toContain(`Think high in ${session?.id}.`)
  })

  it('never outweighs a deny rule', async () => {
    const world = await openWorld()
    await putCommand(world, 'work', file('Work.', 'allowed-tools: Bash'))
    world.server.reply(use(['bash', { command: 'touch one' }]), say('One.'))
    await world.pipe(['--disallowed-tools', 'Bash(touch:*)', '/work'])
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('is its model and effort, for that turn alone', async () => {
    const world = await openWorld()
    const { baseUrl } = world.server
    const providers = { fake: { dialect: 'openai-chat', base_url: baseUrl } }
    await world.configure({ model: 'fake/model-1', providers, routes: { strong: 'fake/model-2' } })
    await putCommand(world, 'think', file('Think.', 'model: opus[1m]', 'effort: high'))
    await putCommand(world, 'odd', file('Odd.', 'model: haiku'))
    world.server.reply(say('One.'), say('Two.'), say('Three.'))
    await world.pipe(['/think'])
    await world.pipe(['-c', 'again'])
    const odd = await world.pipe(['-c', '/odd'])
    expect(world.server.requests.map(({ body }) => body.model)).toEqual(['model-2', 'model-1', 'model-1'])
    expect(JSON.stringify(world.server.requests[0]?.body)).toContain('high')
    expect(odd.stderr).toContain(
      '/skill:odd asks for haiku, but your settings have no route fast: fake/model-1 answers',
    )
  })

  it('is an agent that does the work, whose answer is that of the turn', async () => {
    const world = await openWorld()
    await putCommand(world, 'find', file('Find !`echo $1`.', 'context: fork', 'agent: explore'))
    world.server.reply(say('Found it.'), say('Thanks.'))
    expectRun(await world.pipe(['/find bugs']), { stdout: 'Found it.\n', stderr: '' })
    expect(JSON.stringify(world.server.requests[0]?.body.messages)).toMatch(/Find <output[^>]*>\\nbugs\\n/)
    expectRun(await world.pipe(['-c', 'thanks']), { stdout: 'Thanks.\n', stderr: '' })
    const messages = world.server.requests[1]?.body.messages ?? []
    expect(messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'user'])
    expect(JSON.stringify(messages.at(-2))).toContain('Found it.')
    expect(await typed(world)).toEqual(['/skill:find bugs', 'thanks'])
  })

  it('counts for the elf that does the work, until the turn ends', async () => {
    const world = await openWorld()
    const { baseUrl } = world.server
    const providers = { fake: { dialect: 'openai-chat', base_url: baseUrl } }
    await world.configure({ model: 'fake/model-1', providers, routes: { strong: 'fake/model-2' } })
    await putOwn(world, '.claude/agents/worker.md', file('Work.', 'effort: low', 'isolation: none'))
    const fields = ['context: fork', 'agent: worker', 'model: opus', 'effort: high']
    await putCommand(world, 'work', file('Work.', ...fields, 'allowed-tools: Bash(touch one:*)'))
    const touch = (name: string) => use(['bash', { command: `touch ${name}` }])
    world.server.reply(touch('one'), touch('two'), say('Done.'), say('Thanks.'))
    expectRun(await world.pipe(['/work']), { stdout: 'Done.\n', stderr: '' })
    expect((await world.shell('ls; rm one')).stdout).toBe('one\n')
    expect(world.server.requests.map(({ body }) => body.model)).toEqual(['model-2', 'model-2', 'model-2'])
    expect(JSON.stringify(world.server.requests[0]?.body)).toContain('"high"')
    world.server.reply(
      use(['elf', { prompt: 'Again', agent: 'worker' }]),
      touch('one'),
      say('No.'),
      say('End.'),
    )
    await world.pipe(['-c', 'again'])
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it.each([
    ['a deny rule of the user', ['--disallowed-tools', 'Bash(touch:*)'], []],
    ['plan mode', ['--permission-mode', 'plan'], []],
    ['what the elf may not have', [], ['disallowedTools: Bash(touch:*)']],
  ])('is outweighed in an elf by %s', async (_, flags, fields) => {
    const world = await openWorld()
    await putOwn(world, '.claude/agents/worker.md', file('Work.', 'isolation: none', ...fields))
    await putCommand(world, 'work', file('Work.', 'context: fork', 'agent: worker', 'allowed-tools: Bash'))
    world.server.reply(use(['bash', { command: 'touch one' }]), say('Done.'))
    await world.pipe([...flags, '/work'])
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('counts for elves that the model starts in the turn', async () => {
    const world = await openWorld()
    await putOwn(world, '.claude/agents/worker.md', file('Work.', 'isolation: none'))
    await putCommand(world, 'work', file('Work.', 'allowed-tools: Bash(touch:*)'))
    const touch = use(['bash', { command: 'touch one' }])
    world.server.reply(use(['elf', { prompt: 'Do it', agent: 'worker' }]), touch, say('Done.'), say('End.'))
    await world.pipe(['/work'])
    expect((await world.shell('ls')).stdout).toBe('one\n')
  })
})

/** Fields that set up one hook. */
function hookFields(event: string, command: string, matcher = 'Bash'): readonly string[] {
  return [
    'hooks:',
    `  ${event}:`,
    `    - matcher: "${matcher}"`,
    '      hooks:',
    '        - type: command',
    `          command: ${JSON.stringify(command)}`,
  ]
}

describe('the hooks of a skill', () => {
  const touch = (name: string) => use(['bash', { command: `touch ${name}` }])
  const check = hookFields('PreToolUse', 'grep -q evil && { echo "no evil" >&2; exit 2; }; exit 0')

  it('stand before the calls of its turn, and of that alone', async () => {
    const world = await openWorld()
    await putCommand(world, 'work', file('Work.', ...check))
    world.server.reply(touch('evil'), touch('good'), say('One.'), touch('evil'), say('Two.'))
    await world.pipe(['--yolo', '/work'])
    expect(said(world, 0)).toContain('Work.')
    expect((await world.shell('ls')).stdout).toBe('good\n')
    await world.pipe(['--yolo', '-c', 'again'])
    expect((await world.shell('ls')).stdout).toBe('evil\ngood\n')
  })

  it('stand before the commands in its text, and before the calls of its elf', async () => {
    const world = await openWorld()
    await putCommand(world, 'work', file('Work.\n!`touch evil`', ...check))
    await putOwn(world, '.claude/agents/worker.md', file('Work.', 'isolation: none'))
    await putCommand(world, 'fork', file('Work.', 'context: fork', 'agent: worker', ...check))
    world.server.reply(say('One.'), touch('evil'), touch('good'), say('Two.'))
    await world.pipe(['--yolo', '/work'])
    expect(said(world, 0)).toContain('A hook refuses this call: no evil')
    await world.pipe(['--yolo', '/fork'])
    expect((await world.shell('ls')).stdout).toBe('good\n')
  })

  it('have a say at the end of the turn', async () => {
    const world = await openWorld()
    const goOn = '[ -e made ] || { touch made; echo "test it" >&2; exit 2; }'
    await putCommand(world, 'work', file('Work.', ...hookFields('Stop', goOn, '')))
    world.server.reply(say('Done.'), say('Tested.'))
    expect((await world.pipe(['/work'])).stdout).toContain('Tested.')
    expect(said(world, 1)).toContain('test it')
  })

  it('that cannot run are told, and nothing is allowed without a check', async () => {
    const world = await openWorld()
    await putCommand(
      world,
      'work',
      file('Work.', 'allowed-tools: Bash', ...hookFields('PreToolUse', 'true', '(')),
    )
    world.server.reply(touch('made'), say('One.'))
    const run = await world.pipe(['/work'])
    expect(run.stderr).toContain('the matcher "(" is not valid')
    expect(run.stderr).toContain(
      '/skill:work allows nothing, because some of its PreToolUse hooks cannot run',
    )
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('of a project run once they were shown and approved as they are', async () => {
    const world = await openWorld()
    const project = (command: string) =>
      world.put(
        '.claude/skills/work/SKILL.md',
        file('Work.', 'name: work', ...hookFields('PreToolUse', command)),
      )
    await project('touch hooked')
    world.server.reply(touch('one'), say('One.'))
    const early = await world.pipe(['--trust', '--yolo', '/skill:work'])
    expect(early.stderr).toContain('asks for more than its text (hooks at PreToolUse)')
    expect((await world.shell('ls; rm one')).stdout).toBe('one\n')
    const { stdout } = await world.pipe(['trust'])
    expect(stdout).toContain('hook PreToolUse Bash: touch hooked')
    world.server.reply(touch('one'), say('One.'))
    await world.pipe(['--yolo', '/skill:work'])
    expect((await world.shell('ls; rm one hooked')).stdout).toBe('hooked\none\n')
    await project('touch other')
    world.server.reply(touch('one'), say('One.'))
    expect((await world.pipe(['--yolo', '/skill:work'])).stderr).toContain('pipe trust')
    expect((await world.shell('ls')).stdout).toBe('one\n')
  })
})

describe('a skill that is about some files', () => {
  it('is offered once work goes to one of them, once', async () => {
    const world = await openWorld()
    await putCommand(world, 'css', file('Style.', 'paths: "**/*.css, themes/**"'))
    await world.put('a.txt', 'a')
    await world.put('src/b.css', 'b')
    const read = (path: string) => use(['read', { path }])
    world.server.reply(read('a.txt'), read('src/b.css'), read('src/b.css'), say('Done.'), say('Again.'))
    await world.pipe(['go'])
    const bodies = () =>
      world.server.requests.map(({ body }) => JSON.stringify(body.messages).split('- css: a file'))
    expect(bodies().map(({ length }) => length - 1)).toEqual([0, 0, 1, 1])
    await world.pipe(['-c', 'go on'])
    expect(bodies().map(({ length }) => length - 1)).toEqual([0, 0, 1, 1, 1])
  })

  it('is hidden by a deny rule, and can be called at any time', async () => {
    const world = await openWorld()
    await putCommand(world, 'css', file('Style it.', 'paths: ["*.css"]'))
    await world.put('b.css', 'b')
    world.server.reply(use(['read', { path: 'b.css' }]), say('Done.'), say('Styled.'))
    await world.pipe(['--disallowed-tools', 'Read(~/.claude/skills/**)', 'go'])
    expect(JSON.stringify(world.server.requests[1]?.body.messages)).not.toContain('- css')
    await world.pipe(['/css'])
    expect(said(world, 2)).toContain('Style it.')
  })
})

it('commands of a skill for another shell stay as they are written', async () => {
  const world = await openWorld()
  const lines = file('Look:\n!`touch made`', 'shell: powershell', 'effort: high')
  await putCommand(world, 'look', lines)
  world.server.reply(say('So be it.'))
  await world.pipe(['--yolo', '/look'])
  expect(said(world, 0)).toContain('!`touch made`')
  expect((await world.shell('ls')).stdout).toBe('')
  expect((await world.pipe(['skills', 'show', 'look'])).stderr).toContain(
    'the shell powershell is not supported',
  )
})

describe('a file of a project', () => {
  const evil = file('Work.\n!`touch made`', 'allowed-tools: Bash', 'model: haiku')

  it.each([
    ['that is not trusted does nothing', []],
    ['does nothing in a trusted folder before it was approved', ['--trust']],
  ])('%s', async (_, flags) => {
    const world = await openWorld()
    await world.put('.claude/commands/work.md', evil)
    world.server.reply(use(['bash', { command: 'touch made' }]), say('One.'))
    const run = await world.pipe([...flags, '/work'])
    if (flags.length > 0) expect(run.stderr).toContain('/work asks for more than its text')
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('does what it asks for once it was approved as it is', async () => {
    const world = await openWorld()
    await world.put('.claude/commands/work.md', file('Work.\n!`touch made`', 'allowed-tools: Bash'))
    const { stdout } = await world.pipe(['trust'])
    expect(stdout).toContain('runs touch made')
    expect(stdout).toContain('allows Bash')
    world.server.reply(say('One.'), say('Two.'))
    await world.pipe(['/work'])
    expect((await world.shell('ls; rm made')).stdout).toBe('made\n')
    await world.put('.claude/commands/work.md', file('Work!\n!`touch made`', 'allowed-tools: Bash'))
    expect((await world.pipe(['/work'])).stderr).toContain('pipe trust')
    expect((await world.shell('ls')).stdout).toBe('')
  })

  it('calls no command of the user by its text', async () => {
    const world = await openWorld()
    await putCommand(world, 'mine', file('!`touch made`', 'allowed-tools: Bash'))
    await world.put('.claude/commands/a.md', '/skill:mine now')
    await world.put('.claude/commands/b.md', '$ARGUMENTS/skill:mine now')
    world.server.reply(say('One.'), say('Two.'))
    await world.pipe(['--trust', '/a'])
    await world.pipe(['--trust', '/b'])
    expect((await world.shell('ls')).stdout).toBe('')
  })
})
