import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

/** The schema that pipe prints, as a validator. */
async function printed({ pipe }: World, name: string): Promise<z.ZodType> {
  const run = await pipe(['schema', name])
  expectRun(run, { stdout: expect.stringContaining('https://json-schema.org/draft/2020-12/schema') })
  return z.fromJSONSchema(JSON.parse(run.stdout))
}

const parse = (line: string): unknown => JSON.parse(line)
const linesOf = (text: string) => text.trimEnd().split('\n').map(parse)

describe('pipe schema', () => {
  it('prints a schema that the documents of a run match', async () => {
    const world = await openWorld()
    world.server.reply(
      use(['bash', { command: 'touch x' }], ['nothing', {}]),
      use(['write', { path: 'a.txt', content: 'one' }]),
      say('Done.'),
    )
    const { stdout } = await world.pipe(['--permission-mode', 'accept-edits', '-o', 'stream-json', 'go'])
    const read = async (...path: readonly string[]) => readFile(join(world.home, ...path), 'utf8')
    const [log = ''] = await readdir(join(world.home, 'audit'))
    const [session = ''] = (await readdir(join(world.home, 'sessions'))).filter((name) =>
      name.endsWith('.json'),
    )
    const documents = [
      { name: 'events', values: linesOf(stdout), wrong: { type: 'nothing' } },
      { name: 'audit', values: linesOf(await read('audit', log)), wrong: { seq: 'one' } },
      { name: 'session', values: [parse(await read('sessions', session))], wrong: { messages: 1 } },
      { name: 'config', values: [parse(await read('config.json'))], wrong: { modle: 'a/b' } },
    ]
    for (const { name, values, wrong } of documents) {
      const schema = await printed(world, name)
      for (const value of values) {
        expect(schema.safeParse(value), `${name}: ${JSON.stringify(value)}`).toMatchObject({ success: true })
        expect(schema.safeParse({ ...Object(value), ...wrong }).success).toBe(false)
      }
    }
  })

  it('covers what a run asks of its answer', async () => {
    const world = await openWorld()
    world.server.reply(say('{"age": 3}'))
    const { stdout } = await world.pipe([
      '--check',
      'true',
      '--json-schema',
      'age int',
      '-o',
      'stream-json',
      'go',
    ])
    const result = Object(linesOf(stdout).at(-1))
    const schema = await printed(world, 'events')
    expect(result).toMatchObject({ structured_output: { age: 3 }, check: { passed: true } })
    expect(schema.safeParse(result).success).toBe(true)
    expect(schema.safeParse({ ...result, check: { passed: 'often' } }).success).toBe(false)
  })

  it('needs the name of a schema, and sends no other word to a model', async () => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe(['schema']), {
      code: 2,
      stdout: '',
      stderr: complaint('events, session, config, audit'),
    })
    const stderr = complaint('pipe schema does not take "evolution"; it takes events')
    expectRun(await pipe(['schema', 'evolution']), { code: 2, stdout: '', stderr })
    expect(server.requests).toEqual([])
  })
})
