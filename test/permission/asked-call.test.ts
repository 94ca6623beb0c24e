import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Interaction, InteractionResponse } from '../../src/interaction.ts'
import type { JsonObject } from '../../src/json-value.ts'
import { guard } from '../../src/permission/guard.ts'
import type { ToolResult } from '../../src/tool.ts'
import { changes } from '../builtin/edit/changes.ts'
import { createToolbox, type Toolbox } from '../builtin/toolbox.ts'
import { toolContext } from '../support/conversations/tool-run.ts'
import { countingIds } from '../support/messages/ids.ts'
import { able, testPolicy } from '../support/permission/policy.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const { putRead } = changes(() => toolbox)

type Answer = Omit<InteractionResponse, 'interactionId' | 'answeredBy'>
const yes: Answer = { selectedOptionId: 'allow' }

/** Runs a guarded call whose questions get these answers, in order. */
async function asking(name: string, args: JsonObject, answers: readonly Answer[]) {
  const policy = testPolicy({ cwd: toolbox.cwd })
  const executor = guard(toolbox.executor, { policy, newId: countingIds(), onAsk: 'ask' })
  const run = executor.execute(name, args, { ...toolContext(), actor: able })
  const asked: Interaction[] = []
  let response: InteractionResponse | undefined
  for (;;) {
    const { done, value } = await run.next(response)
    if (done === true) return { asked, result: value, told: told(value) }
    response = undefined
    if (value.type !== 'interaction') continue
    const answer = answers[asked.length] ?? { cancelled: true }
    asked.push(value.interaction)
    response = { interactionId: value.interaction.id, answeredBy: 'user_test', ...answer }
  }
}

const told = ({ content }: ToolResult) =>
  content.map((block) => ('text' in block ? block.text : '')).join('\n')

const edit = { path: 'a.txt', old_text: 'b', new_text: 'B' }
const write = { path: 'a.txt', content: 'a\nB\nc\n' }

describe('the text of a call that the user changes', () => {
  it.each([
    ['edit', edit],
    ['write', write],
  ])('is asked about before %s leaves it in the file, and the model is told', async (name, args) => {
    await putRead('a.txt', 'a\nb\nc\n')
    const { asked, result, told } = await asking(name, args, [{ revisedText: 'a\nBB\nc\nd\n' }, yes])
    expect(asked.map(({ call, display }) => [call?.proposal, display.content])).toEqual([
      [{ path: 'a.txt', text: 'a\nB\nc\n' }, '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
      [
        { path: 'a.txt', text: 'a\nBB\nc\nd\n' },
        '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n a\n-b\n+BB\n c\n+d\n',
      ],
    ])
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
    expect([result.isError, await toolbox.get('a.txt')]).toEqual([false, 'a\nBB\nc\nd\n'])
    expect(told).toContain('the user changed the text that you wanted to leave there:')
    expect(told).toContain('-B\n+BB\n c\n+d')
  })

  it('may be changed twice, and the difference counts from the text of the model', async () => {
    const { told } = await asking('write', { path: 'new.txt', content: 'one\n' }, [
      { revisedText: 'two\n' },
      { revisedText: 'three\n' },
      yes,
    ])
    expect(await toolbox.get('new.txt')).toBe('three\n')
    expect(told).toContain('-one\n+three')
  })

  it.each<[string, readonly Answer[], number]>([
    ['a no to the changed text', [{ revisedText: 'x\n' }, { selectedOptionId: 'deny' }], 2],
    ['no answer to it', [{ revisedText: 'x\n' }], 2],
    [
      'a text that changes nothing, then a no',
      [{ revisedText: 'a\nb\nc\n' }, { selectedOptionId: 'deny' }],
      2,
    ],
    ['a text that came with a cancelled answer', [{ revisedText: 'x\n', cancelled: true }], 1],
  ])('is not left in the file after %s', async (_, answers, count) => {
    await putRead('a.txt', 'a\nb\nc\n')
    const { asked, result } = await asking('edit', edit, answers)
    expect([asked.length, result.isError, await toolbox.get('a.txt')]).toEqual([count, true, 'a\nb\nc\n'])
  })

  it('is not offered for a file that is not UTF-8', async () => {
    await toolbox.put('a.txt', Buffer.from([0xff, 0xfe, 0x62, 0]))
    await toolbox.call('read', { path: 'a.txt' })
    const { asked } = await asking('edit', edit, [])
    expect(asked.map(({ call }) => call?.proposal)).toEqual([undefined])
  })
})
