import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { toolContext } from '../../support/conversations/tool-run.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const bash = (command: string, timeout?: number) =>
  toolbox.call('bash', timeout === undefined ? { command } : { command, timeout })

/** The text that the model sees of a successful command. */
async function shown(command: string): Promise<string> {
  const said = await bash(command)
  return said.isError ? `ERROR ${said.text}` : said.text
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`).join('\n')

describe('a command', () => {
  it('streams its output, and returns all of it at the end', async () => {
    const said = await bash('echo out; sleep 1; echo err >&2')
    expect(said).toEqual({
      isError: false,
      text: 'out\nerr',
      outputs: [
        { type: 'output', stream: 'stdout', chunk: 'out\n' },
        { type: 'output', stream: 'stdout', chunk: 'err\n' },
      ],
      details: { exit_code: 0, duration_ms: expect.any(Number), timed_out: false, bytes: 8 },
    })
  })

  it('keeps the order of stdout and stderr', async () => {
    const turns = Array.from({ length: 50 }, (_, i) => [`out ${i}`, `err ${i}`]).flat()
    expect(await shown('for i in {0..49}; do echo out $i; echo err $i >&2; done')).toBe(turns.join('\n'))
  })

  it('may open its output by path', async () => {
    expect(await shown('echo a > /dev/stderr; echo b | tee /dev/stderr; echo c >> /dev/fd/1')).toBe(
      'a\nb\nb\nc',
    )
  })

  it('reports how it failed', async () => {
    const failed = await bash('echo oh; exit 3')
    expect([failed.isError, failed.text]).toEqual([true, 'oh\n[exit code 3]'])
    expect(await bash('kill -9 $$')).toMatchObject({
      isError: true,
      text: '[ended by SIGKILL]',
      details: { exit_code: null, signal: 'SIGKILL' },
    })
  })

  it('runs in the working folder, each in a new shell', async () => {
    expect(await shown('cd /; pwd')).toBe('/')
    expect(await shown('pwd')).toBe(toolbox.cwd)
  })

  it('is refused if an unknown argument names its folder', async () => {
    const said = await toolbox.call('bash', { command: 'rm -f *', cwd: '/somewhere' })
    expect([said.isError, said.text.split('\n')[0]]).toEqual([
      true,
      'bad arguments for bash: to run in another folder begin the command with cd: cd FOLDER && …; unknown: cwd',
    ])
    expect((await toolbox.call('bash', { command: 'echo hi', description: 'says hi' })).text).toBe('hi')
  })

  it('TOOL-304: never waits for a user', async () => {
    expect(await shown('cat; (: < /dev/tty) 2>/dev/null || echo no terminal')).toBe('no terminal')
    const commit = 'git init -q; git -c user.name=a -c user.email=a@b commit --allow-empty'
    expect(await bash(commit)).toMatchObject({ isError: true, details: { timed_out: false } })
    const names = '^(GIT_|EDITOR|VISUAL|PAGER|MANPAGER|GCM_|CLI|FORCE|DEBIAN|SSH|SUDO|AI_|TERM|NO_COLOR|HOME)'
    await toolbox.close()
    const asking = { EDITOR: 'vi', MANPAGER: 'less', SSH_ASKPASS: '/bin/ask', SUDO_ASKPASS: '/bin/ask' }
    const coloured = { FORCE_COLOR: '1', CLICOLOR_FORCE: '1' }
    toolbox = await createToolbox({ PATH: path, TERM: 'xterm', HOME: '/nowhere', ...asking, ...coloured })
    expect((await shown(`env | grep -E '${names}' | sort`)).split('\n')).toEqual([
      'AI_AGENT=pipe',
      'DEBIAN_FRONTEND=noninteractive',
      'EDITOR=true',
      'GCM_INTERACTIVE=never',
      'GIT_EDITOR=true',
      'GIT_OPTIONAL_LOCKS=0',
      'GIT_PAGER=cat',
      'GIT_SEQUENCE_EDITOR=true',
      'GIT_TERMINAL_PROMPT=0',
      'HOME=/nowhere',
      'MANPAGER=cat',
      'NO_COLOR=1',
      'PAGER=cat',
      'SSH_ASKPASS_REQUIRE=never',
      'TERM=dumb',
      'VISUAL=true',
    ])
  })

  it('writes no index and runs no hook if its git only reads', async () => {
    await toolbox.put('a.txt', 'a')
    await toolbox.put('hooks/post-index-change', '#!/bin/sh\ntouch hooked\n')
    await shown('chmod +x hooks/*; git init -q; git add a.txt; git config core.hooksPath hooks')
    expect(await shown('touch -d 2001-01-01 a.txt; git status --short; ls')).toBe(
      'A  a.txt\n?? hooks/\na.txt\nhooks',
    )
  })

  it('gets a note if its timeout is too long', async () => {
    const note = '[timeout is in seconds, at most 600: 5000 was reduced to 600]'
    expect((await bash('echo hi', 5000)).text).toBe(`hi\n${note}`)
    expect((await bash('exit 3', 5000)).text).toBe(`[exit code 3]\n${note}`)
    expect((await bash('echo hi', 600)).text).toBe('hi')
  })

  it('returns a placeholder if it has no output', async () => {
    expect(await shown('true')).toBe('(no output)')
  })

  it('TOOL-299: returns while a background child runs on', async () => {
    const held = 'something that it started still runs: start a server by itself, with background: true'
    expect(await shown('sleep 600 & echo done')).toBe(`done\n[${held}]`)
  })

  slowIt('TOOL-301: is ended at its timeout, with its output until then', async () => {
    const said = await toolbox.call('bash', {
      command: "trap '' TERM; echo begun; sleep 600",
      timeout: 1,
      on_timeout: 'kill',
    })
    expect(said).toMatchObject({
      isError: true,
      text: 'begun\n[timed out after 1 s and was ended; set a longer timeout (at most 600)]',
      details: { signal: 'SIGKILL', timed_out: true },
    })
    expect(toolbox.processes.list()).toEqual([])
  })

  it.each([
    ['vim', "printf 'Vim: Warning: Output is not to a terminal\\n'"],
    ['curses', "printf '%1920sEvery 2.0s' ''"],
  ])('gets a note that there is no terminal if it waits at a full screen: %s', async (_, draw) => {
    const said = await toolbox.call('bash', {
      command: `${draw}; exec sleep 600`,
      timeout: 1,
      on_timeout: 'kill',
    })
    expect(said.text).toMatch(
      /\[timed out after 1 s and was ended; it needs a terminal, and there is none: [^;]*\]$/,
    )
    expect((await bash(`${draw}; exec sleep 600`, 1)).text).toMatch(
      /; see process; it needs a terminal, and there is none: [^;]*\]$/,
    )
  })

  it('TOOL-306: is an error result in a folder that is gone, and the next one works', async () => {
    await rm(toolbox.cwd, { recursive: true })
    const gone = await bash('echo')
    expect([gone.isError, gone.text]).toEqual([
      true,
      `the working directory no longer exists: ${toolbox.cwd}`,
    ])
    await mkdir(toolbox.cwd)
    expect(await shown('echo back')).toBe('back')
  })

  it('is an error result if too long for the system, or with a NUL', async () => {
    expect(await bash(`: ${'x'.repeat(3_000_000)}`)).toMatchObject({
      isError: true,
      text: 'the command is too long; write it to a file and run that',
    })
    expect(await bash('echo a\0b')).toMatchObject({
      isError: true,
      text: 'the command holds a NUL character',
    })
  })

  it('fails with the reason on a machine without bash', async () => {
    await toolbox.close()
    toolbox = await createToolbox({ PATH: '/no/such/folder' })
    expect(await bash('echo')).toMatchObject({
      isError: true,
      text: 'there is no bash on this machine, so no command can run until the user installs it',
    })
  })
})

describe('output', () => {
  it('is decoded across chunk borders', async () => {
    expect(await shown("printf '\\xc3'; sleep 0.1; printf '\\xa9\\n'")).toBe('é')
    expect(await shown("printf '\\xff\\xfeok'")).toBe('\ufffd\ufffdok')
  })

  it('has no escape sequences, and shows the last state of a progress bar', async () => {
    expect(await shown("printf '\\033[1;31mred\\033[0m \\033]0;title\\007plain\\n'")).toBe('red plain')
    expect(await shown("printf '10%%\\r50%%\\r100%%\\ndone'")).toBe('100%\ndone')
    expect(await shown("printf 'Loading all\\rDone\\n'; printf 'Loading\\r\\033[KDone\\n'")).toBe(
      'Doneing all\nDone',
    )
    expect(await shown("printf 'a\\r\\nb\\r\\n'; printf 'n\\bname\\a\\n'")).toBe('a\nb\nname')
  })

  it('TOOL-305: is only counted if binary', async () => {
    expect(await shown("printf '\\xff\\xfe\\x00bin'")).toBe('[binary 6 bytes]')
    expect(await shown('head -c 3000 /dev/zero')).toBe('[binary 3000 bytes]')
    expect(await shown("printf 'one.txt\\0two.txt\\0'")).toBe('one.txt␀two.txt␀')
  })

  it('is whole up to 2,000 lines; above that the middle goes to a file', async () => {
    expect(await shown('seq 2000')).toBe(lines(1, 2_000))
    expect(await readdir(toolbox.spillDir).catch(() => 'none')).toBe('none')
    const said = await bash('seq 2500')
    const { spill, lines: all } = Object(said.details)
    expect(all).toBe(2_500)
    expect(said.text).toBe(
      `${lines(1, 400)}\n[… 500 lines left out of 11393 bytes; all of it is in ${spill} …]\n${lines(901, 2_500)}`,
    )
    expect(await readFile(spill, 'utf8')).toBe(`${lines(1, 2_500)}\n`)
    expect([(await stat(spill)).mode & 0o777, (await stat(toolbox.spillDir)).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
  })

  it('of 50 KB in one line is cut between its ends', async () => {
    const said = await bash("head -c 60000 /dev/zero | tr '\\0' x; echo; echo end")
    expect(said.text).toMatch(/^x+\n\[… a part left out of 60005 bytes; all of it is in .+ …\]\nend$/)
    const long = await bash("printf start; head -c 60000 /dev/zero | tr '\\0' x; printf end")
    expect(long.text).toMatch(/^startx+\n\[… .+ …\]\nx+end$/)
    expect(Buffer.byteLength(long.text)).toBeLessThan(51_200)
  })

  slowIt('of 300 MB takes little memory', async () => {
    const run = toolbox.executor.execute('bash', { command: 'yes | head -c 300000000' }, toolContext())
    const before = process.memoryUsage().rss
    let step = await run.next()
    while (step.done !== true) step = await run.next()
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
    const [block] = step.value.content
    expect(block?.type === 'text' && block.text.length).toBeLessThan(51_200)
    const { spill, bytes } = Object(step.value.details)
    expect([bytes, (await stat(spill)).size]).toEqual([300_000_000, 300_000_000])
  })

  slowIt('without an end is cut at the timeout, and shows both ends', async () => {
    const said = await toolbox.call('bash', { command: 'yes', timeout: 1, on_timeout: 'kill' })
    expect([said.isError, Buffer.byteLength(said.text) < 51_200]).toEqual([true, true])
    expect(said.text).toMatch(
      /^(y\n)+\[… .* left out .* …\]\n(y\n)+\[timed out after 1 s and was ended; .*\]$/,
    )
  })

  it('of an aborted command is no result', async () => {
    const abort = new AbortController()
    const run = toolbox.executor.execute('bash', { command: 'yes' }, toolContext(abort.signal))
    await run.next()
    abort.abort()
    const rest = async () => {
      while ((await run.next()).done !== true);
    }
    await expect(rest()).rejects.toMatchObject({ code: 'aborted' })
  })
})
