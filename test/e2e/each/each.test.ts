import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'
import { promptOf, readObjects } from './each-setup.ts'

describe('--each', () => {
  it('runs the prompt for each line: CRLF, blank lines, and a last line without a newline', async () => {
    const { pipe, server, sessions } = await openWorld()
    server.reply(say('eins\n'), say('zwei'), say('drei'))
    const input = '\uFEFFone\r\n\n  \ntwo\nthree'
    expectRun(await pipe(['--each', 'Translate {}.'], { input }), { stdout: 'eins\nzwei\ndrei\n' })
    expect(server.requests.map(promptOf)).toEqual(['Translate one.', 'Translate two.', 'Translate three.'])
    expect(await sessions()).toEqual([])
  })

  it('gives the record as data where the prompt has no place for it, and is the prompt without one', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('a'), say('b'))
    expectRun(await pipe(['--each', 'Translate'], { input: 'one\n' }), { stdout: 'a\n' })
    expectRun(await pipe(['--each'], { input: 'say {}\n' }), { stdout: 'b\n' })
    const [data, own] = server.requests
    expect(data && lastText(data.body)).toMatch(/<(stdin-[\w-]+)>\none\n<\/\1>/)
    expect(own && promptOf(own)).toBe('say {}')
  })

  it('prints answers in the order of the input, however they arrive', async () => {
    const { pipe, server } = await openWorld()
    const waiting: (() => void)[] = []
    for (let i = 0; i < 8; i++)
      server.reply(async (request, response) => {
        const arrived = new Promise<void>((resolve) => waiting.unshift(resolve))
        if (waiting.length === 8) waiting.shift()?.()
        await arrived
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(replyEvents([{ type: 'text', text: promptOf(request) }]).join(''))
        waiting.shift()?.()
      })
    const input = '1\n2\n3\n4\n5\n6\n7\n8\n'
    expectRun(await pipe(['--each', '-j', '8', 'n{}'], { input }), {
      stdout: input.replace(/^/gm, 'n').replace(/n$/, ''),
    })
  })

  it('ends each answer with NUL where records end so', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('a\nb'), say('c'))
    expectRun(await pipe(['--each=nul', 'Say {}'], { input: 'x\ny\0z' }), { stdout: 'a\nb\0c\0' })
    expect(server.requests.map((request) => lastText(request.body).endsWith('Say x\ny'))).toEqual([
      true,
      false,
    ])
  })

  it('fills in fields of objects; a line that is not JSON fails alone', async () => {
    const { pipe, server, cwd } = await openWorld()
    server.reply(say('1'), say('2'))
    const input = '{"name":"A","at":{"x":[1]}}\n{bad\n{"name":"B"}\n{"name":"C","at":{"x":"y"}}\n'
    const run = await pipe(['--each=ndjson', '--failed', 'bad', 'Is {name} {at.x} in {{}?'], { input })
    expectRun(run, {
      code: 42,
      stdout: '1\n2\n',
      stderr: expect.stringMatching(
        /record 2: the record cannot be read: it is not JSON.*\n.*record 3: there is no field "at.x" in the record: it has name\npipe: 2 done, 2 failed\n$/,
      ),
    })
    expect(server.requests.map(promptOf)).toEqual(['Is A [1] in {}?', 'Is C y in {}?'])
    expect(await readFile(join(cwd, 'bad'), 'utf8')).toBe('{bad\n{"name":"B"}\n')
  })

  it('reads CSV with quotes and line breaks, and keeps the header for a second run', async () => {
    const { pipe, server, cwd } = await openWorld()
    server.reply(say('1'), say('2'))
    const input = 'id,"full name"\r\n1,"A ""x"", y"\r\n2\r\n3,"B\nC"'
    const run = await pipe(['--each=csv', '--failed', 'bad.csv', '-o', 'json', 'Who is {full name}?'], {
      input,
    })
    expect(run.code).toBe(42)
    expect(server.requests.map((request) => lastText(request.body).split('Who is ')[1])).toEqual([
      'A "x", y?',
      'B\nC?',
    ])
    expect(await readFile(join(cwd, 'bad.csv'), 'utf8')).toBe('id,"full name"\r\n2\r\n')
    expect(readObjects(run.stdout)).toMatchObject([
      {
        type: 'record',
        index: 1,
        record: '{"id":"1","full name":"A \\"x\\", y"}',
        status: 'done',
        result: '1',
      },
      { index: 2, record: '2\r', status: 'failed', exit_code: 42, error: { code: 'input' } },
      { index: 3, status: 'done', exit_code: 0, is_error: false },
    ])
  })

  it('refuses a record of 10 MB, and goes on', async () => {
    const { pipe, server, cwd } = await openWorld()
    server.reply(say('a'), say('b'))
    const long = 'x'.repeat(10_000_000)
    const run = await pipe(['--each', '--failed', 'long', '-o', 'json', '{}'], { input: `1\n${long}\n2\n` })
    expect(run.code).toBe(42)
    expect(run.stdout.length).toBeLessThan(10_000)
    expect(readObjects(run.stdout).map(({ status }) => status)).toEqual(['done', 'failed', 'done'])
    expect(run.stderr).toContain('record 2: the record cannot be read: it has 10000000 bytes')
    expect(await readFile(join(cwd, 'long'), 'utf8')).toBe(`${long}\n`)
  })

  it('sets what a hook sets for commands in one record alone', async () => {
    const { pipe, server, put } = await openWorld()
    const command = '[ -e seen ] || echo "export MARK=one" >>"$CLAUDE_ENV_FILE"; touch seen'
    await put(
      'hooks.json',
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } }),
    )
    const look = use(['bash', { command: 'echo "MARK=$MARK"' }])
    server.reply(look, say('a'), look, say('b'))
    const flags = ['--each', '--yolo', '--settings', 'hooks.json']
    expectRun(await pipe([...flags, 'Do {}'], { input: 'x\ny\n' }), { stdout: 'a\nb\n' })
    const told = [1, 3].map((index) => server.requests[index]?.body.messages.at(-1)?.content)
    expect(told).toEqual(['MARK=one', 'MARK='])
  })

  it('ends with its reader, and succeeds without any record', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('a'))
    const line = 'set -o pipefail; seq 100000 | pipe --each "{}" | head -1; echo $?'
    server.reply(...Array.from({ length: 50 }, () => say('b')))
    const run = await shell(line)
    expect(run.stdout).toMatch(/^a\n141\n$/)
    expectRun(await shell('pipe --each "{}" < /dev/null'), { stdout: '' })
    expectRun(await shell('pipe --each --require-stdin "{}" < /dev/null'), {
      code: 42,
      stdout: '',
      stderr: complaint('stdin has no record'),
    })
  })

  it('holds every answer to a schema by itself', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('{"age":1}'), say('x'), say('y'), say('z'), say('{"age":3}'))
    const run = await pipe(['--each', '--json-schema', 'age int', '-o', 'json', 'How old is {}?'], {
      input: 'A\nB\nC\n',
    })
    expect(run.code).toBe(49)
    expect(readObjects(run.stdout)).toMatchObject([
      { structured_output: { age: 1 } },
      { status: 'failed', exit_code: 49 },
      { structured_output: { age: 3 } },
    ])
  })

  it.each([
    ['half a surrogate pair in a name', '{"\\ud800":"a"}'],
    ['20,000 levels', '['.repeat(20_000) + ']'.repeat(20_000)],
  ])('fails only the record whose answer has %s', async (_, odd) => {
    const { pipe, server } = await openWorld()
    server.reply(say('{"a":"1"}'), say(odd), say(odd), say(odd), say('{"a":"3"}'))
    const schema = '{"additionalProperties":{"type":"string"}}'
    const args = ['--each', '--resume-map', 'map', '--json-schema', schema, '-o', 'json', '{}']
    const run = await pipe(args, { input: 'A\nB\nC\n' })
    expect(run.code).toBe(49)
    expect(readObjects(run.stdout)).toMatchObject([
      { structured_output: { a: '1' } },
      { status: 'failed', exit_code: 49 },
      { structured_output: { a: '3' } },
    ])
  })

  it('answers yes or no: 1 if any is no', async () => {
    const { pipe, server } = await openWorld()
    const verdict = (answer: string) =>
      say(JSON.stringify({ answer: answer === 'yes', reason: `${answer}!` }))
    server.reply(verdict('yes'), verdict('no'), verdict('yes'))
    const run = await pipe(['--each', '--yes-no', 'Is {} a fruit?'], { input: 'A\nB\nC\n' })
    expectRun(run, { code: 1, stdout: 'yes!\nno!\nyes!\n' })
  })

  it('attaches what the user mentions, not what a record does', async () => {
    const { pipe, server, put } = await openWorld()
    server.reply(say('a'), say('b'))
    await put('a.txt', 'the secret')
    await pipe(['--each', 'Say {}'], { input: '@a.txt\n' })
    await pipe(['--each', 'Sum up @{}'], { input: 'a.txt\n' })
    const texts = server.requests.map((request) => JSON.stringify(request.body).includes('the secret'))
    expect(texts).toEqual([false, true])
  })

  it('begins nothing after a failure with --fail-fast', async () => {
    const { pipe, server, cwd } = await openWorld()
    server.reply(say('a'), { status: 400, body: '{"error":{"message":"no"}}' })
    const run = await pipe(['--each', '--fail-fast', '--failed', 'rest', '{}'], { input: '1\n2\n3\n4\n' })
    expect(run).toMatchObject({
      stdout: 'a\n',
      stderr: expect.stringContaining('1 done, 1 failed, 2 not run'),
    })
    expect(run.code).toBeGreaterThan(2)
    expect(await readFile(join(cwd, 'rest'), 'utf8')).toBe('2\n3\n4\n')
  })

  it.each([
    [['--each', '-c', 'x'], '--continue cannot be combined with --each'],
    [['--each', '--stdin', 'data', 'x'], '--stdin cannot be combined with --each'],
    [['--each', '--dry-run', 'x'], '--dry-run cannot be combined with --each'],
    [['--each', '--patch', 'x'], '--patch cannot be combined with --each'],
    [['--each', '-o', 'pipe', 'x'], '-o pipe cannot be combined with --each'],
    [['--each', '-j2', '--check', 'true', 'x'], '--check cannot be combined with -j'],
    [['--each=xml', 'x'], '--each takes line, nul, ndjson, csv, not "xml"'],
    [['--each', '{name}'], '{name} is a field, which only --each=ndjson and --each=csv have'],
    [['--failed', 'x', 'y'], '--failed needs --each'],
    [['-j', '2', 'y'], '--jobs needs --each'],
  ])('refuses %j', async (args, reason) => {
    const { pipe } = await openWorld()
    const run = await pipe(args, { input: 'a\n' })
    expectRun(run, { code: 2, stdout: '', stderr: complaint(reason) })
  })
})

describe('a field that the header of CSV does not have', () => {
  it('ends the run before anything is asked', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['--each=csv', 'Who is {nmae}?'], { input: 'id,name\n1,A\n' }), {
      code: 42,
      stdout: '',
      stderr: complaint('there is no field "nmae" in the record: the header has id, name'),
    })
  })

  it('shows with -v what tools do for each record, by its number', async () => {
    const { pipe, server } = await openWorld()
    const ls = use(['bash', { command: 'ls' }])
    server.reply(ls, say('a'), ls, say('b'))
    const run = await pipe(['--each', '-v', '{}'], { input: '1\n2\n' })
    expect(run).toMatchObject({ code: 0, stdout: 'a\nb\n' })
    const told = run.stderr.split('\n').filter((line) => line.includes('•'))
    expect(told).toEqual([1, 2].map((n) => expect.stringMatching(`^record ${n}: • bash.*ls`)))
    expect(run.stderr).toMatch(/^record 2: {3}✓ /m)
    server.reply(ls, say('a'))
    expectRun(await pipe(['--each', '-v', '-q', '{}'], { input: '1\n' }), { stdout: 'a\n', stderr: '' })
  })

  it.each([
    ['-t', 'review'],
    ['--param', 'a=b'],
  ])('refuses %s, which is for one prompt', async (...flags) => {
    const { pipe } = await openWorld()
    const run = await pipe(['--each', ...flags], { input: '1\n' })
    expectRun(run, {
      code: 2,
      stdout: '',
      stderr: complaint('cannot be combined with --each: write the command'),
    })
  })
})
