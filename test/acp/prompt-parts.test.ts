import { expect, it } from 'vitest'
import { readEditorPrompt } from '../../src/acp/prompt-parts.ts'

const link = (uri: string) => ({ type: 'resource_link', name: 'x', uri }) as const
const textOf = (text: string) => ({ type: 'text', text }) as const

it.each([
  ['file:///a/b.ts', 'see  @/a/b.ts'],
  ['file:///a/b%20c.ts', 'see  @"/a/b c.ts"'],
  ['https://example.org/x', 'see  https://example.org/x'],
  ['file://host/not-here', 'see  file://host/not-here'],
])('names a link to %s', (uri, text) => {
  expect(readEditorPrompt([textOf('see '), link(uri)], [])).toEqual({ text, blocks: [] })
})

it('calls a command of the user by its name', () => {
  const fix = { name: 'fix', description: '', text: 'Fix issue $1.', source: 'yours' }
  expect(readEditorPrompt([textOf('/fix 12')], [fix]).text).toBe('Fix issue 12.')
})

it('passes on what is embedded, and refuses what no model takes', () => {
  const { blocks } = readEditorPrompt(
    [
      { type: 'resource', resource: { uri: 'file:///a', text: 'unsaved' } },
      { type: 'resource', resource: { uri: 'file:///b.png', mimeType: 'image/png', blob: 'AA==' } },
      { type: 'image', mimeType: 'image/png', data: 'BB==' },
    ],
    [],
  )
  expect(blocks).toEqual([
    { type: 'text', text: '<file from="the editor" uri="file:///a">\nunsaved\n</file>' },
    { type: 'image', mimeType: 'image/png', data: 'AA==' },
    { type: 'image', mimeType: 'image/png', data: 'BB==' },
  ])
  expect(() => readEditorPrompt([{ type: 'audio', mimeType: 'audio/wav', data: '' }], [])).toThrow(
    'no model here takes audio',
  )
  const zip = { uri: 'file:///c.zip', mimeType: 'application/zip', blob: '' }
  expect(() => readEditorPrompt([{ type: 'resource', resource: zip }], [])).toThrow('application/zip')
})
