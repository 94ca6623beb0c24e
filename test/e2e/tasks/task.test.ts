import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import * as z from 'zod'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'

const id = /^[A-Za-z0-9][A-Za-z0-9_-]{20}$/
const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`

async function add({ pipe }: Pick<World, 'pipe'>, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await pipe(['task', 'add', ...words])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.trimEnd()).toMatch(id)
  return stdout.trimEnd()
}

const logOf = async (home: string) => readFile(join(home, 'tasks', 'events.jsonl'), 'utf8')

describe('pipe task', () => {
  it('puts tasks on a board, in the order in which they need something', async () => {
    const world = await openWorld()
    const { pipe, server } = world
    const chore = await add(world, 'later', '--priority', 'background')
    const usual = await add(world, 'fix', 'the', 'lock')
    const urgent = await add(world, 'now', '--priority', 'foreground')
    const gone = await add(world, 'never\u001b[31m')
    await pipe(['task', 'cancel', gone.slice(0, 12)])
    const lines = [
      `${urgent}  ${time}  open           foreground  now`,
      `${usual}  ${time}  open           normal      fix the lock`,
      `${chore}  ${time}  open           background  later`,
      String.raw`${gone}  ${time}  canceled       normal      never ?\[31m`,
    ]
    expectRun(await pipe(['task']), { stdout: expect.stringMatching(new RegExp(`^${lines.join('\n')}\n$`)) })
    const { tasks } = JSON.parse((await pipe(['task', 'list', '--json'])).stdout)
    const ids = tasks.map(({ task_id }: { readonly task_id: string }) => task_id)
    expect(ids).toEqual([urgent, usual, chore, gone])
    expect(server.requests).toEqual([])
  })

  it('prints a new task as one line of JSON, with what it is about', async () => {
    const world = await openWorld()
    const { pipe, cwd, put } = world
    await put('src/a.ts', '1\n'.repeat(40))
    await put('plan.md', '# Goals\n')
    await put('b.ts', '1\n'.repeat(7))
    const first = await add(world, 'first')
    const refs = ['@src/./a.ts:10-40', 'plan.md#goals', 'asset:logo', '@cite:knuth84', 'b.ts:7']
    const flags = refs.flatMap((ref) => ['--ref', ref])
    const text = 'tidy up\n\nall of it'
    const run = await pipe(['task', 'add', text, '--agent', 'review', '--after', first, ...flags, '--json'])
    expect(run.stdout.trimEnd().split('\n')).toHaveLength(1)
    const task = JSON.parse(run.stdout)
    expect(task).toEqual({
      task_id: expect.stringMatching(id),
      title: 'tidy up all of it',
      intent: text,
      created_by: 'user_local',
      agent_id: 'agent_review',
      priority: 'normal',
      status: 'open',
      seq: 1,
      artifact_refs: [
        { kind: 'file_range', path: 'src/a.ts', line_start: 10, line_end: 40 },
        { kind: 'outline_anchor', section_id: 'plan.md#goals' },
        { kind: 'asset', asset_id: 'logo' },
        { kind: 'citation', cite_key: 'knuth84' },
        { kind: 'file_range', path: 'b.ts', line_start: 7, line_end: 7 },
      ],
      options: { repo: cwd, folder: cwd, after: first },
      created_at: expect.any(String),
      updated_at: task.created_at,
    })
    expect(JSON.parse((await pipe(['task', 'show', task.task_id, '--json'])).stdout)).toEqual(task)
    const shown = (await pipe(['task', 'show', task.task_id])).stdout
    expect(shown).toContain(
      '\nrefs      src/a.ts:10-40 (code), plan.md#goals (other), asset:logo (asset), cite:knuth84 (citation), b.ts:7-7 (code)\n',
    )
    expect(shown).toContain(`\nafter     ${first} (open)\n`)
    expect(shown.endsWith(`\n\n${text}\n`)).toBe(true)
  })

  it('stores the repository, the commit, and what it is to be carried out with', async () => {
    const { pipe, shell, put, cwd } = await openWorld()
    await put('sub/a.ts', 'a')
    const commit = (name: string) =>
      `git add -A && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m ${name}`
    const { stdout } = await shell(
      `git init -q . && ${commit('one')} && ${commit('two')} && git rev-parse HEAD^ HEAD`,
    )
    const [repo, base] = stdout.split('\n')
    const wishes = ['-m', 'fake/large:high', '--permission-mode', 'acceptEdits', '--max-turns', '3']
    const limits = ['--max-tokens', '1000', '--max-cost', '0.5', '--max-time', '5m']
    const run = await pipe(['task', 'add', 'x', '-C', 'sub', ...wishes, ...limits, '--json'])
    const task = JSON.parse(run.stdout)
    expect(task.options).toEqual({
      repo,
      base,
      folder: `${cwd}/sub`,
      model: 'fake/large:high',
      mode: 'accept-edits',
      limits: { max_rounds: 3, max_tokens: 1_000, max_cost_usd: 0.5, max_time_ms: 300_000 },
    })
    const shown = (await pipe(['task', 'show', task.task_id])).stdout
    expect(shown).toContain('\nmode      accept-edits\nlimits    3 rounds, 1000 tokens, $0.5, 300 s\n')
    expect(shown).toContain(`\nfolder    ${cwd}/sub\nbase      ${base}\n`)
  })

  it('refuses a model that nobody knows, and takes one that lacks only its key', async () => {
    const world = await openWorld()
    const refused = async (name: string) => {
      const { code, stdout, stderr } = await world.pipe(['task', 'add', '-m', name, 'count'])
      return [code, stdout, stderr.split('; ')[0]]
    }
    expect(await refused('xyzzy')).toEqual([2, '', 'pipe: unknown model "xyzzy"'])
    expect(await refused('mistrl/large')).toEqual([52, '', 'pipe: unknown provider mistrl'])
    expect((await world.pipe(['task', 'list', '--json'])).stdout).toBe('{"tasks": []}\n')
    await add(world, 'count', '-m', 'openai/gpt-5')
  })

  slowIt('shows a task as blocked once the one that it follows was canceled', async () => {
    const world = await openWorld()
    const first = await add(world, 'first')
    const second = await add(world, 'second', '--after', first)
    expect((await world.pipe(['task'])).stdout).toContain('open           normal      second')
    await world.pipe(['task', 'cancel', first])
    expect((await world.pipe(['task'])).stdout).toContain('blocked        normal      second')
    const { stdout } = await world.pipe(['task', 'show', second])
    expect(stdout).toContain(`\nstatus    open, blocked\n`)
    expect(stdout).toContain(`\nafter     ${first} (canceled)\n`)
  })

  it.each([
    ['before', 'pipe task cancel $a >/dev/null'],
    ['while', '{ sleep 0.3; pipe task cancel $a; } >/dev/null &'],
  ])('is not waited for if what it follows was canceled %s', async (_, cancel) => {
    const { shell } = await openWorld()
    const line = `a=$(pipe task add first); b=$(pipe task add second --after $a); ${cancel}\npipe task wait $b; echo $?; echo $a $b`
    const { stdout, stderr } = await shell(line)
    const [code, ids = ''] = stdout.trim().split('\n')
    const [first, second] = ids.split(' ')
    expect(code).toBe('1')
    expect(stderr).toBe(`pipe: task ${second} is blocked: ${first}, which it follows, will not be done\n`)
  })

  it('keeps what its text refers to', async () => {
    const { pipe, put } = await openWorld()
    await put('a.ts', '1\n2\n3\n')
    await put('plan.md', '# Goals\n')
    const text = 'do @plan.md#goals in @a.ts:1-2, see @asset:logo, @cite:knuth84, @b.ts:1 and @a.ts'
    const { stdout } = await pipe(['task', 'add', text, '--ref', 'a.ts:1-2', '--json'])
    const task = JSON.parse(stdout)
    expect(task.intent).toBe(text)
    expect(task.artifact_refs).toEqual([
      { kind: 'file_range', path: 'a.ts', line_start: 1, line_end: 2 },
      { kind: 'outline_anchor', section_id: 'plan.md#goals' },
      { kind: 'asset', asset_id: 'logo' },
      { kind: 'citation', cite_key: 'knuth84' },
    ])
    expectRun(await pipe(['task', 'add', 'see @a.ts:4-5']), {
      code: 42,
      stdout: '',
      stderr: complaint('cannot attach a.ts:4-5: a.ts has 3 lines'),
    })
  })

  it.each([
    ['a.ts:4-5', 'cannot attach a.ts:4-5: a.ts has 3 lines'],
    ['@plan.md#aims', 'cannot attach plan.md#aims: there is no heading "aims"; it has Goals'],
    ['b.ts:1', 'cannot refer to b.ts:1-1: there is no file b.ts in '],
    ['sub:1', 'cannot refer to sub:1-1: there is no file sub in '],
  ])('refuses --ref %s, where there is no such part, and adds nothing', async (ref, message) => {
    const { pipe, put, home } = await openWorld()
    await put('a.ts', '1\n2\n3\n')
    await put('plan.md', '# Goals\n')
    await put('sub/a.ts', '1\n')
    const run = await pipe(['task', 'add', 'tidy up', '--ref', 'asset:logo', '--ref', ref])
    expectRun(run, { code: 42, stdout: '', stderr: complaint(message) })
    expect(existsSync(join(home, 'tasks', 'events.jsonl'))).toBe(false)
  })

  slowIt('acts in the name of the user of the settings, for their own agent', async () => {
    const world = await openWorld()
    const { pipe, configure } = world
    const jerry = { display_name: 'Jerry', default_agent_id: 'agent_writer' }
    await configure({ actor: 'user_jerry', actors: { user_jerry: jerry } })
    const id = await add(world, 'fix it')
    const shown = JSON.parse((await pipe(['task', 'show', id, '--json'])).stdout)
    expect(shown).toMatchObject({ created_by: 'user_jerry', agent_id: 'agent_writer' })
    await pipe(['task', 'cancel', id])
    expect((await pipe(['task', 'log', id])).stdout).toMatch(/task_canceled +user_jerry\n$/)
    await configure({ actor: 'user_jerry', actors: { user_jerry: { capabilities: ['tool_read_file'] } } })
    const message = 'user_jerry may not create tasks: its capabilities lack create_task'
    for (const words of [
      ['add', 'x'],
      ['retry', id],
    ])
      expectRun(await pipe(['task', ...words]), { code: 45, stdout: '', stderr: complaint(message) })
  })

  it('cancels and retries a task, and logs both', async () => {
    const world = await openWorld()
    const { pipe, home } = world
    const first = await add(world, 'fix it')
    expectRun(await pipe(['task', 'cancel', first, 'too', 'late']), {
      stdout: `canceled: ${first}  fix it\n`,
    })
    const again = (await pipe(['task', 'retry', first])).stdout.trimEnd()
    expect((await pipe(['task', 'show', again])).stdout).toContain(`\nretries   ${first}\n`)
    const log = (await pipe(['task', 'log', first])).stdout
    expect(log).toMatch(
      new RegExp(
        `^${time}:\\d\\d  task_created +user_local  fix it\n${time}:\\d\\d  task_canceled +user_local  too late\n$`,
      ),
    )
    const stored = (await logOf(home)).split('\n')
    const printed = (await pipe(['task', 'log', first, '--json'])).stdout
    expect(
      printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(stored.slice(1, 3).map((line) => JSON.parse(line)))
    expect(await readdir(join(home, 'tasks'))).toEqual(['events.jsonl'])
  })

  it('follows a task until it is over', async () => {
    const world = await openWorld()
    const { pipe, start } = world
    const task = await add(world, 'fix it')
    const following = start(['task', 'log', task, '-f'])
    await pipe(['task', 'add', 'another'])
    await pipe(['task', 'cancel', task])
    const { code, stdout } = await following.ended
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 2])
  })

  it.each([
    ['cancel', 'task ID cannot be canceled: it is canceled'],
    ['retry', 'task ID is open; only a failed or canceled task is retried'],
  ])('refuses to %s a task that is not in such a state', async (action, message) => {
    const world = await openWorld()
    const { pipe, home } = world
    const task = await add(world, 'fix it')
    if (action === 'cancel') await pipe(['task', 'cancel', task])
    const before = await logOf(home)
    expectRun(await pipe(['task', action, task]), {
      code: 42,
      stdout: '',
      stderr: complaint(message.replace('ID', task)),
    })
    expect(await logOf(home)).toBe(before)
  })

  it.each([
    [['show', 'nothing'], 42, 'there is no task "nothing"; pipe task lists them'],
    [['add', 'x', '--after', 'nothing'], 42, 'there is no task "nothing"; pipe task lists them'],
    [['add', ' \n'], 2, 'pipe task add needs TEXT: what to do (see pipe task --help)'],
    [
      ['add', 'x', '--ref', '../a.ts:1-2'],
      2,
      '--ref takes a.ts:10-40, plan.md#goals, asset:ID or cite:KEY, with paths below the working folder, not "../a.ts:1-2" (see pipe task --help)',
    ],
    [
      ['add', 'x', '--agent', 'a b'],
      2,
      '--agent takes a name of letters, digits, - and _, not "a b" (see pipe task --help)',
    ],
    [
      ['add', 'x', '--priority', 'high'],
      2,
      '--priority takes foreground, normal, background, not "high" (see pipe --help)',
    ],
  ])('%j is refused and adds nothing', async (words, code, message) => {
    const { pipe, home } = await openWorld()
    expectRun(await pipe(['task', ...words]), { code, stdout: '', stderr: complaint(message) })
    expect(existsSync(join(home, 'tasks', 'events.jsonl'))).toBe(false)
  })

  it('stores what its schema says', async () => {
    const world = await openWorld()
    const { pipe, home, put } = world
    await put('a.ts', '1\n2\n')
    const task = await add(world, 'fix it', '--ref', 'a.ts:1-2')
    await pipe(['task', 'cancel', task])
    const schema = z.fromJSONSchema(JSON.parse((await pipe(['schema', 'task'])).stdout))
    const lines = (await logOf(home)).trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    for (const line of lines) expect(schema.safeParse(JSON.parse(line)).error).toBeUndefined()
    expect(schema.safeParse({ ...JSON.parse(lines[1] ?? ''), type: 'task_sold' }).success).toBe(false)
  })
})
