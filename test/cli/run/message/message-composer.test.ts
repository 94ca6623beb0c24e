import { expect, it } from 'vitest'
import { createComposer } from '../../../../src/cli/run/message/message-composer.ts'
import type { Skill } from '../../../../src/config/skills/skill.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const given = {
  config: '/nowhere',
  mayRead: () => true,
  decide: () => undefined,
  manifest: () => ({}),
  skills: () => [],
  readsFiles: true,
}

it('sends the environment and files once, and notes before each message', async () => {
  const folder = await folderWith({ a: 'one', b: 'two', '.git/HEAD': '' })
  const notes = [undefined, 'Files changed.']
  const wired = { ...given, fileTurns: { takeNote: () => notes.shift() } }
  const compose = createComposer(wired, ['a'], quietHost(folder))
  const texts = (prompt: string) =>
    compose(prompt).content.map((block) => (block.type === 'text' ? block.text : block.type))
  expect(texts('first')).toEqual([
    expect.stringMatching(/^<environment>/),
    '<file path="a">\none\n</file>',
    'first',
  ])
  expect(texts('then @b')).toEqual(['Files changed.', '<file path="b">\ntwo\n</file>', 'then @b'])
})

it('a failed first message does not start the conversation', async () => {
  const host = quietHost(await folderWith())
  const wired = { ...given, fileTurns: { takeNote: () => undefined } }
  const compose = createComposer(wired, [], host)
  expect(() => compose(' ')).toThrow('the prompt is empty')
  expect(compose('first').content).toHaveLength(2)
})

it('lists skills beside the environment, which stays when the history is shortened, and attaches the one that is called', async () => {
  const skill: Skill = {
    name: 'mend',
    description: 'Mends',
    source: 'user',
    path: '/skills/mend/SKILL.md',
    body: 'Mend it.',
    isForModel: true,
    isForUser: true,
  }
  const wired = { ...given, skills: () => [skill], fileTurns: { takeNote: () => undefined } }
  const compose = createComposer(wired, [], quietHost(await folderWith()))
  const frame = { type: 'text', text: '<skill name="mend" folder="/skills/mend">\nMend it.\n</skill>' }
  expect(compose('/skill:mend it')).toMatchObject({
    content: [
      { type: 'text', text: expect.stringMatching(/^<environment>[\s\S]*\n- mend: Mends/) },
      frame,
      { type: 'text', text: '/skill:mend it' },
    ],
    metadata: { context: '2', attached: 'skill mend' },
  })
  const later = compose('/skill:mend all')
  expect(later).toMatchObject({ content: [frame, { type: 'text', text: '/skill:mend all' }] })
  const byModel = createComposer({ ...wired, isByModel: true }, [], quietHost(await folderWith()))
  expect(byModel('/skill:mend it').content).toHaveLength(2)
})
