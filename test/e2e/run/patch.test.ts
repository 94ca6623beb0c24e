import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const init =
  'git init -q && git config user.email a@b && git config user.name n && git add -A && git commit -qm start'

/** Hashes all files outside of git's own folder, with names, modes and links. */
async function treeOf({ shell }: World): Promise<string> {
  const listing = `find . -name .git -prune -o \\( -type f -printf '%p %m ' -exec sha256sum {} \\; \\) -o -type l -printf '%p %l\\n' | sort`
  return (await shell(listing)).stdout
}

/** Changes files in each way that a diff knows. */
const changes = `
printf 'one\\ntwo\\n' > a.txt
printf 'no newline' > end.txt
rm gone.txt
git mv -f old.txt new.txt 2>/dev/null || mv old.txt new.txt
printf '\\000\\001\\377binary' > bytes.bin
mkdir -p 'a folder' && echo x > 'a folder/ä file "x".txt'
chmod +x script.sh
echo more >> loose.txt
ln -s a.txt link
printf 'gr\\374n\\n' > latin.txt
cat ignored.log > read.txt
echo changed > ignored.log
`

async function fill({ put, cwd }: World): Promise<void> {
  const files = {
    'a.txt': 'one\n',
    'end.txt': 'end\n',
    'gone.txt': 'gone\n',
    'old.txt': 'the same\nlines\nas before\n',
    'bytes.bin': new Uint8Array([0, 1, 2, 255]),
    'script.sh': 'echo hi\n',
    'latin.txt': 'gruen\n',
    '.gitignore': 'ignored.log\nnode_modules/\n',
    'node_modules/x/index.js': 'x\n',
  }
  for (const [name, content] of Object.entries(files)) await put(name, content)
  await chmod(join(cwd, 'script.sh'), 0o644)
}

describe('--patch', () => {
  it('has the files of a repository that the model makes, and warns that its commits are lost', async () => {
    const { pipe, server, shell, put } = await openWorld()
    await put('a.txt', 'one\n')
    await shell(init)
    const making =
      'mkdir lib; cd lib; echo 1 > r.csv; git init -q; git add .; git -c user.name=n -c user.email=e commit -qm x'
    server.reply(use(['bash', { command: making }]), say('Made.'))
    const run = await pipe(['--yolo', '--patch', 'make it'])
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('+++ b/lib/r.csv') })
    expect(run.stderr).toMatch(/cannot hold the commits in lib\/: pipe removes them with the folder/)
  })

  it.each(['in a repository', 'outside of one'])(
    'prints what git apply makes the same files of, %s',
    async (where) => {
      const world = await openWorld()
      const { pipe, server, shell, put } = world
      await fill(world)
      if (where === 'in a repository') await shell(init)
      await put('loose.txt', 'untracked\n')
      await put('ignored.log', 'to read\n')
      const before = await treeOf(world)
      server.reply(use(['bash', { command: changes }]), say('All done.'))
      const run = await pipe(['--yolo', '--patch', 'change it'])
      expectRun(run, { stdout: expect.stringContaining('diff --git'), stderr: 'All done.\n' })
      expect(run.stdout).not.toContain('ignored.log')
      expect(run.stdout).toContain('rename from old.txt\nrename to new.txt\n')
      expect(await treeOf(world)).toBe(before)
      expectRun(await shell('git apply --whitespace=nowarn', { input: run.stdout }), {
        stdout: '',
        stderr: '',
      })
      const applied = await treeOf(world)
      expect(applied).toContain('read.txt')
      await shell(`rm -rf .git ./* .gitignore`)
      await fill(world)
      if (where === 'in a repository') await shell(init)
      await put('loose.txt', 'untracked\n')
      await put('ignored.log', 'to read\n')
      await shell(changes.replace('echo changed > ignored.log', ''))
      expect(await treeOf(world)).toBe(applied)
    },
  )

  it('stands in a pipeline, and leaves nothing behind', async () => {
    const world = await openWorld()
    const { server, shell, cwd } = world
    await fill(world)
    await shell(init)
    server.reply(
      use(['read', { path: 'a.txt' }]),
      use(['write', { path: 'a.txt', content: 'new\n' }]),
      say('Done.'),
    )
    const line = 'set -o pipefail; pipe --patch "change it" | git apply'
    expectRun(await shell(line), { stdout: '', stderr: 'Done.\n' })
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('new\n')
    expect((await shell('git worktree list | wc -l; git for-each-ref refs/pipe')).stdout).toBe('1\n')
    expect((await shell('find "$HOME/.cache" "$PIPE_HOME" -name tree')).stdout).toBe('')
  })

  it('prints nothing if nothing changed', async () => {
    const world = await openWorld()
    await fill(world)
    world.server.reply(say('All is well.'))
    expectRun(await world.pipe(['--patch', 'look']), { stdout: '', stderr: 'All is well.\n' })
  })

  it('is a field of the JSON of a run', async () => {
    const world = await openWorld()
    await fill(world)
    world.server.reply(use(['write', { path: 'b', content: 'b\n' }]), say('Done.'))
    const { stdout } = await world.pipe(['--patch', '-o', 'json', 'change it'])
    expect(JSON.parse(stdout)).toMatchObject({
      result: 'Done.',
      patch: expect.stringMatching(/^diff --git a\/b b\/b\nnew file mode 100644\n/),
    })
  })

  it('keeps the changes of a run that failed, and prints none', async () => {
    const world = await openWorld()
    await fill(world)
    world.server.reply(use(['write', { path: 'b', content: 'b\n' }]), say('Done.'))
    const run = await world.pipe([
      '--patch',
      '--check',
      'test -f b && exit 3',
      '--check-tries',
      '0',
      'change it',
    ])
    expectRun(run, { code: 50, stdout: '', stderr: expect.stringContaining('Done.\n') })
    const [, id = ''] = /kept: pipe race show (\S+),/.exec(run.stderr) ?? []
    expect((await world.pipe(['race', 'show', id])).stdout).toContain('+b\n')
    expectRun(await world.pipe(['race', 'drop', id]), { stdout: '', stderr: expect.any(String) })
  })

  it.each(['> /dev/full', '>&-', '| true'])('keeps the changes if it cannot be printed: %s', async (end) => {
    const world = await openWorld()
    const { server, shell, put, cwd } = world
    await put('a.txt', 'one\n')
    server.reply(use(['write', { path: 'b.txt', content: 'two\n' }]), say('Done.'))
    const run = await shell(`pipe --patch go ${end}; true`)
    const [, id] = /the changes are kept: pipe race show (\S+),/.exec(run.stderr) ?? []
    expectRun(await shell(`pipe race show ${id} | git apply`), { stdout: '' })
    expect(await readFile(join(cwd, 'b.txt'), 'utf8')).toBe('two\n')
  })

  it.each([
    ['-o', 'pipe'],
    ['--protocol', 'claude', '-o', 'json'],
  ])('is refused where its output has no place: %s %s', async (...flags) => {
    const { pipe, server } = await openWorld()
    const run = await pipe(['--patch', ...flags, 'go'])
    expectRun(run, { code: 2, stdout: expect.any(String), stderr: expect.stringContaining('--patch') })
    expect(server.requests).toEqual([])
  })

  it('changes no file of the project by its own path, even with --yolo, and hides what rules hide', async () => {
    const world = await openWorld()
    const { server, pipe, cwd, configure, put } = world
    await fill(world)
    await put('secret/key', 'hidden\n')
    await put('ignored.log', 'hidden too\n')
    const denied = [`Read(/${cwd}/secret/**)`, `Read(/${cwd}/ignored.log)`]
    await configure({
      model: 'fake/model-1',
      providers: { fake: { dialect: 'openai-chat', base_url: server.baseUrl } },
      permissions: { deny: denied },
    })
    const before = await treeOf(world)
    const write = ['write', { path: join(cwd, 'new.txt'), content: 'x' }] as const
    const run = ['bash', { command: `echo x > ${cwd}/new.txt` }] as const
    const read = [
      ['read', { path: 'secret/key' }],
      ['bash', { command: 'cat ignored.log' }],
    ] as const
    server.reply(use(write, run, ...read), say('Tried.'))
    const { stdout } = await pipe(['--yolo', '--patch', '-o', 'json', 'change it'])
    expect(JSON.parse(stdout)).toMatchObject({ patch: '' })
    const results = JSON.stringify(server.requests[1]?.body.messages)
    expect(results).not.toContain('hidden')
    expect(await treeOf(world)).toBe(before)
  })

  it('says what to do where a form of the answer is asked for too', async () => {
    const world = await openWorld()
    const stderr = expect.stringContaining('to get the answer beside it, add -o json')
    expectRun(await world.pipe(['--patch', '--yes-no', 'x']), { code: 2, stdout: '', stderr })
  })
})
