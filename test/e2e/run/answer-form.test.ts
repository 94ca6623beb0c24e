import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

const schema = { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] }

describe('--json-schema', () => {
  it.each([
    ['a file', 'age.json'],
    ['JSON', JSON.stringify(schema)],
    ['words', 'age int'],
  ])('takes %s, and prints the JSON of the answer alone', async (_, given) => {
    const { pipe, put, server } = await openWorld()
    await put('age.json', JSON.stringify(schema))
    server.reply(say('Here:\n```json\n{"age": 3}\n```'))
    expectRun(await pipe(['--json-schema', given, 'how old?']), { stdout: '{"age": 3}\n' })
    expect(JSON.stringify(server.requests[0]?.body)).toContain('fits this schema')
  })

  it('is also called --output-schema, and puts the value in the JSON of a run', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('three'), say('{"age": 3}'))
    const run = await pipe(['--output-schema', 'age int', '-o', 'json', 'how old?'])
    expect(JSON.parse(run.stdout)).toMatchObject({
      structured_output: { age: 3 },
      result: '{"age": 3}',
      rounds: 2,
    })
  })

  it('ends with 49 and prints nothing if no answer fits', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say('three'), say('{"age": "3"}'), say('{"age": 3.5}'))
    expectRun(await pipe(['--json-schema', 'age int', 'how old?']), {
      code: 49,
      stdout: '',
      stderr: expect.stringMatching(/asked 3 times: \/age: .*integer/),
    })
  })

  it.each([
    ['a file that is not there', 'no/age.json', 'there is no file "no/age.json" with a schema'],
    ['a file that is no JSON', 'bad.json', 'bad.json is not JSON: '],
    ['a list', 'list.json', 'list.json is not a schema: a schema is a JSON object'],
    ['a kind that does not exist', '{"type": "strng"}', 'the schema is not valid: /type: '],
    ['words that are none', 'age integr', 'cannot read "age integr" in the schema: '],
  ])('refuses %s before it asks anyone', async (_, given, reason) => {
    const { pipe, put, server } = await openWorld()
    await put('bad.json', '{')
    await put('list.json', '[]')
    expectRun(await pipe(['--json-schema', given, 'how old?']), {
      code: 42,
      stdout: '',
      stderr: expect.stringContaining(`pipe: ${reason}`),
    })
    expect(server.requests).toEqual([])
  })
})

describe('-x', () => {
  const answer = 'Run this:\n```sql\nselect 1;\n```\nor\n```sh\nls\n```\nDone.'

  it.each([
    ['the last block', ['-x'], 'ls\n'],
    ['the last block of a language', ['-x', 'sql'], 'select 1;\n'],
    ['the same with the long name', ['--extract', 'SQL'], 'select 1;\n'],
    ['the same behind another switch', ['-qx', 'sql'], 'select 1;\n'],
  ])('prints %s', async (_, flags, stdout) => {
    const { pipe, server } = await openWorld()
    server.reply(say(answer))
    expectRun(await pipe([...flags, 'how do I list?']), { stdout })
  })

  it('ends with 49 if there is none', async () => {
    const { pipe, server } = await openWorld()
    server.reply(say(answer))
    expectRun(await pipe(['-x', 'py', 'how do I list?']), {
      code: 49,
      stdout: '',
      stderr: complaint('the answer has no fenced block in "py"'),
    })
  })

  it('does not go with a schema', async () => {
    const { pipe } = await openWorld()
    expectRun(await pipe(['-x', '--json-schema', 'a', 'how?']), {
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--extract cannot be combined with --json-schema'),
    })
  })
})
