import { describe, expect, it } from 'vitest'
import { sentComposer } from '../../../../src/cli/commands/serve/sent-file.ts'
import { text, user } from '../../../support/messages/messages.ts'

/** A GIF of one pixel. */
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const composed: string[] = []

const compose = sentComposer((words) => {
  composed.push(words)
  return {
    ...user(text('<environment>'), text(words)),
    metadata: { context: '1', attached: 'a.ts · 1 kB' },
  }
})

describe('the files that a client sends', () => {
  it('stand before the text of the message, which says what they are', () => {
    const files = [
      { name: '../shelf.gif', bytes: Buffer.from(gif, 'base64') },
      { name: 'notes "1".md', bytes: Buffer.from('# Red') },
    ]
    const { content, metadata } = compose('what is this?', files)
    expect(content).toEqual([
      text('<environment>'),
      { type: 'image', mimeType: 'image/gif', data: gif },
      text('<file from="the user" name="notes \\"1\\".md">\n# Red\n</file>'),
      text('what is this?'),
    ])
    expect(metadata).toEqual({
      context: '3',
      attached: 'a.ts · 1 kB, shelf.gif · 42 bytes, notes "1".md · 5 bytes',
    })
  })

  it.each([
    ['long.log', Buffer.alloc(300_000, 'x'), 'long.log has 300 kB; a text may have at most 262 kB'],
    [
      'a.bin',
      Buffer.from([1, 0, 2, 255]),
      'a.bin is binary, but not an image (PNG, JPEG, GIF, WebP) or a PDF',
    ],
  ])('are refused before anything is composed: %s', (name, bytes, message) => {
    composed.length = 0
    expect(() => compose('look', [{ name, bytes }])).toThrow(message)
    expect(composed).toEqual([])
  })
})
