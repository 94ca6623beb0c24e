import { describe, expect, it, type TestContext } from 'vitest'
import type { BuiltinOptions } from '../../../src/builtin/workspace.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { toolContext } from '../../support/conversations/tool-run.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { isAlive, untilGone } from '../../support/programs/processes.ts'
import { type CallResult, createToolbox, path, type Toolbox } from '../toolbox.ts'

interface Tools extends Toolbox {
  bash(command: string, more?: JsonObject): Promise<CallResult>
  start(command: string): Promise<CallResult>
  /** Calls `process` on p1. */
  process(action: string, more?: JsonObject): Promise<string>
  pid(): number
}

/** The tools over their own folder, closed after the test. */
async function open({ onTestFinished }: TestContext, more: Partial<BuiltinOptions> = {}): Promise<Tools> {
  const toolbox = await createToolbox(undefined, more)
  onTestFinished(() => toolbox.close())
  return {
    ...toolbox,
    bash: (command, options = {}) => toolbox.call('bash', { command, ...options }),
    start: (command) => toolbox.call('bash', { command, background: true }),
    process: async (action, options = {}) => {
      const said = await toolbox.call('process', { action, id: 'p1', ...options })
      return said.isError ? `ERROR ${said.text}` : said.text
    },
    pid: () => toolbox.processes.find('p1')?.pid ?? 0,
  }
}

describe.concurrent('a command that reaches its timeout', () => {
  it('continues in the background, where its later output is read', async (context) => {
    const { bash, process, pid, call, put } = await open(context)
    const command = 'echo begun; until [ -e go ]; do sleep 0.05; done; echo done; exit 3'
    const said = await bash(command, { timeout: 1 })
    expect(said).toEqual({
      isError: false,
      text: `begun\n[not done after 1 s: runs in the background as p1, pid ${pid()}, without stdin (background: true gives one); see process]`,
      outputs: [{ type: 'output', stream: 'stdout', chunk: 'begun\n' }],
      details: { process: 'p1', pid: pid(), bytes: 6 },
    })
    expect(await process('read')).toBe('[p1: running; no new output]')
    await put('go', '')
    expect(await call('process', { action: 'wait', id: 'p1' })).toEqual({
      isError: false,
      text: 'done\n[p1: exit code 3]',
      outputs: [],
      details: { process: 'p1', pid: pid(), running: false, exit_code: 3, bytes: 5 },
    })
  })

  it('has no stdin, and the error explains how to get one', async (context) => {
    const { bash, process } = await open(context)
    await bash('exec sleep 600', { timeout: 1 })
    expect(await process('write', { input: 'x' })).toBe(
      'ERROR the stdin of p1 is not open: to write to it, start it again with background: true',
    )
  })

  it('is ended if none may stay', async (context) => {
    const { bash, start } = await open(context, { onTimeout: 'kill' })
    expect(await bash('exec sleep 600', { timeout: 1, on_timeout: 'background' })).toMatchObject({
      isError: true,
      text: '[timed out after 1 s and was ended; set a longer timeout (at most 600)]',
      details: { signal: 'SIGTERM', timed_out: true },
    })
    expect((await start('exec sleep 600')).text).toMatch(/^\[runs in the background as p1, /)
  })

  it('is ended if eight are in the background already; a ninth is not started there', async (context) => {
    const { bash, start } = await open(context)
    await Promise.all(Array.from({ length: 8 }, () => start('exec sleep 600')))
    const full =
      '8 commands already run in the background, which is the limit: wait for one or end one (process wait, kill)'
    expect(await bash('exec sleep 600', { timeout: 1 })).toMatchObject({
      isError: true,
      text: `[timed out after 1 s and was ended, as ${full}]`,
    })
    expect((await bash('exec sleep 600', { timeout: 1, on_timeout: 'kill' })).text).toMatch(/longer timeout/)
    expect(await start('touch started')).toMatchObject({
      isError: true,
      text: full,
    })
    expect((await bash('ls')).text).toBe('(no output)')
  })
})

describe.concurrent('a background command', () => {
  it('returns after a second with its output, id and pid', async (context) => {
    const { start, pid } = await open(context)
    const said = await start('echo serving; exec sleep 600')
    expect(said.text).toBe(`serving\n[runs in the background as p1, pid ${pid()}; see process]`)
    expect(isAlive(pid())).toBe(true)
  })

  it('is a normal error result if it fails at once', async (context) => {
    const { start, processes } = await open(context)
    expect(await start('echo no port; exit 1')).toMatchObject({
      isError: true,
      text: 'no port\n[exit code 1]',
    })
    expect(processes.list()).toEqual([])
  })

  it('is ended if interrupted in its first second', async (context) => {
    const { processes, executor } = await open(context)
    const abort = new AbortController()
    const command = 'echo $$; exec sleep 600'
    const args = { command, background: true }
    const run = executor.execute('bash', args, toolContext(abort.signal))
    const step = await run.next()
    const begun = step.value && 'chunk' in step.value ? Number(step.value.chunk) : 0
    const next = run.next()
    abort.abort()
    await expect(next).rejects.toMatchObject({ code: 'aborted' })
    await untilGone(begun)
    expect(processes.list()).toEqual([])
  })
})

describe.concurrent('process', () => {
  it('lists background commands', async (context) => {
    const { start, process, call } = await open(context)
    expect(await process('list')).toBe('no processes in the background')
    await start('exec   sleep  600')
    await start('sleep 1.2; exit 4')
    await call('process', { action: 'wait', id: 'p2' })
    expect((await process('list')).replaceAll(/\d+ s, pid \d+/g, 'N s, pid N')).toBe(
      'p1: running for N s, pid N: exec sleep 600\np2: exit code 4 after N s, pid N: sleep 1.2; exit 4',
    )
  })

  it('waits for new output followed by silence', async (context) => {
    const { start, process } = await open(context)
    await start('sleep 1.3; echo ready; sleep 0.3; echo really; exec sleep 600')
    expect(await process('wait')).toBe('ready\nreally\n[p1: running]')
  })

  it('waits no longer than its timeout', async (context) => {
    const { start, process } = await open(context)
    await start('exec sleep 600')
    expect(await process('wait', { timeout: 1 })).toBe('[p1: running; no new output]')
  })

  it('writes and returns the response; empty input closes stdin', async (context) => {
    const { start, process } = await open(context)
    await start('cat; echo bye')
    expect(await process('write', { input: 'hello\n' })).toBe('hello\n[p1: running]')
    expect(await process('write')).toBe('ERROR write needs input; an empty one ends stdin')
    expect(await process('write', { input: '' })).toBe('bye\n[p1: exit code 0]')
    expect(await process('write', { input: 'x' })).toMatch(/^ERROR the stdin of p1 is not open/)
  })

  it('ends a group, even one that ignores TERM', async (context) => {
    const { start, process, pid } = await open(context)
    await start("trap '' TERM; echo $$; sleep 600 & wait; wait")
    expect(await process('kill')).toBe('[p1: ended by SIGKILL; no new output]')
    await untilGone(pid())
    expect(await process('kill')).toBe('[p1: ended by SIGKILL; no new output]')
  })

  it('stops waiting at once on abort, while the command runs on', async (context) => {
    const { start, pid, call } = await open(context)
    await start('exec sleep 600')
    const abort = new AbortController()
    const waiting = call('process', { action: 'wait', id: 'p1' }, abort.signal)
    const refused = expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await call('process', { action: 'wait', id: 'p1', timeout: 1 })
    abort.abort()
    await refused
    expect(isAlive(pid())).toBe(true)
  })

  it('names the existing ids if asked for another', async (context) => {
    const { start, process, call } = await open(context)
    expect(await process('read')).toBe('ERROR there is no process p1; none is in the background')
    await start('exec sleep 600')
    expect(await process('read', { id: 'p9' })).toBe('ERROR there is no process p9; there is p1')
    await start('exec sleep 600')
    expect(await process('read', { id: 'p9' })).toBe('ERROR there is no process p9; there are p1, p2')
    const nameless = await call('process', { action: 'kill' })
    expect([nameless.isError, nameless.text]).toEqual([true, 'which process? give its id; there are p1, p2'])
  })

  it('is read-only for list, read and wait, and costs at most 450 bytes', async (context) => {
    const { executor } = await open(context)
    const tool = executor.tools().find(({ name }) => name === 'process')
    const actions = ['list', 'read', 'wait', 'write', 'kill', 'other']
    expect(actions.map((action) => tool?.readOnly({ action }))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    const { name, description, parameters } = tool ?? {}
    expect(Buffer.byteLength(JSON.stringify({ name, description, parameters }))).toBeLessThanOrEqual(450)
  })
})

describe('a background command', () => {
  it('reads no start-up file, although its stdin is open', async (context) => {
    const home = await folderWith({ '.bashrc': 'echo from bashrc\n' })
    const { start } = await open(context, { env: () => ({ PATH: path, HOME: home }) })
    expect((await start('echo only')).text).toBe('only')
  })
})
