import { spawn } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** A server with one model. It prints its port, then the method of each request. */
const program = `
const { createServer } = require('node:http')
const event = (value) => 'data: ' + (typeof value === 'string' ? value : JSON.stringify(value)) + '\\n\\n'
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    console.log(request.method)
    if (request.method === 'GET') return response.end('{"data": [{"id": "qwen3"}]}')
    response.setHeader('content-type', 'text/event-stream')
    response.write(event({ choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: 'stop' }] }))
    response.end(event('[DONE]'))
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** A world without a configured model, and a local server run by this user or by `uid`. */
async function openLocal(uid?: number) {
  const world = await openWorld()
  const child = spawn(process.execPath, ['-e', program], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  onTestFinished(() => void child.kill())
  let said = ''
  const listens = deferred()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    listens.resolve()
  })
  await listens.promise
  const [port] = said.split('\n')
  const url = `http://127.0.0.1:${port}/v1`
  const nowhere = 'http://127.0.0.1:1'
  const others = { OLLAMA_BASE_URL: nowhere, LLAMACPP_BASE_URL: nowhere, VLLM_BASE_URL: nowhere }
  await world.configure({})
  return {
    ...world,
    url,
    env: { ...others, LMSTUDIO_BASE_URL: url },
    asked: () => said.split('\n').slice(1, -1),
  }
}

const other = 65_534
const canBeOther = process.platform === 'linux' && process.getuid?.() === 0

describe('a model found on a local server', () => {
  const told = (url: string) =>
    `pipe: no model is set, so pipe uses lmstudio/qwen3 at ${url}, the first local server that answered ` +
    '(set one with -m or "model" in config.json; "local": false turns this off)\n'

  it('is reported in one line for each output format, and not at all with -q', async () => {
    const { pipe, env, url } = await openLocal()
    expectRun(await pipe(['hi'], { env }), { stdout: 'Hello.\n', stderr: told(url) })
    expectRun(await pipe(['-q', 'hi'], { env }), { stdout: 'Hello.\n' })
    const run = await pipe(['--json', 'hi'], { env })
    expect([run.stderr, JSON.parse(run.stdout).result]).toEqual([told(url), 'Hello.'])
    expectRun(await pipe(['-m', 'lmstudio/qwen3', 'hi'], { env }), { stdout: 'Hello.\n' })
  })

  it('is not looked for if the settings turn that off', async () => {
    const { pipe, env, configure, asked } = await openLocal()
    await configure({ local: false })
    expectRun(await pipe(['hi'], { env }), {
      code: 41,
      stdout: '',
      stderr: expect.stringMatching(/no model to talk to(.|\n)*"local" is false in the settings\n$/),
    })
    expect(asked()).toEqual([])
    expectRun(await pipe(['-m', 'lmstudio/qwen3', 'hi'], { env }), { stdout: 'Hello.\n' })
  })

  it.runIf(canBeOther)('never belongs to another user, whose server gets no request', async () => {
    const { pipe, env, url, asked } = await openLocal(other)
    expectRun(await pipe(['hi'], { env }), {
      code: 41,
      stdout: '',
      stderr: expect.stringContaining(
        `Skipped: lmstudio at ${url}: another user (uid ${other}) is listening there; to use it, name it: pipe -m lmstudio/MODEL "…"\n`,
      ),
    })
    expect(asked()).toEqual([])
    expectRun(await pipe(['-m', 'lmstudio/qwen3', 'hi'], { env }), { stdout: 'Hello.\n' })
  })
})

describe('denied calls', () => {
  const why = 'it needs approval: run pipe on a terminal, or allow it with --allowed-tools'

  it('are reported once, in one line', async () => {
    const { pipe, server } = await openWorld()
    const turn = [use(['bash', { command: 'touch a' }]), use(['bash', { command: 'touch b' }]), say('Alas.')]
    server.reply(...turn, ...turn, ...turn)
    const stderr = `pipe: 2 calls were denied: bash (${why})\n`
    expectRun(await pipe(['go']), { stdout: 'Alas.\n', stderr })
    expectRun(await pipe(['-q', 'go']), { stdout: 'Alas.\n' })
    const run = await pipe(['-o', 'json', 'go'])
    expect([run.code, run.stderr, JSON.parse(run.stdout).permission_denials.length]).toEqual([0, stderr, 2])
  })

  it('are reported with the rule that denied them', async () => {
    const { pipe, server } = await openWorld()
    server.reply(use(['bash', { command: 'touch a' }]), say('Alas.'))
    const { stdout, stderr } = await pipe(['--disallowed-tools', 'Bash(touch:*)', 'go'])
    expect(stdout).toBe('Alas.\n')
    expect(stderr).toMatch(/^pipe: 1 call was denied: bash \(.*Bash\(touch:\*\).*\)\n$/)
  })
})

describe('a fallback', () => {
  it('is reported in one line, also without -v', async () => {
    const { pipe, server, configure } = await openWorld()
    const busy = {
      status: 529,
      headers: { 'x-should-retry': 'false' },
      body: '{"error":{"message":"Overloaded"}}',
    }
    const provider = { base_url: server.baseUrl }
    await configure({
      model: 'fake/a',
      fallback: ['spare/b'],
      providers: { fake: provider, spare: provider },
    })
    server.reply(busy, say('For now.'), busy, say('For now.'), busy, say('For now.'))
    const stderr = 'pipe: fake failed (529): Overloaded; spare/b continues for fake/a\n'
    expectRun(await pipe(['hi']), { stdout: 'For now.\n', stderr })
    expectRun(await pipe(['-q', 'hi']), { stdout: 'For now.\n' })
    const run = await pipe(['-v', '--json', 'hi'])
    expect(run.stderr.split(stderr)).toHaveLength(2)
  })
})
