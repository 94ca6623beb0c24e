import { expect, it } from 'vitest'
import { createComposer } from '../../../../src/cli/run/message/message-composer.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const given = { config: '/nowhere', mayRead: () => true, decide: () => undefined, manifest: () => ({}) }

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
