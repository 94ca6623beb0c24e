import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readScript } from '../../src/replay/script.ts'
import { thrown } from '../support/thrown.ts'

const read = (script: unknown) => readScript(JSON.stringify(script), 'demo.json')

describe('a script', () => {
  it('is read as the manual shows it', async () => {
    const manual = readFileSync(new URL('../../docs/replay.md', import.meta.url), 'utf8')
    const [, example = ''] = /```json\n(.*?)```/s.exec(manual) ?? []
    expect(await readScript(example, 'docs/replay.md')).toEqual({
      model: 'demo-1',
      rounds: [
        {
          blocks: [
            { type: 'thinking', thinking: 'The file must be read first.' },
            { type: 'text', text: 'I will read it.' },
            { type: 'tool_call', name: 'read', arguments: { path: 'notes.txt' } },
          ],
          usage: { inputTokens: 120, outputTokens: 25 },
          failures: [{ code: 'overloaded', message: 'try again', after: 2 }],
        },
        { blocks: [{ type: 'text', text: 'It says hello.' }], paceMs: 20, failures: [] },
      ],
    })
  })

  it('may hold fields for its player', async () => {
    const script = {
      version: 1,
      rounds: [{ blocks: [], stop_reason: 'refusal' }],
      prompt: 'hi',
      files: { a: 'b' },
    }
    expect(await read(script)).toEqual({ rounds: [{ blocks: [], stopReason: 'refusal', failures: [] }] })
  })

  it('must be JSON', async () => {
    expect(await thrown(() => readScript('{', 'demo.json'))).toMatchObject({
      code: 'input',
      message: 'demo.json is not a script: it is not JSON',
    })
  })

  it.each([
    ['a newer version', { version: 2, rounds: [{ blocks: [] }] }, 'version: Invalid input: expected 1'],
    ['no rounds', { version: 1, rounds: [] }, 'rounds: Too small: expected array to have >=1 items'],
    [
      'an unknown field',
      { version: 1, rounds: [{ blocks: [], pause: 1 }] },
      'rounds[0]: Unrecognized key: "pause"',
    ],
    [
      'a block without its text',
      { version: 1, rounds: [{ blocks: [{ type: 'text' }] }] },
      'rounds[0].blocks[0].text: Invalid input: expected string, received undefined',
    ],
    [
      'an unknown failure',
      { version: 1, rounds: [{ blocks: [], fail: [{ code: 'tired', message: '' }] }] },
      'rounds[0].fail[0].code: expected an error code, such as overloaded',
    ],
    ['a list', [], 'the script: Invalid input: expected object, received array'],
  ])('is refused with %s, naming the position', async (_, script, message) => {
    expect(await thrown(() => read(script))).toMatchObject({
      code: 'input',
      message: `demo.json is not a script:\n  ${message}`,
    })
  })
})
