import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { CommandExit, CommandLine, CommandOutput } from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { isAlive, untilGone } from '../support/programs/processes.ts'
import { quickIt as it, quickDescribe, slowIt } from '../support/thorough.ts'

const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
const bash = (script: string, timeoutMs = 120_000) => ({
  file: 'bash',
  args: ['--norc', '-c', script],
  cwd: tmpdir(),
  env,
  timeoutMs,
})

const runner = createCommandRunner({ clock: systemClock })
afterAll(() => runner.close())

const run = (command: CommandLine, signal = new AbortController().signal) => runner.run(command, { signal })
const never = { signal: new AbortController().signal }

async function drain(running: AsyncGenerator<CommandOutput, CommandExit, undefined>) {
  const text = { stdout: '', stderr: '' }
  for (;;) {
    const step = await running.next()
    if (step.done === true) return { ...text, exit: { ...step.value, durationMs: 0 } }
    text[step.value.stream] += Buffer.from(step.value.chunk).toString()
  }
}

const exit = { exitCode: 0, signal: null, timedOut: false, durationMs: 0 }

/** The first line a running command prints, as a number. */
async function firstNumber(running: AsyncGenerator<CommandOutput, CommandExit, undefined>): Promise<number> {
  const step = await running.next()
  if (step.done === true) throw new Error('it ended without a word')
  return Number(Buffer.from(step.value.chunk).toString())
}

quickDescribe('a command', () => {
  it('yields its output and returns its exit', async () => {
    expect(await drain(run(bash('echo out; echo err >&2; exit 3')))).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      exit: { ...exit, exitCode: 3 },
    })
  })

  it('reads its input to the end, or leaves it', async () => {
    const input = 'line\n'.repeat(100_000)
    expect(await drain(run({ ...bash('wc -c; cat'), input }))).toEqual({
      stdout: `${input.length}\n`,
      stderr: '',
      exit,
    })
    expect(await drain(run({ ...bash('exec 0<&-; exit 4'), input }))).toEqual({
      stdout: '',
      stderr: '',
      exit: { ...exit, exitCode: 4 },
    })
    expect(await drain(run({ ...bash('cat'), input: '' }))).toEqual({ stdout: '', stderr: '', exit })
  })

  it('keeps the order between the two streams', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-process-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const wait = (name: string) => `until [ -e ${name} ]; do sleep 0.01; done`
    const script = `echo 1; ${wait('a')}; echo 2 >&2; ${wait('b')}; echo 3`
    const seen: string[] = []
    const gates = ['a', 'b']
    for await (const { stream, chunk } of run({ ...bash(script), cwd: folder })) {
      seen.push(`${stream} ${Buffer.from(chunk).toString()}`)
      const gate = gates.shift()
      if (gate !== undefined) await writeFile(join(folder, gate), '')
    }
    expect(seen).toEqual(['stdout 1\n', 'stderr 2\n', 'stdout 3\n'])
  })

  it('runs in its folder, with only the given environment', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pipe-process-')))
    try {
      const command = { ...bash('pwd; env | grep -v -e ^PWD= -e ^SHLVL= -e ^_='), cwd: folder }
      expect((await drain(run(command))).stdout).toBe(`${folder}\nPATH=${env.PATH}\n`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('has an empty stdin, its own session and no terminal', async () => {
    const script =
      'cat; [ $(ps -o sid= -p $$) = $$ ] && echo leader; (: < /dev/tty) 2>/dev/null || echo no terminal'
    expect((await drain(run(bash(script)))).stdout).toBe('leader\nno terminal\n')
  })

  it('reports the signal that ended it', async () => {
    expect((await drain(run(bash('kill -9 $$')))).exit).toEqual({
      ...exit,
      exitCode: null,
      signal: 'SIGKILL',
    })
  })

  it('starts nothing before the first pull', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-process-'))
    try {
      const running = run({ ...bash('touch started'), cwd: folder })
      await running.return({ ...exit })
      expect((await drain(run({ ...bash('ls'), cwd: folder }))).stdout).toBe('')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is a tool error if the program or its folder does not exist', async () => {
    const missing = { ...bash(''), file: 'no-such-program-anywhere' }
    await expect(drain(run(missing))).rejects.toMatchObject({ code: 'tool', details: { reason: 'ENOENT' } })
    await expect(drain(run({ ...bash(''), cwd: '/no/such/folder' }))).rejects.toMatchObject({
      code: 'tool',
      details: { reason: 'ENOENT', cwd: '/no/such/folder' },
    })
  })

  it('is a tool error if its command line is too long for the system', async () => {
    await expect(drain(run(bash(`: ${'x'.repeat(3_000_000)}`)))).rejects.toMatchObject({
      code: 'tool',
      details: { reason: 'E2BIG' },
    })
  })
})

describe.concurrent('a background child that holds the pipe', () => {
  it.each([
    ['TOOL-299', 'sleep 600 & echo $!'],
    ['TOOL-300', 'setsid sleep 600 & echo $!'],
  ])('%s: does not block the command: %s', async (_, script) => {
    const { stdout, stderr, exit: ended } = await drain(run(bash(script)))
    expect({ stderr, ended }).toEqual({ stderr: '', ended: { ...exit, isOutputHeld: true } })
    expect(isAlive(Number(stdout))).toBe(true)
  })

  slowIt('does not block it by writing on, however slowly that is pulled', async () => {
    const own = createCommandRunner({ clock: systemClock })
    try {
      const running = own.run(bash('yes & echo done'), never)
      const pull = async () => {
        for (;;) {
          const step = await running.next()
          if (step.done === true) return { ...step.value, durationMs: 0 }
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      }
      expect(await pull()).toEqual({ ...exit, isOutputHeld: true })
    } finally {
      await own.close()
    }
  })

  slowIt('runs on, may still write, and is ended by close', async () => {
    const own = createCommandRunner({ clock: systemClock })
    const folder = await mkdtemp(join(tmpdir(), 'pipe-process-'))
    try {
      const script = '{ sleep 2.2; echo x; echo y; touch alive; exec sleep 60; } & echo $!'
      const { stdout } = await drain(own.run({ ...bash(script), cwd: folder }, never))
      const pid = Number(stdout)
      for (;;) {
        const listing = await drain(run({ ...bash('ls'), cwd: folder }))
        if (listing.stdout === 'alive\n') break
      }
      expect(isAlive(pid)).toBe(true)
      await own.close()
      await untilGone(pid)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe.concurrent('the timeout', () => {
  it('ends the group and reports it, with the output until then', async () => {
    expect(await drain(run(bash('echo begun; sleep 600', 2_000)))).toEqual({
      stdout: 'begun\n',
      stderr: '',
      exit: { exitCode: null, signal: 'SIGTERM', timedOut: true, durationMs: 0 },
    })
  })

  slowIt('kills a program that ignores TERM 3 s later', async () => {
    const from = performance.now()
    const { exit: ended } = await drain(run(bash("trap '' TERM; sleep 600", 500)))
    expect(ended).toEqual({ exitCode: null, signal: 'SIGKILL', timedOut: true, durationMs: 0 })
    expect(performance.now() - from).toBeGreaterThan(3_400)
  })

  it('applies even if nothing pulls', async () => {
    const running = run(bash('echo $$; exec yes', 300))
    await untilGone(await firstNumber(running))
    expect((await drain(running)).exit).toMatchObject({ timedOut: true, signal: 'SIGTERM' })
  })
})

describe.concurrent('abandoning a command', () => {
  it('throws aborted at once when the signal fires, and ends the group soon after', async () => {
    const abort = new AbortController()
    const running = run(bash('echo $BASHPID; sleep 600 & wait'), abort.signal)
    const pid = await firstNumber(running)
    const next = running.next()
    abort.abort()
    await expect(next).rejects.toMatchObject({ code: 'aborted' })
    await untilGone(-pid)
  })

  it('starts nothing if the signal has already fired', async () => {
    await expect(drain(run(bash('echo'), AbortSignal.abort()))).rejects.toMatchObject({ code: 'aborted' })
  })

  it('ends the group of a command that is returned early', async () => {
    const running = run(bash('echo $$; exec sleep 600'))
    const pid = await firstNumber(running)
    await running.return({ ...exit })
    await untilGone(-pid)
  })

  it('also ends descendants with their own sessions', async () => {
    const running = run(bash("setsid -w bash -c 'echo $$; sleep 600 & wait'; true"))
    const pid = await firstNumber(running)
    await running.return({ ...exit })
    await untilGone(-pid)
  })

  slowIt('kills a program that ignores TERM before close returns', async () => {
    const own = createCommandRunner({ clock: systemClock })
    const running = own.run(bash("trap '' TERM; echo $$; sleep 600 & wait; wait"), never)
    const pid = await firstNumber(running)
    await running.return({ ...exit })
    await own.close()
    await untilGone(-pid)
  })

  it('ends commands that are still pulled when the runner closes', async () => {
    const own = createCommandRunner({ clock: systemClock })
    const running = own.run(bash('echo $$; exec sleep 600'), never)
    await firstNumber(running)
    const [ended] = await Promise.all([drain(running), own.close()])
    expect(ended.exit).toEqual({ exitCode: null, signal: 'SIGTERM', timedOut: false, durationMs: 0 })
  })
})

quickDescribe('a started program', () => {
  it('runs on while its output is not pulled, and loses none of it', async () => {
    const running = await runner.start(bash('echo one; read -r; echo two'), { stdin: 'open' })
    try {
      const abort = new AbortController()
      const first = running.output(abort.signal)
      expect(await first.next()).toEqual({
        done: false,
        value: { stream: 'stdout', chunk: Buffer.from('one\n') },
      })
      const pending = first.next()
      abort.abort()
      await expect(pending).rejects.toMatchObject({ code: 'aborted' })
      expect(running.write('go on\n')).toBe(true)
      expect(await drain(running.output(never.signal))).toEqual({ stdout: 'two\n', stderr: '', exit })
    } finally {
      running.release()
    }
  })

  it('has an empty stdin unless it is opened; an empty text closes it', async () => {
    const empty = await runner.start(bash('cat'))
    const open = await runner.start(bash('cat'), { stdin: 'open' })
    try {
      expect(empty.write('lost')).toBe(false)
      expect([open.write('kept'), open.write(''), open.write('late')]).toEqual([true, true, false])
      expect((await drain(empty.output(never.signal))).stdout).toBe('')
      expect((await drain(open.output(never.signal))).stdout).toBe('kept')
    } finally {
      empty.release()
      open.release()
    }
  })

  it('survives writes to an stdin that it has closed', async () => {
    const running = await runner.start(bash('exec <&-; echo closed; sleep 600'), { stdin: 'open' })
    try {
      await running.output(never.signal).next()
      running.write('x')
      await expect.poll(() => running.write('y')).toBe(false)
      expect(isAlive(running.pid)).toBe(true)
    } finally {
      running.release()
    }
    await untilGone(running.pid)
  })

  it('is ended by its owner, or by close', async () => {
    const own = createCommandRunner({ clock: systemClock })
    const ended = await own.start(bash('exec sleep 600'))
    const left = await own.start(bash('exec sleep 600'))
    await ended.end('timeout')
    expect((await drain(ended.output(never.signal))).exit).toEqual({
      exitCode: null,
      signal: 'SIGTERM',
      timedOut: true,
      durationMs: 0,
    })
    ended.release()
    await own.close()
    await untilGone(left.pid)
    left.release()
  })

  it('is ended by a close during its start', async () => {
    const own = createCommandRunner({ clock: systemClock })
    const starting = own.start(bash('exec sleep 600'))
    await own.close()
    const started = await starting
    expect(isAlive(started.pid)).toBe(false)
    started.release()
  })
})

quickDescribe('a flood', () => {
  it('comes through whole', async () => {
    let bytes = 0
    for await (const { chunk } of run(bash('head -c 50000000 /dev/zero'))) bytes += chunk.length
    expect(bytes).toBe(50_000_000)
  })

  it('comes through whole if pulled slowly, long after the program ended', async () => {
    let bytes = 0
    const running = run(bash('head -c 150000 /dev/zero; echo $$ >&2'))
    for await (const { chunk } of running) {
      bytes += chunk.length
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(bytes).toBeGreaterThan(150_000)
  })

  it('makes the program wait while nothing pulls', async () => {
    const running = run(bash('yes >&2 & echo $!; wait'))
    const pid = await firstNumber(running)
    const before = process.memoryUsage().rss
    for (let seen = -1, now = 0; seen !== now; ) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      seen = now
      now = Number((await drain(run(bash(`grep ^wchar /proc/${pid}/io | cut -d' ' -f2`)))).stdout)
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
    await running.return({ ...exit })
  })
})

it('passes all variables to a started program, whatever their names', async () => {
  const own = { ...env, 'a.b': '1 2', 'BASH_FUNC_greet%%': '() {  echo hello\n}', LINES: 'x=y' }
  const running = await runner.start({ ...bash('env | grep -e ^a -e ^LINES; greet'), env: own })
  try {
    const { stdout } = await drain(running.output(never.signal))
    expect(stdout.split('\n').sort().join(' ')).toBe(' LINES=x=y a.b=1 2 hello')
  } finally {
    running.release()
  }
})

quickDescribe('a program started with a folder for pipes', () => {
  const openOwn = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-process-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const pipesDir = join(folder, 'pipes')
    const own = createCommandRunner({ clock: systemClock, pipesDir })
    onTestFinished(() => own.close())
    const outcome = async (script: string) => {
      const running = await own.start(bash(script))
      try {
        return await drain(running.output(new AbortController().signal))
      } finally {
        running.release()
      }
    }
    return { own, pipesDir, outcome }
  }

  it('writes all output into one pipe, which it may open by path', async () => {
    const { outcome } = await openOwn()
    const script = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done; echo by path > /dev/stderr; exit 3'
    expect(await outcome(script)).toEqual({
      stdout: 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nby path\n',
      stderr: '',
      exit: { ...exit, exitCode: 3 },
    })
  })

  it('has a pipe of its own, in sequence and in parallel, and its background children keep theirs', async () => {
    const { own, pipesDir, outcome } = await openOwn()
    const left = await outcome('(sleep 600; echo late) & echo $!')
    const says = (word: string) => ({ stdout: `${word}\n`, stderr: '', exit })
    for (const word of ['a', 'b', 'c', 'd', 'e', 'f']) {
      expect(await outcome(`echo ${word}`)).toEqual(says(word))
    }
    const words = Array.from({ length: 10 }, (_, i) => `${i}`)
    expect(await Promise.all(words.map((word) => outcome(`sleep 0.1; echo ${word}`)))).toEqual(
      words.map(says),
    )
    expect((await readdir(pipesDir)).length).toBeLessThan(20)
    expect(isAlive(Number(left.stdout))).toBe(true)
    await own.close()
    await untilGone(Number(left.stdout))
    await expect(readdir(pipesDir)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('gets sockets if there can be no pipes', async () => {
    const { pipesDir, outcome } = await openOwn()
    await writeFile(pipesDir, 'in the way')
    expect(await outcome('echo out; echo err >&2')).toEqual({ stdout: 'out\n', stderr: 'err\n', exit })
  })

  it('gets sockets also if the folder was removed', async () => {
    const { pipesDir, outcome } = await openOwn()
    expect((await outcome('echo one')).stdout).toBe('one\n')
    await rm(pipesDir, { recursive: true })
    expect((await outcome('echo two')).stdout).toBe('two\n')
  })
})
