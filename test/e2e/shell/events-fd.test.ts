import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, programWords, type World } from '../../support/programs/world.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'

/** More than a pipe holds. */
const long = 'all work and no play\n'.repeat(8_000)

/** The types of lines of events, each once, in the order they first came. */
const typesOf = (text: string) => [
  ...new Set(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type),
  ),
]

const read = ({ cwd }: World, name: string) => readFileSync(join(cwd, name), 'utf8')

describe('--events-fd', () => {
  it('writes the events and the result beside the answer on stdout', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'echo hi' }]), say('Hello.'))
    expectRun(await world.shell('pipe --events-fd 3 go 3>events'), { stdout: 'Hello.\n' })
    expect(typesOf(read(world, 'events'))).toEqual(
      expect.arrayContaining(['stream', 'turn_start', 'tool_start', 'tool_end', 'text_delta', 'result']),
    )
    const lines = read(world, 'events').trimEnd().split('\n')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'stream', version: 1 })
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'result', result: 'Hello.', exit_code: 0 })
  })

  it.each(['json', 'stream-json', 'pipe'])('stands beside -o %s', async (format) => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    const run = await world.shell(`pipe -o ${format} --events-fd 9 go 9>events`)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(typesOf(read(world, 'events')).at(-1)).toBe('result')
    expect(run.stdout.includes('text_delta')).toBe(format === 'stream-json')
  })

  it('gives a schema alone to stdout, and a failed run its result', async () => {
    const world = await openWorld()
    world.server.reply(say('{"name":"Ann"}'), { status: 400, body: '{}' })
    const run = await world.shell(`pipe --json-schema name --events-fd 3 go 3>events`)
    expectRun(run, { stdout: '{"name":"Ann"}\n' })
    const failed = await world.shell('pipe --events-fd 3 go 3>events')
    expect(failed).toMatchObject({ code: 42, stdout: '' })
    const last = read(world, 'events').trimEnd().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({ type: 'result', is_error: true, exit_code: 42 })
  })

  it.each([
    ['a process of the shell', 'pipe --events-fd 5 go 5> >(cat > events)'],
    ['a file that is added to', 'pipe --events-fd 5 go 5>> events'],
    ['a pipe with a name', 'mkfifo fifo; cat fifo > events & pipe --events-fd 5 go 5> fifo'],
  ])('writes to %s', async (_, line) => {
    const world = await openWorld()
    world.server.reply(say('Hello.'))
    expectRun(await world.shell(line), { stdout: 'Hello.\n' })
    await expect
      .poll(() => existsSync(join(world.cwd, 'events')) && read(world, 'events'))
      .toContain('"result"')
  })

  it('goes on without a reader that went away, and says so once', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'echo hi' }]), say(long))
    const run = await world.shell('pipe --events-fd 3 go 3> >(exec head -c1 >/dev/null)')
    expectRun(run, {
      stdout: long,
      stderr: 'pipe: --events-fd 3 gets no more events: its reader is gone; the run continues\n',
    })
  })

  slowIt('goes on without a reader that reads nothing for ten seconds', async () => {
    const { shell, server } = await openWorld()
    server.reply(say(long))
    const run = await shell('pipe --events-fd 3 go 3> >(exec sleep 60 >/dev/null 2>&1)')
    const reason = 'its reader has read nothing for 10 s'
    expectRun(run, {
      stdout: long,
      stderr: `pipe: --events-fd 3 gets no more events: ${reason}; the run continues\n`,
    })
  })

  it.skipIf(!existsSync('/dev/full'))('goes on on a full disk', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('Hello.'))
    const run = await shell('pipe --events-fd 3 go 3>/dev/full')
    expectRun(run, { stdout: 'Hello.\n', stderr: complaint('gets no more events: ENOSPC') })
  })

  it('holds nothing open in a command that outlives the run', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'ls -l /proc/self/fd' }]), say('Done.'))
    const run = await world.shell('pipe --yolo --events-fd 40 -o stream-json go 40> >(cat > events)')
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('tool_output')
    expect(run.stdout).not.toMatch(/ 40 -> /)
  })

  it.each([
    ['0 to 2', '1', ''],
    ['one that is closed', '7', ''],
    ['one that is open for reading', '7', '7</dev/null'],
    ['a pipe of Node itself', '4', ''],
    ['another pipe of Node itself', '6', ''],
    ['what is no number', 'three', ''],
  ])('refuses %s before anything is sent', async (_, descriptor, redirection) => {
    const { shell, server } = await openWorld()
    const run = await shell(`pipe --events-fd ${descriptor} go ${redirection}`)
    expectRun(run, { code: 2, stdout: '', stderr: complaint(`--events-fd ${descriptor}`) })
    expect(server.requests).toEqual([])
  })

  it('refuses every descriptor that the user did not open', async () => {
    const { shell, server } = await openWorld()
    const program = programWords.join(' ')
    const run = await shell(
      `for n in $(seq 3 30); do ${program} --events-fd $n go 2>/dev/null </dev/null; echo $?; done`,
    )
    expectRun(run, { stdout: '2\n'.repeat(28) })
    expect(server.requests).toEqual([])
  })

  it.each([
    ['--each', 'the lines of -o json'],
    ['--input-format stream-json -o stream-json', 'its events are on stdout'],
  ])('cannot be combined with %s', async (flags, reason) => {
    const { shell } = await openWorld()
    const run = await shell(`pipe ${flags} --events-fd 3 3>events </dev/null`)
    expectRun(run, { code: 2, stdout: '', stderr: complaint(reason) })
  })
})
